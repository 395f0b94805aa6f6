"""Library, algorithms, input and output."""

from __future__ import annotations

from maxcode.policy.rewrite.library import (
    appending,
    arithmetic,
    complex_numbers,
    containers,
    counting,
    input,
    output,
    parsing,
    primes,
    repeated,
    sorting,
    splitting,
    stdio,
    strings,
    tables,
    wrapping,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *appending.TRANSFORMATIONS,
    *arithmetic.TRANSFORMATIONS,
    *complex_numbers.TRANSFORMATIONS,
    *containers.TRANSFORMATIONS,
    *counting.TRANSFORMATIONS,
    *input.TRANSFORMATIONS,
    *output.TRANSFORMATIONS,
    *parsing.TRANSFORMATIONS,
    *primes.TRANSFORMATIONS,
    *repeated.TRANSFORMATIONS,
    *sorting.TRANSFORMATIONS,
    *splitting.TRANSFORMATIONS,
    *stdio.TRANSFORMATIONS,
    *strings.TRANSFORMATIONS,
    *tables.TRANSFORMATIONS,
    *wrapping.TRANSFORMATIONS,
)

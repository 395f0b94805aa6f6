"""Library, algorithms, input and output."""

from __future__ import annotations

from maxcode.policy.rewrite.library import (
    arithmetic,
    complex_numbers,
    containers,
    counting,
    dense_maps,
    graphs,
    input,
    output,
    parsing,
    primes,
    range_sums,
    recursion,
    sorting,
    splitting,
    stdio,
    strings,
    tables,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *arithmetic.TRANSFORMATIONS,
    *complex_numbers.TRANSFORMATIONS,
    *containers.TRANSFORMATIONS,
    *counting.TRANSFORMATIONS,
    *dense_maps.TRANSFORMATIONS,
    *graphs.TRANSFORMATIONS,
    *input.TRANSFORMATIONS,
    *output.TRANSFORMATIONS,
    *parsing.TRANSFORMATIONS,
    *primes.TRANSFORMATIONS,
    *range_sums.TRANSFORMATIONS,
    *recursion.TRANSFORMATIONS,
    *sorting.TRANSFORMATIONS,
    *splitting.TRANSFORMATIONS,
    *stdio.TRANSFORMATIONS,
    *strings.TRANSFORMATIONS,
    *tables.TRANSFORMATIONS,
)

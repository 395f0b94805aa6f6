"""Python."""

from __future__ import annotations

from maxcode.policy.rewrite.python import (
    algorithms,
    arithmetic,
    cache,
    compiled,
    containers,
    counting,
    entries,
    folds,
    functions,
    loops,
    names,
    primes,
    rules,
    splitting,
    text,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *algorithms.TRANSFORMATIONS,
    *arithmetic.TRANSFORMATIONS,
    *cache.TRANSFORMATIONS,
    *compiled.TRANSFORMATIONS,
    *containers.TRANSFORMATIONS,
    *counting.TRANSFORMATIONS,
    *entries.TRANSFORMATIONS,
    *folds.TRANSFORMATIONS,
    *functions.TRANSFORMATIONS,
    *loops.TRANSFORMATIONS,
    *names.TRANSFORMATIONS,
    *primes.TRANSFORMATIONS,
    *rules.TRANSFORMATIONS,
    *splitting.TRANSFORMATIONS,
    *text.TRANSFORMATIONS,
)

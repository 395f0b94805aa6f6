"""Python."""

from __future__ import annotations

from maxcode.policy.rewrite.python import (
    algorithms,
    arithmetic,
    comparing,
    compiled,
    counters,
    counting,
    entries,
    folds,
    functions,
    inlining,
    loops,
    membership,
    memory,
    names,
    primes,
    queues,
    rules,
    scans,
    sorting,
    splitting,
    text,
    totals,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *algorithms.TRANSFORMATIONS,
    *arithmetic.TRANSFORMATIONS,
    *comparing.TRANSFORMATIONS,
    *compiled.TRANSFORMATIONS,
    *counters.TRANSFORMATIONS,
    *counting.TRANSFORMATIONS,
    *entries.TRANSFORMATIONS,
    *folds.TRANSFORMATIONS,
    *functions.TRANSFORMATIONS,
    *inlining.TRANSFORMATIONS,
    *loops.TRANSFORMATIONS,
    *membership.TRANSFORMATIONS,
    *memory.TRANSFORMATIONS,
    *names.TRANSFORMATIONS,
    *primes.TRANSFORMATIONS,
    *queues.TRANSFORMATIONS,
    *rules.TRANSFORMATIONS,
    *scans.TRANSFORMATIONS,
    *sorting.TRANSFORMATIONS,
    *splitting.TRANSFORMATIONS,
    *text.TRANSFORMATIONS,
    *totals.TRANSFORMATIONS,
)

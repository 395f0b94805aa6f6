"""Tags that transformations answer, from the profile of a model."""

from __future__ import annotations

import re

from maxcode.core import Fact

MANY = 5
"""Number of kernels, none of which takes most of the time, that counts as many."""
MUCH = 0.3
"""Share of the time that is worth doing something about."""
KINDS = (
    (re.compile(r"conv", re.IGNORECASE), ("convolution", "layout")),
    (re.compile(r"softmax", re.IGNORECASE), ("attention", "memory-bound")),
    (
        re.compile(r"elementwise|reduce|aten::(add|mul|div|sub|relu|tanh|copy_|sum|mean)", re.IGNORECASE),
        ("memory-bound",),
    ),
)


def signs(facts: tuple[Fact, ...]) -> frozenset[str]:
    """Tags from the shares of kernels or operators."""
    shares = [(fact.text, fact.value) for fact in facts if fact.kind == "hot_function" and fact.value is not None]
    found = {
        tag
        for pattern, tags in KINDS
        if sum(value for text, value in shares if pattern.search(text)) > MUCH
        for tag in tags
    }
    if len(shares) >= MANY and max(value for _, value in shares) < 1 - MUCH:
        found |= {"many-kernels", "eager-overhead"}
    return frozenset(found)

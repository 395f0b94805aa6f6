"""Five classes of what is still to come, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from maxcode.core import Frozen

LABELS = ("0", "1", "2", "3", "4")
"""Labels that a language model answers with, one token each. 0: wrong, or no faster; 4: among the fastest quarter."""
LEAST_STEP = 1e-3


class Classes(Frozen):
    """Mean logarithm of the reward in each class, rising from class to class."""

    means: tuple[float, ...]

    def value(self, expected: float) -> float:
        """The log reward of an expected class, linear between the means: a higher class is worth more, always."""
        return float(np.interp(expected, range(len(self.means)), self.means))


PLAIN = Classes(means=(0.0, 1.0, 2.0, 3.0, 4.0))
"""Classes for models of which only the order of their classes is known."""


def classes_of(rewards: Sequence[tuple[int, float]]) -> Classes:
    """Classes from (class, log reward) of training data. An empty class gets a mean between those of its neighbours."""
    found = {label: [value for each, value in rewards if each == label] for label in range(len(LABELS))}
    known = {label: float(np.mean(values)) for label, values in found.items() if values}
    if not known:
        return PLAIN
    means = np.interp(range(len(LABELS)), list(known), list(known.values()))
    rising = np.maximum.accumulate(means) + LEAST_STEP * np.arange(len(LABELS))
    return Classes(means=tuple(float(mean) for mean in rising))


def expected_class(probabilities: Sequence[float]) -> float:
    return float(sum(label * share for label, share in enumerate(probabilities)))

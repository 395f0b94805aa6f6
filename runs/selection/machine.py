"""A simulated machine: pairs of a program of known speedup, with noise, outliers, and duets that may be biased."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import exp

from maxcode.core import Measurement, Mode, Noise
from maxcode.evaluate.measure.pairs import Pair, Timing
from maxcode.evaluate.measure.sampling import LEAST_DUET, LEAST_EXCLUSIVE, measure

OUTLIERS, DUET_SHARE, BIASED, BIAS = 0.05, 0.2, 0.2, 0.05
"""Share of disturbed pairs, deviation of duets to that of pairs, and share and deviation of biased duets."""


@dataclass
class SimulatedPairs:
    """Pairs of a program whose log speedup is `truth`, `deviation` apart from each other in log-ratio."""

    truth: float
    deviation: float
    rng: random.Random
    bias: float = field(init=False)

    def __post_init__(self) -> None:
        self.bias = self.rng.gauss(0, BIAS) if self.rng.random() < BIASED else 0.0

    def exclusive(self, candidate_first: bool) -> Pair:
        del candidate_first
        return self._pair(self.truth, self.deviation)

    def duet(self, candidate_first: bool) -> Pair:
        del candidate_first
        return self._pair(self.truth + self.bias, self.deviation * DUET_SHARE)

    def again(self, number: int, candidate_first: bool) -> Pair:
        del number
        return self.exclusive(candidate_first)

    def close(self) -> None:
        """Does nothing: there is no process."""

    def _pair(self, centre: float, deviation: float) -> Pair:
        ratio = centre + self.rng.gauss(0, deviation)
        if self.rng.random() < OUTLIERS:
            ratio += self.rng.choice((-1, 1)) * abs(self.rng.gauss(0, 5 * deviation))
        return Timing(exp(ratio), exp(ratio), 10.0), Timing(1.0, 1.0, 10.0)


def noise_of(deviation: float) -> Noise:
    exclusive, duet = max(deviation, LEAST_EXCLUSIVE), max(deviation * DUET_SHARE, LEAST_DUET)
    return Noise(exclusive=exclusive, duet=duet, pairs=5)


def measured(pairs: SimulatedPairs, further: int | None = None) -> Measurement:
    """Measurement as a search makes it, or of so many further pairs."""
    return measure(pairs, mode=Mode.SEARCH, noise=noise_of(pairs.deviation), cpus=(), further=further)


def drawn_truth(rng: random.Random) -> float:
    """Log speedup of a program: most differ by little, a few by a lot."""
    place = rng.random()
    if place < 0.3:
        return 0.0
    return rng.gauss(0, 0.02) if place < 0.6 else rng.gauss(0, 0.15) if place < 0.85 else rng.expovariate(2.0)

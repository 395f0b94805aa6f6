"""Ways to choose one of several measured programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from maxcode.core import Measurement, Outcome, Status
from maxcode.evaluate.measure.further import with_more
from maxcode.evaluate.measure.posterior import Posterior, evidence, fitted, posteriors, undecided
from maxcode.search.budget import PAIRS_AS_EVALUATION
from maxcode.search.racing import BATCH
from maxcode.search.rewards import lower_bound

Further = Callable[[int, int], Measurement]
"""Measures the program of an index by so many further pairs."""
RACE = 0.2
"""Share of the evaluations that a race may take."""
WAYS = ("lower bound", "estimate", "posterior", "estimate, evenly", "posterior, raced")


def choices(known: Sequence[Measurement], further: Further) -> dict[str, tuple[int, int]]:
    """Index of the chosen program and pairs taken beyond the first ones, by the way of choosing."""
    first = {
        "lower bound": best([lower_bound(_outcome(m)) for m in known]),
        "estimate": best([m.speedup for m in known]),
        "posterior": best([each.mean for each in _posteriors(known)]),
    }
    raced, pairs = race(known, further)
    share = pairs // len(known)
    even = [with_more(m, further(i, share)) if share else m for i, m in enumerate(known)]
    return {
        **{way: (index, 0) for way, index in first.items()},
        "estimate, evenly": (best([m.speedup for m in even]), share * len(known)),
        "posterior, raced": (raced, pairs),
    }


def race(known: Sequence[Measurement], further: Further) -> tuple[int, int]:
    """The winner of a race, and the pairs it took."""
    now, pairs = list(known), 0
    most = int(RACE * len(known) * PAIRS_AS_EVALUATION)
    while (close := undecided(_posteriors(now))) and pairs + BATCH * len(close) <= most:
        for i in close:
            now[i] = with_more(now[i], further(i, BATCH))
        pairs += BATCH * len(close)
    return best([each.mean for each in _posteriors(now)]), pairs


def best(figures: Sequence[float]) -> int:
    return max(range(len(figures)), key=lambda i: (figures[i], -i))


def _posteriors(known: Sequence[Measurement]) -> list[Posterior]:
    found = [evidence(m) for m in known]
    return posteriors(found, fitted(found))


def _outcome(m: Measurement) -> Outcome:
    return Outcome(candidate="", task="", status=Status.OK, measurement=m)

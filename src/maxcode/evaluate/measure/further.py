"""Measurements that grow: pairs that were taken later are added to the ones that are known."""

from __future__ import annotations

from math import log

from maxcode.core import Measurement, Sample
from maxcode.evaluate.measure.sampling import ALIKE
from maxcode.evaluate.measure.statistics import LogInterval, estimate, total


def with_more(m: Measurement, more: Measurement) -> Measurement:
    """The measurement with further exclusive pairs of the same program.

    Duets go on to count while the exclusive pairs, now more of them, agree with them. Times of different clocks do not
    go together: then the later measurement stands alone.
    """
    if m.clock != more.clock or m.noise is None:
        return more
    samples = (*m.samples, *more.samples)
    found = _estimate(samples, m.noise.exclusive, m.alpha, in_total=_in_total(m) or _in_total(more))
    if m.method == "duet" and abs(log(m.speedup) - found.centre) <= ALIKE + found.half:
        return m.model_copy(update={"samples": samples})
    speedup, low, high = found.ratios
    return m.model_copy(
        update={
            "samples": samples,
            "method": "exclusive",
            "verdict": found.verdict,
            "speedup": speedup,
            "ci_low": low,
            "ci_high": high,
            "dropped": m.dropped + more.dropped,
        }
    )


def _estimate(samples: tuple[Sample, ...], noise: float, alpha: float, *, in_total: bool) -> LogInterval:
    times = _exclusive(samples)
    found = estimate([log(a / b) for a, b in times], noise=noise, alpha=alpha)
    return min(found, total(times, alpha=alpha), key=lambda each: each.centre) if in_total else found


def _in_total(m: Measurement) -> bool:
    """True if total times decided: the speedup is less than the ratios of the pairs say."""
    if m.method != "exclusive" or m.noise is None:
        return False
    ratios = [log(a / b) for a, b in _exclusive(m.samples)]
    return log(m.speedup) < estimate(ratios, noise=m.noise.exclusive, alpha=m.alpha).centre - 1e-9


def _exclusive(samples: tuple[Sample, ...]) -> list[tuple[float, float]]:
    return [(each.baseline, each.candidate) for each in samples if each.method == "exclusive"]

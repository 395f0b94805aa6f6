"""Health of a node: a reference program, timed now and then, and the spread of what was measured.

Speedups are ratios, so a slow hour does not change them. It does change GFLOPS, and noise changes every figure. What
was measured on a node that has become slow, or with a spread far above the noise floor, is measured again, elsewhere if
there is another node.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from math import log
from pathlib import Path
from statistics import median, stdev

from maxcode.core import EvaluatorError, Measurement, Outcome, Status
from maxcode.evaluate.measure.sampling import LEAST_DUET, LEAST_EXCLUSIVE, UNSTEADY
from maxcode.evaluate.measure.stolen import MOST_DROPPED
from maxcode.evaluate.pool import Pool
from maxcode.evaluate.ray.place import NodeHealth
from maxcode.task import load_task

FOLDER = Path(__file__).parent / "reference"
SLOW = 1.25
"""Ratio to the fastest node of its class at the reference program above which a node is not believed."""


async def measure_health(pool: Pool) -> NodeHealth:
    """Times the reference program on one slot, with a program that runs it twice as the candidate, which a few pairs
    settle."""
    task = load_task(FOLDER)
    (outcome,) = await pool(task, [task.candidate((FOLDER / "twice.c").read_text())], seed=0)
    if outcome.measurement is None:
        raise EvaluatorError(f"the reference program fails on this machine: {outcome.reason}")
    return NodeHealth(
        seconds=median(sample.baseline for sample in outcome.measurement.samples),
        spread=spread(outcome.measurement) or 0.0,
        at=time.time(),
    )


def spread(measurement: Measurement) -> float | None:
    """Standard deviation of the log-ratios that the estimate rests on; None for counts, which have none."""
    used = [s for s in measurement.samples if s.method == measurement.method and s.baseline > 0 and s.candidate > 0]
    if measurement.method == "count" or len(used) < 2:
        return None
    return stdev(log(sample.baseline / sample.candidate) for sample in used)


def doubt(outcome: Outcome, health: NodeHealth | None, others: Iterable[NodeHealth | None]) -> str | None:
    """Reason why an outcome should be measured again; None where there is none."""
    m = outcome.measurement
    timed = outcome.status is Status.TIMEOUT or (m is not None and m.method != "count")
    fastest = min((each.seconds for each in others if each), default=None)
    if timed and health and fastest and health.seconds > SLOW * fastest:
        return f"the node was {health.seconds / fastest:.2f} times as slow as the fastest of its class"
    found = spread(m) if m else None
    if m is None or found is None:
        return None
    if m.dropped >= MOST_DROPPED:
        return "the host took CPU time away again and again"
    least = LEAST_DUET if m.method == "duet" else LEAST_EXCLUSIVE
    floor = (m.noise.duet if m.method == "duet" else m.noise.exclusive) if m.noise else None
    limit = UNSTEADY * max(least, floor or 0.0)
    return f"the ratios spread by {found:.1%}, more than {limit:.1%}" if found > limit else None

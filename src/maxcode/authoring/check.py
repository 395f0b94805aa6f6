"""Checks of `maxcode check` that kinds of tasks have in common: is the task itself sound?

The baseline must pass, known-wrong programs must fail, noise and workloads must allow timing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from maxcode.authoring.finding import Finding
from maxcode.core import Candidate, Language, Mode, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.task.model import Task

SHORTEST, LONGEST = 0.03, 3.0
"""Seconds a run should take: long enough to time, short enough to repeat."""
START = f"Too short to time well: mostly process start. Use {{}} (at least {SHORTEST * 1000:.0f} ms)."
LOUD = 0.05


@dataclass(frozen=True)
class Length:
    """Words of a kind of task for its timed work, and how short that may be."""

    larger: str
    """Advice on what to change for longer work."""
    unit: str = "run"
    shortest: float = 0.0
    """Seconds of a run below which most of it is overhead."""
    too_short: str = ""
    quieter: str = "."
    """Advice for a loud machine besides stopping other programs."""


async def answer_findings(task: Task, pool: LocalPool, probes: dict[str, Candidate]) -> list[Finding]:
    """Findings on whether the baseline passes, and programs that do not do the work fail."""
    (baseline,) = await pool(
        task, [task.baseline_candidate], mode=Mode.SEARCH, sanitize=task.language is not Language.PYTHON, measure=False
    )
    if baseline.status is not Status.OK:
        return [_baseline_finding(baseline)]
    outcomes = await pool(task, list(probes.values()), measure=False)
    found = [_probe_finding(name, outcome) for name, outcome in zip(probes, outcomes, strict=True)]
    return [_baseline_finding(baseline), *found]


def is_sound(findings: list[Finding]) -> bool:
    """True if nothing serious was found, so that it makes sense to check further."""
    return all(each.ok or not each.serious for each in findings)


async def timing_findings(task: Task, pool: LocalPool, length: Length) -> list[Finding]:
    """Findings on whether this machine is quiet enough, and the timed work long enough."""
    noise = await pool.noise(task)
    spread = exp(noise.exclusive) - 1
    duet = f", ±{exp(noise.duet) - 1:.1%} in a duet" if noise.duet is not None else ""
    findings = [
        Finding(
            name="noise floor",
            ok=noise.exclusive < LOUD,
            serious=False,
            detail=f"±{spread:.1%} between runs of one program{duet}",
            fix=f"This machine is loud: stop other programs{length.quieter}",
        )
    ]
    (timed,) = await pool(task, [task.baseline_candidate])
    findings.append(_length_finding(length, timed))
    return findings


def _baseline_finding(outcome: Outcome) -> Finding:
    if outcome.status is not Status.OK:
        return Finding(
            name="baseline passes",
            ok=False,
            detail=outcome.reason or "",
            fix="The baseline is the oracle: mend it, or the tests it fails.",
        )
    assert outcome.verification is not None
    tests = f"{outcome.verification.total} of {outcome.verification.total} tests"
    return Finding(name="baseline passes", ok=True, detail=tests + (", sanitizers clean" if outcome.sanitized else ""))


def _probe_finding(name: str, outcome: Outcome) -> Finding:
    if outcome.status is Status.OK:
        return Finding(
            name=f"{name} program fails",
            ok=False,
            detail="it passes every test",
            fix="The tests cannot tell it from the real program: add tests with other answers, or compare strictly.",
        )
    found = f"{outcome.status.value}: {outcome.first_line[:90]}"
    return Finding(name=f"{name} program fails", ok=True, detail=found)


def _length_finding(length: Length, outcome: Outcome) -> Finding:
    seconds = outcome.measurement.seconds_baseline if outcome.measurement else None
    if seconds is None:
        return Finding(name="workload length", ok=False, detail=outcome.reason or "not timed", fix="See the reason.")
    fix = ""
    if seconds < length.shortest:
        fix = length.too_short
    elif seconds > LONGEST:
        smaller = length.larger.replace("larger", "smaller")
        fix = f"Long: every evaluation repeats it. Use {smaller} (at most {LONGEST:g} s)."
    detail = f"{seconds * 1000:.3g} ms of the baseline per {length.unit}"
    return Finding(name="workload length", ok=not fix, serious=not fix, detail=detail, fix=fix or None)

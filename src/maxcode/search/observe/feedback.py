"""An outcome in words: what happened, how it differs from what was wanted, and where the time goes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from maxcode.core import Fact, Measurement, Outcome, Status, Verdict
from maxcode.evaluate.measure.words import interval_in_words, times
from maxcode.task.units import duration

MOST_FACTS = 16
NEAR = 8
"""Lines below a loop's first one in which a hot line is looked for."""
HOT = 0.05
"""Share of the instructions from which on a line is hot enough for a remark about its loop."""
LONGEST_LINE = 100
"""Characters of a hot line that are quoted."""
_NOISE = re.compile(r"of the time spent waiting| in \?{3}$")
"""Facts that tell of the machine's load as much as of the program, and functions without a name."""
_NOTHING = re.compile(r", 0% of the last-level cache misses of your files")
_ORDER = ("hot_line", "hot_function", "count", "resource", "not_vectorized", "vectorized")
_REMARKS = ("not_vectorized", "vectorized")
FAILED = {
    Status.REJECTED: "It was rejected by the rules of the task",
    Status.BUILD_ERROR: "It does not compile",
    Status.TIMEOUT: "It ran out of time",
    Status.CRASHED: "It crashed",
    Status.WRONG: "It gives wrong results",
}
"""What became of a program that is not acceptable, as a clause."""


def feedback(outcome: Outcome, files: Mapping[str, str] | None = None) -> str:
    """Text of an outcome for a prompt: the verdict, the reason, tests passed, and facts of compiler and profiler.

    `files`: texts that the reader may change; facts quote them, and those about other files are left out.
    """
    lines = [result(outcome) + (":" if outcome.reason and outcome.status is not Status.OK else ".")]
    if outcome.reason:
        lines.append(outcome.reason)
    if outcome.verification and outcome.status is not Status.OK:
        lines.append(f"{outcome.verification.passed} of {outcome.verification.total} tests passed before that.")
    if outcome.measurement and outcome.status is Status.OK:
        lines += _times(outcome.measurement)
    lines += facts_in_words(outcome.facts, files)
    return "\n".join(lines)


def result(outcome: Outcome) -> str:
    """The verdict as one clause: correct or what failed, and the estimated speed with its interval."""
    m = outcome.measurement
    if outcome.status is not Status.OK:
        return FAILED[outcome.status]
    if m is None:
        return "It is correct"
    known = {Verdict.FASTER: "faster", Verdict.SLOWER: "slower"}.get(m.verdict, "no measurable difference")
    return f"It is correct, {speed(m)}: {known}"


def speed(m: Measurement) -> str:
    """The speed as an estimate with its interval."""
    counted = m.clock == "instructions"
    if counted and m.ci_low == m.ci_high:
        return _counted(m.speedup)
    level = f"{100 * (1 - m.alpha):.3g}% interval"
    return f"about {times(m.speedup)} the original's speed ({level} {interval_in_words(m.ci_low, m.ci_high)})"


def _counted(ratio: float) -> str:
    """A ratio of exact counts; of the original's to the program's."""
    if ratio > 1:
        return f"{times(ratio)} fewer instructions than the original"
    many = f"{times(1 / ratio)} " if ratio < 1 else ""
    return f"{many}as many instructions as the original"


def _times(m: Measurement) -> list[str]:
    """Milliseconds and rates of a correct program."""
    parts = []
    if m.seconds_candidate and m.seconds_baseline and m.clock in ("cpu", "wall"):
        parts.append(
            f"takes about {duration(m.seconds_candidate)} (the original beside it: {duration(m.seconds_baseline)})"
        )
    if m.gflops:
        parts.append(f"reaches {m.gflops:.4g} GFLOPS")
    if m.speedup_compiled:
        parts.append(f"is {times(m.speedup_compiled)} as fast as the original under torch.compile")
    return [f"A timed run {', '.join(parts)}."] if parts else []


def facts_in_words(facts: tuple[Fact, ...], files: Mapping[str, str] | None = None) -> list[str]:
    """Facts, what takes the time first, each with its place; of the compiler's remarks only those on hot loops."""
    told = ordered(facts, files)[:MOST_FACTS]
    return ["What the compiler and the profiler say:", *(_told(fact, files or {}) for fact in told)] if told else []


def ordered(facts: tuple[Fact, ...], files: Mapping[str, str] | None = None) -> list[Fact]:
    """Facts that help, the most telling first."""
    remarks = _of_hot_loops(facts)
    helpful = [
        fact
        for fact in facts
        if not _NOISE.search(fact.text)
        and (files is None or fact.file is None or fact.file in files)
        and (remarks is None or fact.kind not in _REMARKS or fact in remarks)
    ]
    return sorted(helpful, key=lambda fact: (_ORDER.index(fact.kind), -_weight(fact)))


def _weight(fact: Fact) -> float:
    """Key by which facts of a kind are ordered: shares of the time; counts and resources stay as they came."""
    return fact.value or 0.0 if fact.kind in ("hot_line", "hot_function") else 0.0


def _of_hot_loops(facts: tuple[Fact, ...]) -> list[Fact] | None:
    """The compiler's remark on the innermost loop around each hot line; None where nothing was profiled.

    Where a profile has no hot lines, the time goes to libraries, and remarks on the program's own loops say nothing.
    """
    if not any(fact.kind in ("hot_line", "hot_function") for fact in facts):
        return None
    lines = [fact for fact in facts if fact.kind == "hot_line"]
    found = []
    for hot in lines:
        around = [
            fact
            for fact in facts
            if fact.kind in _REMARKS and fact.file == hot.file and 0 <= (hot.line or 0) - (fact.line or 0) <= NEAR
        ]
        if around and (hot.value or 0.0) >= HOT:
            found.append(max(around, key=lambda fact: fact.line or 0))
    return found


def _told(fact: Fact, files: Mapping[str, str]) -> str:
    place = f"{fact.file}:{fact.line}: " if fact.file else ""
    lines = files.get(fact.file or "", "").splitlines()
    quoted = lines[fact.line - 1].strip()[:LONGEST_LINE] if fact.line and 0 < fact.line <= len(lines) else ""
    return f"- {place}{fact.kind.replace('_', ' ')}: {_NOTHING.sub('', fact.text)}" + (
        f": `{quoted}`" if quoted else ""
    )

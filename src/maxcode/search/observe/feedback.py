"""An outcome in words: what happened, how it differs from what was wanted, and where the time goes."""

from __future__ import annotations

from maxcode.core import Fact, Outcome, Status, Verdict

MOST_FACTS = 16


def feedback(outcome: Outcome) -> str:
    """Text of an outcome for a prompt: the verdict, the reason, tests passed, and facts of compiler and profiler."""
    lines = [_verdict(outcome)]
    if outcome.reason:
        lines.append(outcome.reason)
    if outcome.verification and outcome.status is not Status.OK:
        lines.append(f"{outcome.verification.passed} of {outcome.verification.total} tests passed before that.")
    lines += facts_in_words(outcome.facts)
    return "\n".join(lines)


def _verdict(outcome: Outcome) -> str:
    m = outcome.measurement
    if outcome.status is not Status.OK:
        words = {
            Status.REJECTED: "It was rejected by the rules of the task:",
            Status.BUILD_ERROR: "It does not compile:",
            Status.TIMEOUT: "It ran out of time:",
            Status.CRASHED: "It crashed:",
            Status.WRONG: "It gives wrong results:",
        }
        return words[outcome.status]
    if m is None:
        return "It is correct."
    interval = f"{m.speedup:.3g}x the baseline's speed ({m.ci_low:.3g} to {m.ci_high:.3g})"
    rate = f", {m.gflops:.4g} GFLOPS" if m.gflops else ""
    known = {Verdict.FASTER: "faster", Verdict.SLOWER: "slower"}.get(m.verdict, "no measurable difference")
    return f"It is correct. {interval}: {known}{rate}."


def facts_in_words(facts: tuple[Fact, ...]) -> list[str]:
    if not facts:
        return []
    found = ["What the compiler and the profiler say:"]
    for fact in facts[:MOST_FACTS]:
        place = f"{fact.file}:{fact.line}: " if fact.file else ""
        found.append(f"- {place}{fact.kind.replace('_', ' ')}: {fact.text}")
    return found

"""One answer, before and after it is judged: the program in it, and what its outcome earns."""

from __future__ import annotations

from maxcode.core import Candidate, EvaluatorError, Frozen, Outcome
from maxcode.policy.extract import extract
from maxcode.train.masks import violations
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.scale import LADDER, Tier, success_reward, tier_of
from maxcode.train.techniques import Technique, techniques_of

LONGEST_ANSWER = 100_000
"""Most characters of an answer that is read: no kernel needs as many."""


class Rewarded(Frozen):
    """Reward of an answer, with its reason."""

    reward: float
    tier: Tier
    gflops: float | None = None
    speedup: float | None = None
    """Speedup over the naive baseline under the same mask, measured in pairs; the reward rests on it."""
    techniques: frozenset[Technique] = frozenset()
    """Techniques that the program uses, whether permitted or not."""
    reason: str = ""
    seconds: float = 0.0
    """Seconds that judging it took."""
    cached: bool = False
    candidate: str | None = None
    """The program's text; None where the answer has none."""


def read_answer(problem: MaskedTask, answer: str) -> Candidate | Rewarded:
    """The program in an answer; or its reward, if it has no program or one that breaks the mask."""
    if len(answer) > LONGEST_ANSWER:
        return _failure("format", f"the answer has {len(answer)} characters, more than {LONGEST_ANSWER}")
    task = problem.task
    read = extract(answer, task.baseline_candidate.files, task.main_file)
    if read.files is None:
        return _failure("format", read.problem or "")
    candidate = Candidate(files=read.files, origin="rl")
    source = _source(problem, candidate)
    broken = violations(source, problem.mask, _entry(problem))
    if not broken:
        return candidate
    return _failure("rule", "; ".join(broken)).model_copy(
        update={"candidate": source, "techniques": techniques_of(source, _entry(problem))}
    )


def rewarded(problem: MaskedTask, candidate: Candidate, outcome: Outcome, ceiling: float) -> Rewarded:
    """Reward of an outcome, with its reason."""
    tier = tier_of(outcome.status)
    source, m = _source(problem, candidate), outcome.measurement
    if tier == "ok" and m is None:
        raise EvaluatorError(f"{problem.name}: the outcome is ok but has no measurement; rewards need one")
    reward = success_reward(m.speedup, ceiling) if tier == "ok" and m else LADDER[tier]
    return Rewarded(
        reward=reward,
        tier=tier,
        gflops=m.gflops if m else None,
        speedup=m.speedup if m else None,
        techniques=techniques_of(source, _entry(problem)),
        reason=outcome.reason or "",
        seconds=outcome.seconds,
        cached=outcome.cached,
        candidate=source,
    )


def _failure(tier: Tier, reason: str) -> Rewarded:
    return Rewarded(reward=LADDER[tier], tier=tier, reason=reason)


def _source(problem: MaskedTask, candidate: Candidate) -> str:
    """Text that the model wrote: the files it may change."""
    names = problem.task.editable or problem.task.files
    return "\n".join(candidate.files[name] for name in names)


def _entry(problem: MaskedTask) -> str | None:
    called = problem.task.kind.entry(problem.task)
    return called.function if called else None

"""What a training step is reported as: one record per step, in the journal, for curves and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from pydantic import Field

from maxcode.core import Frozen
from maxcode.train.grpo.steps import Step
from maxcode.train.reward_answer import Rewarded

KIND = "rl.step"
"""Of the journal's events with a `StepRecord` each."""


class StepRecord(Frozen):
    """Figures of one step. None where there is nothing to say: no success has no GFLOPS."""

    step: int
    samples: int
    """Answers so far, this step's among them."""
    reward: float
    reward_best: float
    success: float
    """Share of the answers that are correct and keep to their mask."""
    gflops: float | None = None
    """Mean over the successes of this step."""
    gflops_best: float | None = None
    """The best of this step."""
    tiers: dict[str, int] = Field(default_factory=dict)
    problems: tuple[str, ...] = ()
    groups_dropped: int = 0
    """Groups whose rewards were all alike: they moved nothing."""
    unmeasured: int = 0
    """Answers without a reward: no machine could say."""
    cached: float = 0.0
    """Share of the answers for which nothing was run: known before, by this step's others too, or no program."""
    coverage: float | None = None
    qd_score: float | None = None
    loss: float | None = None
    kl: float | None = None
    entropy: float | None = None
    grad_norm: float | None = None
    seconds: float = 0.0
    generating: float = 0.0
    waiting: float = 0.0
    idle: float = 0.0
    """Share of the step in which the model's processor waited for rewards."""
    per_core: float | None = None
    """Rewards per second and benchmark core, of programs that had to be measured."""
    per_busy_core: float | None = None
    """The same over the seconds in which a core was busy, of the whole run: what one core can do."""


def step_record(step: Step, number: int, samples: int) -> StepRecord:
    """The figures that are known when the rewards are; the others come with the update."""
    known = [each for each in step.rewarded if each is not None]
    speeds = [each.gflops for each in known if each.tier == "ok" and each.gflops is not None]
    rewards = [each.reward for each in known] or [0.0]
    return StepRecord(
        step=number,
        samples=samples,
        reward=fmean(rewards),
        reward_best=max(rewards),
        success=share(known, len(step.rewarded)),
        gflops=fmean(speeds) if speeds else None,
        gflops_best=max(speeds, default=None),
        tiers=dict(Counter(each.tier for each in known)),
        problems=tuple(dict.fromkeys(row.problem.name for row in step.rows)),
        groups_dropped=dropped(step),
        unmeasured=len(step.rewarded) - len(known),
        generating=step.times.generating,
        waiting=step.times.waiting,
    )


def share(known: Sequence[Rewarded], of: int) -> float:
    return sum(each.tier == "ok" for each in known) / of if of else 0.0


def dropped(step: Step) -> int:
    """Groups without a single answer that counts."""
    size = step.group
    starts = range(0, len(step.kept), size)
    return sum(not any(step.kept[start : start + size]) for start in starts)

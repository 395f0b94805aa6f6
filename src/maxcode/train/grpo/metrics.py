"""Record of a training step in the journal, for curves and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from pydantic import Field

from maxcode.core import Frozen
from maxcode.train.grpo.steps import RewardedStep
from maxcode.train.reward.answer import Rewarded

KIND = "rl.step"
"""Kind of the journal's events that hold a `StepRecord`."""


class StepRecord(Frozen):
    """Figures of one step; None where there is no such figure, as GFLOPS without a success."""

    step: int
    samples: int
    """Answers so far, this step's among them."""
    reward: float
    reward_best: float
    success: float
    """Share of the answers that are correct and keep to their mask."""
    gflops: float | None = None
    """Mean GFLOPS over the successes of this step."""
    gflops_best: float | None = None
    """Highest GFLOPS of this step."""
    tiers: dict[str, int] = Field(default_factory=dict)
    problems: tuple[str, ...] = ()
    groups_dropped: int = 0
    """Groups whose rewards were all equal; they do not change the model."""
    unmeasured: int = 0
    """Answers without a reward, because they could not be measured."""
    cached: float = 0.0
    """Share of the answers for which nothing was run: the program was known, also from this step, or there was none."""
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
    """Measured programs per second and benchmark core, in this step."""
    per_busy_core: float | None = None
    """Measured programs per second in which a core was busy, over the whole run."""


def step_record(step: RewardedStep, number: int, samples: int) -> StepRecord:
    """Record with the figures that are known with the rewards; `updated` adds the others."""
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


def dropped(step: RewardedStep) -> int:
    """Number of groups of which no answer counts."""
    size = step.group
    starts = range(0, len(step.kept), size)
    return sum(not any(step.kept[start : start + size]) for start in starts)

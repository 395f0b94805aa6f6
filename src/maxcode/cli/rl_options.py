"""Options that the commands of `maxcode rl` share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.train.grpo.config import GrpoConfig

MODEL, PROBLEMS, UPDATE, MACHINES = "Model", "Problems", "Update", "Machines"
TASKS = (
    "hpc:dgemm (its shapes for training), hpc:dgemm:held-out, hpc:dgemm:m=96,n=96,k=96, hpc:training, hpc:held-out, "
    "or folders of kernel tasks; several times for several."
)
OF_PRESET = "the preset's"
ActionsName = Literal["programs", "named"]
Seed = Annotated[int, typer.Option(min=0, help="Same seed and same rewards, same model.")]


@dataclass(frozen=True)
class SequenceOptions:
    """Sequences of named actions."""

    turns: Annotated[int | None, CommandOption(least=1, panel=MODEL, default=OF_PRESET)] = None
    """Named actions: the longest sequence."""
    variants: Annotated[int | None, CommandOption(least=1, panel=MODEL, default=OF_PRESET)] = None
    """Named actions: settings of one transformation to choose from."""


@dataclass(frozen=True)
class ModelOptions:
    """The model that is trained."""

    preset: Annotated[str, CommandOption(panel=MODEL)] = "smollm2-135m"
    """qwen2.5-coder-14b (paper scale), smollm2-135m or tiny (tests)."""
    base: Annotated[str | None, CommandOption(panel=MODEL, default=OF_PRESET)] = None
    """Another model: Hugging Face id, folder, checkpoint of a warm start."""
    actions: Annotated[ActionsName, CommandOption(panel=MODEL)] = "programs"
    """What the model answers: whole programs, or names of the rewriter's transformations."""
    sequences: SequenceOptions = SequenceOptions()


@dataclass(frozen=True)
class ProblemOptions:
    """What a model is trained on."""

    tasks: Annotated[
        list[str] | None, CommandOption(metavar="TASK", panel=PROBLEMS, default="hpc:dgemm", help=TASKS)
    ] = None
    curriculum: Annotated[Literal["none", "staged", "sqd"], CommandOption(panel=PROBLEMS)] = "sqd"
    """Permitted techniques: all from the start; one order of masks for all; or masks for each kernel by its progress,
    with replay (Staged Quality-Diversity)."""
    elites: Annotated[int | None, CommandOption(least=0, panel=PROBLEMS, default="the preset's for sqd, else 0")] = None
    """Programs of the archive in half of the prompts; with named actions, their techniques."""
    masks: Annotated[bool, CommandOption(panel=PROBLEMS)] = True
    """Also under the masks of the curriculum's stages."""
    cpus: Annotated[int, CommandOption(least=1, panel=PROBLEMS)] = 1
    """Cores of each task; more than one permits threads."""


@dataclass(frozen=True)
class UpdateOptions:
    """How the model is updated: what is not given is as in the preset."""

    steps: Annotated[int | None, CommandOption(least=1, panel=UPDATE, default=OF_PRESET)] = None
    """Updates."""
    group: Annotated[int | None, CommandOption(least=2, panel=UPDATE, default=OF_PRESET)] = None
    """Answers to one problem, compared with each other."""
    prompts: Annotated[int | None, CommandOption(least=1, panel=UPDATE, default=OF_PRESET)] = None
    """Problems per step."""
    micro_batch: Annotated[int | None, CommandOption(least=1, panel=UPDATE, default=OF_PRESET)] = None
    """Answers per pass through the model: fewer need less memory."""
    learning_rate: Annotated[float | None, CommandOption(panel=UPDATE, default=OF_PRESET)] = None
    """Learning rate of AdamW."""
    beta: Annotated[float | None, CommandOption(least=0.0, panel=UPDATE, default=OF_PRESET)] = None
    """Weight of the KL divergence from the start."""
    entropy: Annotated[float | None, CommandOption(least=0.0, panel=UPDATE, default=OF_PRESET)] = None
    """Weight of the choices' entropy, against answering all alike."""
    entropy_target: Annotated[float | None, CommandOption(least=0.0, panel=UPDATE, default=OF_PRESET)] = None
    """Entropy in nats below which that weight grows, above which it shrinks."""
    epsilon: Annotated[float | None, CommandOption(panel=UPDATE, default=OF_PRESET)] = None
    """Clipping range of the probability ratio."""
    advantage: Annotated[
        Literal["group", "leave-one-out", "best"] | None, CommandOption(panel=UPDATE, default=OF_PRESET)
    ] = None
    """Over the group's mean and deviation, over the mean of the others, or gain to the best of some."""
    best_of: Annotated[int | None, CommandOption(least=2, panel=UPDATE, default=OF_PRESET)] = None
    """Advantage best: of how many answers."""
    temperature: Annotated[float | None, CommandOption(panel=UPDATE, default=OF_PRESET)] = None
    """Temperature of sampling."""
    max_tokens: Annotated[int | None, CommandOption(least=1, panel=UPDATE, default=OF_PRESET)] = None
    """Most tokens of one answer."""
    save_every: Annotated[int | None, CommandOption(least=1, panel=UPDATE, default=OF_PRESET)] = None
    """Steps between checkpoints."""


@dataclass(frozen=True)
class RewardOptions:
    """Machines that time programs, and the baseline of rewards."""

    bench_cpus: Annotated[int | None, CommandOption(least=1, panel=MACHINES, default="all")] = None
    """Cores of this machine that time programs; the model keeps off them."""
    ceiling: Annotated[
        float | None, CommandOption(least=1.0, panel=MACHINES, default="the machine's roofline, measured")
    ] = None
    """Rewards reach 100 at so many times the baseline's speed."""


def config_for(model: ModelOptions, **changes: Any) -> GrpoConfig:
    """Settings of a training: those of the model's preset, with the changes that are not None."""
    from maxcode.train.grpo.config import Actions, preset

    return preset(model.preset, Actions(model.actions), base=model.base, **vars(model.sequences), **changes)

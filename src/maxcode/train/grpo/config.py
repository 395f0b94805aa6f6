"""Settings of a training run, kept in the journal and in every checkpoint; and presets by model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from maxcode.core import Frozen, InputError
from maxcode.system.home import write_atomically

RECORD = "maxcode.json"
"""The record's file in a checkpoint, by which `--policy hf:FOLDER` knows how the model is asked."""
BEST_OF = 4


class Actions(StrEnum):
    PROGRAMS = "programs"
    """The model writes whole programs."""
    NAMED = "named"
    """The model names transformations, one after another, and the rewriter carries them out."""


class Advantage(StrEnum):
    GROUP = "group"
    """(R - mean) / (std + eps) over the group, as in the paper."""
    LEAVE_ONE_OUT = "leave-one-out"
    """R minus the mean of the others: no sample is part of its own baseline (Dr. Kernel, arXiv 2602.05885)."""
    BEST = "best"
    """What the answer adds to the best of `best_of` answers: a search asks often and keeps the best."""


class Lora(Frozen):
    rank: int = Field(default=16, ge=1)
    alpha: int = Field(default=32, ge=1)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    modules: str = "all-linear"


class GrpoConfig(Frozen):
    """Everything that decides a run besides its tasks and its curriculum."""

    base: str
    actions: Actions = Actions.PROGRAMS
    steps: int = Field(default=100, ge=1)
    group: int = Field(default=8, ge=2)
    """Answers to one problem, compared with each other and with no others."""
    prompts: int = Field(default=1, ge=1)
    """Problems per step."""
    micro_batch: int | None = Field(default=None, ge=1)
    """Answers per pass through the model, on each GPU; all of a step when absent."""
    learning_rate: float = Field(default=1e-5, gt=0)
    beta: float = Field(default=0.04, ge=0)
    """Weight of the KL divergence from the model that training began with."""
    epsilon: float = Field(default=0.2, gt=0, lt=1)
    """The ratio of new to old probability is clipped to 1 - epsilon .. 1 + epsilon."""
    entropy: float = Field(default=0.0, ge=0)
    """Weight of the entropy of the choices in the loss: keeps a group from answering all alike."""
    entropy_target: float | None = Field(default=None, ge=0)
    """Entropy, in nats, below which that weight grows with every step, and above which it shrinks and does nothing."""
    iterations: int = Field(default=1, ge=1)
    """Updates from the same answers."""
    advantage: Advantage = Advantage.GROUP
    best_of: int = Field(default=BEST_OF, ge=2)
    """Number of answers whose best counts; for the advantage `best`."""
    temperature: float = Field(default=1.0, ge=0)
    """Temperature of sampling. 0 takes the likeliest answer, and is refused for training."""
    max_tokens: int = Field(default=1024, ge=1)
    lora: Lora | None = Lora()
    """LoRA adapters to train; None trains all weights."""
    vllm: bool = False
    """Answers by vLLM in the training processes; needs GPUs."""
    show_program: bool = True
    """Whether the prompt has the baseline's text."""
    elites: int = Field(default=0, ge=0)
    """Programs of the archive to show in half of the prompts, from different speed buckets; with named actions, their
    techniques."""
    turns: int = Field(default=3, ge=1)
    """Named actions: the longest sequence."""
    variants: int = Field(default=1, ge=1)
    """Named actions: settings of one transformation to choose from, the likeliest first."""
    save_every: int = Field(default=10, ge=1)
    seed: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.vllm and self.actions is Actions.NAMED:
            raise ValueError("named actions are chosen under a grammar by our own sampler; switch vllm off")
        if self.lora is None and self.beta > 0 and self.base == "tiny":
            raise ValueError("base 'tiny' has no weights to read a reference from; use lora, or beta = 0")
        if self.advantage is Advantage.BEST and self.best_of > self.group:
            raise ValueError(f"best_of {self.best_of} cannot be more than the group's {self.group} answers")
        if self.micro_batch is not None and (self.group * self.prompts) % self.micro_batch:
            raise ValueError(f"micro_batch {self.micro_batch} must divide the {self.group * self.prompts} answers")
        return self

    @property
    def explores(self) -> bool:
        """Whether the loss has an entropy term, which keeps answers different."""
        return self.entropy > 0 or self.entropy_target is not None

    @property
    def samples(self) -> int:
        """Answers per step."""
        return self.group * self.prompts


_SMALL = {"base": "smollm2-135m", "show_program": False, "lora": Lora(rank=16, alpha=32), "elites": 2}
PRESETS: dict[str, dict[str, Any]] = {
    # The paper's model and problem; vLLM generates in the training processes, accelerate spreads them over the GPUs.
    # The paper's hyperparameters are not published: these are common ones for models of this size.
    "qwen2.5-coder-14b": {
        "base": "Qwen/Qwen2.5-Coder-14B-Instruct",
        "steps": 300,
        "group": 16,
        "prompts": 16,
        "micro_batch": 2,
        "learning_rate": 1e-6,
        "beta": 0.01,
        "max_tokens": 4096,
        "lora": Lora(rank=64, alpha=128),
        "vllm": True,
        "elites": 2,
        "save_every": 20,
    },
    "smollm2-135m": {
        **_SMALL,
        "steps": 12,
        "group": 16,
        "prompts": 4,
        "learning_rate": 1e-4,
        "beta": 0.02,
        "max_tokens": 480,
        "save_every": 6,
    },
    "smollm2-135m-named": {  # in place of the one above, with named actions
        **_SMALL,
        "actions": Actions.NAMED,
        "show_program": True,
        "steps": 32,
        "group": 8,
        "learning_rate": 2e-4,
        "beta": 0.0,
        "entropy": 0.05,
        "entropy_target": 0.6,
        "save_every": 10,
    },
    "tiny": {"base": "tiny", "steps": 4, "group": 4, "max_tokens": 48, "learning_rate": 1e-2, "beta": 0.01},
}
"""Presets by name; any field can be given besides."""


def preset(name: str, actions: Actions, **given: Any) -> GrpoConfig:
    """A preset with the given fields replaced. InputError for an unknown name, or fields that do not fit together."""
    named = f"{name}-{actions}"
    plain = [each for each in PRESETS if not each.endswith(f"-{Actions.NAMED}")]
    if name not in plain:
        raise InputError(f"--preset {name}: not known; use one of: {', '.join(sorted(plain))}.")
    fields = {**PRESETS[named if named in PRESETS else name], "actions": actions}
    return read_config({**fields, **{name: value for name, value in given.items() if value is not None}})


def read_config(fields: dict[str, Any], where: str = "rl train") -> GrpoConfig:
    try:
        return GrpoConfig.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{where}: {f'{field}: ' if field else ''}{message}.") from None


def keep_config(folder: Path, config: GrpoConfig) -> None:
    write_atomically(folder / RECORD, config.model_dump_json(indent=2).encode() + b"\n")


def config_of(folder: Path) -> GrpoConfig | None:
    """How a checkpoint was trained; None where it is a model from elsewhere."""
    file = folder / RECORD
    if not file.is_file():
        return None
    import json

    try:
        return read_config(json.loads(file.read_text()), str(file))
    except json.JSONDecodeError as error:
        raise InputError(f"{file}: is not JSON ({error}); take it away to use the model as any other.") from None

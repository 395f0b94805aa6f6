"""Settings for training a generative value model: the paper's defaults, and presets by base model."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from maxcode.core import Frozen, InputError

PRESETS = Path(__file__).parent / "presets"


class Training(Frozen):
    """Everything that a trained model depends on besides its data."""

    base: str
    """Base model, as `--base` names it: see maxcode.train.base."""
    rank: int = Field(default=8, ge=1)
    alpha: int = Field(default=16, ge=1)
    """LoRA's scale is alpha over rank."""
    learning_rate: float = Field(default=2e-4, gt=0)
    warmup: float = Field(default=0.05, ge=0, lt=1)
    """Share of the steps in which the rate rises; afterwards it falls to zero."""
    epochs: int = Field(default=1, ge=1)
    batch: int = Field(default=8, ge=1)
    """Rows per step of AdamW."""
    rows_at_once: int | None = Field(default=None, ge=1)
    """Rows per pass where a whole batch does not fit into memory; None: the batch on a GPU, two on a CPU."""
    max_tokens: int = Field(default=2048, ge=64)
    """Tokens of a prompt; longer ones lose their beginning."""
    max_rows: int | None = Field(default=None, ge=8)
    """Most rows for each of the two models, chosen at random; None: all."""
    checkpointing: bool = False
    """Gradient checkpointing: less memory, a third more time."""
    samples: int | None = Field(default=None, ge=1)
    """Number of sampled answers whose mean is the score; None: the expected class is the score."""
    temperature: float = Field(default=0.7, gt=0)
    """Temperature of those samples; the paper's value."""
    seed: int = 0


def training_for(base: str, **changes: Any) -> Training:
    """The preset of this name, or any base with the defaults; both with the changes that are not None."""
    file = PRESETS / f"{base}.toml"
    known: dict[str, Any] = tomllib.loads(file.read_text()) if "/" not in base and file.is_file() else {"base": base}
    given = {name: value for name, value in changes.items() if value is not None}
    try:
        return Training.model_validate(known | given)
    except ValidationError as error:
        problem = error.errors()[0]
        raise InputError(f"--{'.'.join(map(str, problem['loc'])).replace('_', '-')}: {problem['msg']}.") from None

"""Packages that training needs, and models prepared for it."""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Sequence
from typing import Any

from maxcode.core import InputError
from maxcode.train.grpo.config import GrpoConfig

PACKAGES = ("torch", "transformers", "peft")


def require_training(what: str, packages: Sequence[str] = PACKAGES) -> None:
    """Checks that the packages are installed. InputError names a missing one and how to install it."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(f"{what}: needs {', '.join(missing)}: pip install 'maxcode[rl]'.")


def require_grpo() -> None:
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # we know that rollout functions are new in TRL
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    logging.getLogger("trl").setLevel(logging.ERROR)  # it prints whole programs where there is no reward
    require_training("rl train", (*PACKAGES, "trl", "datasets", "accelerate"))


def is_main_process() -> bool:
    """Whether this is the first process that accelerate or torchrun started, or the only one. Imports neither."""
    return int(os.environ.get("WORLD_SIZE", "1")) <= 1 or os.environ.get("RANK", "0") == "0"


def trainable_base(config: GrpoConfig, device: str | None = None) -> tuple[Any, Any]:
    """Model and tokenizer to train. Where the base is an adapter, its own weights are trained on."""
    from maxcode.train.base import load_base

    return load_base(config.base, device=device, trainable=True)


def with_lora(model: Any, config: GrpoConfig) -> Any:
    """The model with new adapters, if the settings ask for them and it has none."""
    from peft import LoraConfig, get_peft_model

    if config.lora is None or hasattr(model, "peft_config"):
        return model
    return get_peft_model(model, lora_config(config, LoraConfig))


def lora_config(config: GrpoConfig, kind: Any) -> Any:
    assert config.lora is not None
    return kind(
        r=config.lora.rank,
        lora_alpha=config.lora.alpha,
        lora_dropout=config.lora.dropout,
        target_modules=config.lora.modules,
        task_type="CAUSAL_LM",
    )

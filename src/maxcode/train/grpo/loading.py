"""What training needs, and models ready for it."""

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
    """InputError where a package is missing, with the way to get it."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(f"{what}: needs {', '.join(missing)}: pip install 'maxcode[rl]'.")


def require_grpo() -> None:
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # we know that rollout functions are new in TRL
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    logging.getLogger("trl").setLevel(logging.ERROR)  # it prints whole programs where there is no reward
    require_training("rl train", (*PACKAGES, "trl", "datasets", "accelerate"))


def is_main_process() -> bool:
    """Of those that accelerate or torchrun started, or of the one that there is; says so without importing either."""
    return int(os.environ.get("WORLD_SIZE", "1")) <= 1 or os.environ.get("RANK", "0") == "0"


def trainable_base(config: GrpoConfig, device: str | None = None) -> tuple[Any, Any]:
    """The model to train on: an adapter's own weights where the base is one."""
    from maxcode.train.base import load_base

    return load_base(config.base, device=device, trainable=True)


def with_lora(model: Any, config: GrpoConfig) -> Any:
    """The model with fresh adapters, where it is to have some and has none."""
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

"""What the rewriter must know about a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from maxcode.kinds.torch.table import Torch
from maxcode.task.model import Task


@dataclass(frozen=True)
class TorchSetting:
    """What a torch task says."""

    device: Literal["cuda", "cpu"] = "cpu"
    kernel_required: bool = False
    """Whether a candidate must bring a kernel of its own."""
    problem: str = ""
    """The original, whose `get_inputs` tells the shapes; empty where the program itself has it."""
    families: tuple[str, ...] = ("torch",)
    """Transformations of other programs know nothing of tensors."""


def setting(task: Task) -> TorchSetting:
    given = task.table(Torch)
    on_gpu = given.device == "cuda" or (given.device == "auto" and Path("/dev/nvidiactl").exists())
    return TorchSetting(
        device="cuda" if on_gpu else "cpu",
        kernel_required=given.rule == "custom-kernel-required",
        problem=task.baseline_candidate.files[task.main_file],
    )

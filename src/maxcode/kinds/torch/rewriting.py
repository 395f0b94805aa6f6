"""Settings of a torch task for the rewriter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from maxcode.kinds.torch.table import Torch
from maxcode.task.model import Task


@dataclass(frozen=True)
class TorchSetting:
    """Settings of a torch task that transformations depend on."""

    device: Literal["cuda", "cpu"] = "cpu"
    kernel_required: bool = False
    """True if a candidate must bring a kernel of its own."""
    problem: str = ""
    """Text of the original, whose `get_inputs` tells the shapes; empty where the program itself has it."""
    families: tuple[str, ...] = ("torch",)
    """Families of transformations that apply; those for other programs know nothing of tensors."""


def setting(task: Task) -> TorchSetting:
    given = task.table(Torch)
    on_gpu = given.device == "cuda" or (given.device == "auto" and Path("/dev/nvidiactl").exists())
    return TorchSetting(
        device="cuda" if on_gpu else "cpu",
        kernel_required=given.rule == "custom-kernel-required",
        problem=task.baseline_candidate.files[task.main_file],
    )

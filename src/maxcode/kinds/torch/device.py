"""Device that a model runs on, found without importing torch."""

from __future__ import annotations

from maxcode.core import InputError
from maxcode.evaluate.gpu import Device, gpus, torch_version, which_gpu
from maxcode.kinds.torch.table import Torch
from maxcode.task.kind import NodeKind
from maxcode.task.model import Task


def device_of(task: Task) -> Device:
    wanted = task.table(Torch).device
    if wanted == "auto":
        return "cuda" if gpus() and not (torch_version() or "").endswith("+cpu") else "cpu"
    if wanted == "cuda" and not gpus():
        raise InputError(f'{task.folder}: torch.device is "cuda", but nvidia-smi shows no GPU here. Use "auto".')
    return wanted


def device_class(task: Task) -> str:
    """Device, GPUs and version of torch, on which an outcome depends besides the processor."""
    return f"{device_of(task)} {which_gpu()} of {gpus()} torch {torch_version()}"


def nodes(task: Task) -> tuple[NodeKind, ...]:
    """Nodes of a cluster that have the device, the best first."""
    devices: dict[str, tuple[NodeKind, ...]] = {"cpu": ("cpu",), "cuda": ("gpu",), "auto": ("gpu", "cpu")}
    return devices[task.table(Torch).device]

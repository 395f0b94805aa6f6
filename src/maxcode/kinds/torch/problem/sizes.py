"""A model at sizes that no search saw."""

from __future__ import annotations

from maxcode.kinds.torch.device import device_of
from maxcode.kinds.torch.problem.problem import scaled, with_constants
from maxcode.kinds.torch.table import Torch
from maxcode.task.model import Task
from maxcode.task.ordinary import TaskVariant

FACTORS = (0.25, 4.0)
"""Multiples of the elements of all inputs."""


def sizes(task: Task) -> list[TaskVariant]:
    settings, on_cpu = task.table(Torch), device_of(task) == "cpu"
    usual = settings.constants | (settings.constants_cpu if on_cpu else {})
    text = with_constants(task.read(task.main_file), usual)
    changes = [scaled(text, factor) for factor in FACTORS]
    field = "constants_cpu" if on_cpu else "constants"
    return [TaskVariant.at([change], {"torch": {field: usual | change}}) for change in changes if change]

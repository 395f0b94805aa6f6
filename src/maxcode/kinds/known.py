"""All kinds of tasks by name: ours, and those that installed packages add by the entry point `maxcode.kinds`."""

from __future__ import annotations

from maxcode.kinds.command import kind as command
from maxcode.kinds.function import kind as function
from maxcode.kinds.kernel import kind as kernel
from maxcode.kinds.program import kind as program
from maxcode.kinds.torch import kind as torch
from maxcode.plugins import table
from maxcode.task.kind import Kind

OURS: dict[str, Kind] = {each.KIND.name: each.KIND for each in (program, kernel, torch, command, function)}
KINDS = table("maxcode.kinds", OURS, Kind)

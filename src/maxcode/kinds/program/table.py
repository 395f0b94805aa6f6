"""What task.toml must say about a program; it has no table of its own."""

from __future__ import annotations

from maxcode.core import Language
from maxcode.task.model import Task


def check_settings(task: Task) -> None:
    if task.language is Language.OTHER:
        raise ValueError("a program is written in c, c++ or python")
    if task.language is Language.PYTHON and len(task.files) > 1:
        raise ValueError("a Python program is one file; put its modules into it")
    if not task.workloads:
        raise ValueError("a program needs at least one [[workloads]] entry: what should be timed?")
    if not (task.tests.public or task.tests.hidden or task.tests.generated):
        raise ValueError("[tests] names no tests: give 'public', 'hidden' or [[tests.generated]]")
    if task.objective.metric == "gflops":
        raise ValueError('objective.metric = "gflops" needs kernel.flops, the operations of one call')

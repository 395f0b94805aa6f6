"""Tasks: a folder with a `task.toml` that says what to optimise and how to know that it still works."""

from maxcode.task.load import load_task
from maxcode.task.model import Task

__all__ = ["Task", "load_task"]

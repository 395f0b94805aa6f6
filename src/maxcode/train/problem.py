"""What a model is trained on: a kernel at its shapes, and the techniques it may use there.

A group of answers that are compared with each other always answers one problem, never two that differ in their mask.
"""

from __future__ import annotations

from functools import cached_property

from maxcode.core import Frozen, content_hash
from maxcode.task.model import Task
from maxcode.train.masks import Mask, task_under


class MaskedTask(Frozen):
    """A task under a mask of permitted techniques. Two problems with the same id get the same rewards."""

    task: Task
    mask: Mask

    @cached_property
    def id(self) -> str:
        """Hash of what the verdict depends on: the task with all its files, and what is permitted."""
        return content_hash(self.task.hash, *sorted(self.mask.permitted))

    @property
    def name(self) -> str:
        return f"{self.task.name}/{self.mask.name}"

    @cached_property
    def judged(self) -> Task:
        """The task as the evaluator gets it: built with the flags that the mask implies."""
        # Afresh: what a task has computed of itself, such as its hash, is no setting of the changed one.
        fresh = Task.model_validate({name: getattr(self.task, name) for name in Task.model_fields})
        return task_under(fresh, self.mask)

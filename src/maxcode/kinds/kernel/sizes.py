"""A kernel against a winner, and at sizes that no search saw."""

from __future__ import annotations

from maxcode.core import Candidate
from maxcode.kinds.kernel.table import Kernel
from maxcode.task import ordinary
from maxcode.task.model import Task
from maxcode.task.ordinary import TaskVariant, scaled

FACTORS = (0.5, 1.5)


def against(task: Task, winner: Candidate) -> TaskVariant:
    """The task with a winner as its baseline. Results are still compared with those of the old baseline."""
    usual = ordinary.against(task, winner)
    if task.table(Kernel).reference is not None or len(task.files) != 1:
        return usual
    reference = f"reference-{task.main_file}"
    files = {**usual.files, reference: task.baseline_candidate.files[task.main_file]}
    return TaskVariant(usual.label, {"kernel": {"reference": reference}}, files)


def sizes(task: Task) -> list[TaskVariant]:
    timed = [dict(each) for each in task.table(Kernel).shapes.timed]
    others = [[{k: scaled(v, factor) for k, v in each.items()} for each in timed] for factor in FACTORS]
    return [TaskVariant.at(each, {"kernel": {"shapes": {"timed": each}}}) for each in others if each != timed]

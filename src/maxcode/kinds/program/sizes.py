"""A program on inputs of other sizes than those that a search saw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from maxcode.format import InputModel, corrected, infer, shortened
from maxcode.task.model import Task, Workload
from maxcode.task.ordinary import TaskVariant, scaled


def sizes(task: Task) -> list[TaskVariant]:
    """The task at other sizes; none where workloads are files that do not say how to cut them."""
    found = [_generated_sizes(task, factor) for factor in (0.5, 1.5)]
    found += [_shortened_files(task, share) for share in (0.5, 0.25)]
    return [variant for variant in found if variant is not None]


def _generated_sizes(task: Task, factor: float) -> TaskVariant | None:
    changed = [
        workload.model_copy(update={"arguments": others})
        for workload in task.workloads
        if workload.generator and (others := _scaled_texts(workload.arguments, factor)) != workload.arguments
    ]
    arguments = "; ".join(f"{workload.generator} {' '.join(workload.arguments)}" for workload in changed)
    return TaskVariant(f"with inputs of {arguments}", _workloads(changed)) if changed else None


def _shortened_files(task: Task, share: float) -> TaskVariant | None:
    files: dict[str, str] = {}
    changed = []
    for number, workload in enumerate(task.workloads):
        text = _text(task.folder / workload.input) if workload.input else None
        short = shortened(_format(task, text), share) if text is not None else None
        if short is not None:
            name = f"shortened-{number}.txt"
            files[name] = short
            changed.append(workload.model_copy(update={"input": name, "variants": None}))
    names = ", ".join(w.name for w in changed)
    return TaskVariant(f"with the first {share:.0%} of {names}", _workloads(changed), files) if changed else None


def _format(task: Task, text: str) -> InputModel:
    known = task.format
    return corrected(infer([text]), keep=known.keep, ordered=known.ordered, smallest=known.smallest)


def _workloads(changed: list[Workload]) -> dict[str, Any]:
    return {"workloads": [workload.model_dump(exclude_none=True) for workload in changed]}


def _text(path: Path) -> str | None:
    try:
        return path.read_text()
    except UnicodeDecodeError:
        return None


def _scaled_texts(texts: tuple[str, ...], factor: float) -> tuple[str, ...]:
    return tuple(str(scaled(int(text), factor)) if re.fullmatch(r"\d+", text) else text for text in texts)

"""A repository's task in words, for prompts."""

from __future__ import annotations

from maxcode.kinds.command.table import Command, in_words, language_by_suffix
from maxcode.task.model import Task


def words(task: Task) -> dict[str, str]:
    command = task.table(Command)
    return {
        "files_list": "\n".join(f"- {name} ({language_by_suffix(name).value})" for name in task.files),
        "build_command": in_words(command.build) if command.build else "nothing",
        "test_command": in_words(command.test),
        "bench_command": in_words(command.bench),
    }

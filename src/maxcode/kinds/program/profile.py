"""Profile of a program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from maxcode.core import Candidate, Fact, Language
from maxcode.evaluate.cases import Programs, opened_files
from maxcode.evaluate.profile.facts import facts_of_compiled, resources
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.view import Caps, View
from maxcode.task.model import Task


def profile_program(task: Task, candidate: Candidate, programs: Programs, input: Path) -> tuple[Fact, ...]:
    """Facts that this machine can tell about a program on one input."""
    how = programs.call(task, programs.builder.build(task, candidate), input)

    def run(command: list[str], view: View, caps: Caps, environment: dict[str, str]) -> Ended:
        """Runs a command that ends with the program, with the program's arguments and files."""
        seen = replace(view, read={**view.read, **opened_files(task, input)})
        whole = [*command, *how.arguments]
        return programs.sandbox.run(whole, seen, caps, stdin=how.stdin, environment=environment)

    if task.language is Language.PYTHON:
        view = programs.view(task.language, how.files)
        return resources(run(how.program, view, programs.caps(task), how.environment))
    return facts_of_compiled(task, candidate, programs.builder, programs.sandbox, programs.caps(task), run)

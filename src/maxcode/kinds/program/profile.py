"""Profile of a program."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Candidate, Fact, Language
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.profile.facts import facts_of_compiled, resources
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.view import Caps, View
from maxcode.task.model import Task


def profile_program(task: Task, candidate: Candidate, programs: Programs, stdin: Path) -> tuple[Fact, ...]:
    """Facts that this machine can tell about a program on one input."""

    def run(command: list[str], view: View, caps: Caps, environment: dict[str, str]) -> Ended:
        return programs.sandbox.run(command, view, caps, stdin=stdin, environment=environment)

    if task.language is Language.PYTHON:
        built = programs.builder.build(task, candidate)
        how = programs.builder.invocation(task.language, built)
        return resources(
            run(how.command, programs.view(task.language, how.files), programs.caps(task), how.environment)
        )
    return facts_of_compiled(task, candidate, programs.builder, programs.sandbox, programs.caps(task), run)

"""Whether a program uses values that were never set: valgrind's memcheck, on small inputs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.counting import valgrind_environment, valgrind_tool, valgrind_view
from maxcode.task.model import Task

FOUND = 99
"""Exit code with which memcheck reports what it found."""
SECONDS = 8.0


def has_memcheck() -> bool:
    return shutil.which("valgrind") is not None and valgrind_tool("memcheck") is not None


def memcheck(task: Task, programs: Programs, built: Built, stdin: Path) -> bool:
    """Whether it finds nothing; a run that it could not finish says nothing against the program."""
    tool = valgrind_tool("memcheck")
    assert tool is not None
    how = programs.builder.invocation(task.language, built)
    options = ["--vgdb=no", f"--error-exitcode={FOUND}", "--leak-check=no", "--undef-value-errors=yes", "-q"]
    caps = replace(programs.caps(task), seconds=SECONDS, memory_mb=4096, bound_address_space=False)
    command = [str(tool), "--tool=memcheck", *options, *how.command]
    environment = {**how.environment, **valgrind_environment()}
    ended = programs.sandbox.run(command, valgrind_view(how.files), caps, stdin=stdin, environment=environment)
    return ended.exit_code != FOUND

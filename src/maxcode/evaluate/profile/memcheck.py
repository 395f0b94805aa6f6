"""Finds uses of values that were never set: valgrind's memcheck, on small inputs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.toolchain import toolchain, tools_view
from maxcode.task.model import Task

FOUND = 99
"""Exit code with which memcheck reports what it found."""
SECONDS = 8.0


@cache
def memcheck_tool() -> Path | None:
    """Path of the tool itself, to be started directly: then the sandbox need not let programs start others."""
    folders = ("/usr/libexec/valgrind", "/usr/lib/valgrind", "/usr/lib/x86_64-linux-gnu/valgrind")
    tools = [tool for folder in folders for tool in sorted(Path(folder).glob("memcheck-*-linux"))]
    return tools[0] if tools and shutil.which("valgrind") else None


def memcheck(task: Task, programs: Programs, built: Built, input: Path) -> bool:
    """True if memcheck finds nothing. A run that it cannot finish says nothing against the program."""
    tool = memcheck_tool()
    if tool is None:
        return True
    how = programs.call(task, built, input)
    options = ["--vgdb=no", f"--error-exitcode={FOUND}", "--leak-check=no", "-q"]
    caps = replace(programs.caps(task), seconds=SECONDS, memory_mb=4096, bound_address_space=False)
    view = tools_view(toolchain())
    view = replace(view, read={**view.read, **how.files}, proc=True)
    environment = {
        **how.environment,
        "VALGRIND_LAUNCHER": str(shutil.which("valgrind")),
        "VALGRIND_LIB": str(tool.parent),
    }
    command = [str(tool), "--tool=memcheck", *options, *how.command]
    ended = programs.sandbox.run(command, view, caps, stdin=how.stdin, environment=environment)
    return ended.exit_code != FOUND

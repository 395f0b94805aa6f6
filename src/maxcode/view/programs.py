"""Tasks of programs that somebody hands to the page: a file that the browser sends, or one in a folder of the server's.

What is sent is written to a folder of its own, which is gone when the task is made; the task keeps what it needs. The
program runs in the sandbox, like every candidate.
"""

from __future__ import annotations

import re
import tempfile
from contextlib import nullcontext
from pathlib import Path

from pydantic import Field

from maxcode.authoring.opening import OpenedTask, open_task
from maxcode.core import Frozen, InputError
from maxcode.task.kind import NewOptions

MOST_TEXT = 16 * 1024 * 1024
OTHER = re.compile(r"[^\w.-]+")
"""What a name may hold in a browser and does not keep here."""


class SentFile(Frozen):
    """A text file that the browser sent."""

    name: str = Field(max_length=100)
    text: str = Field(max_length=MOST_TEXT)


class ProgramRequest(Frozen):
    """Request for a task of a program: each file is sent, or is a path in a folder that the server was given."""

    program: SentFile | str
    input: SentFile | str | None = None
    """Standard input that the program is timed on."""


def task_of_program(wanted: ProgramRequest, folders: list[Path]) -> OpenedTask:
    with tempfile.TemporaryDirectory(prefix="maxcode-sent-") as made:
        sent = Path(made)
        try:
            program = _placed(wanted.program, sent / "program", folders)
            inputs = () if wanted.input is None else (_placed(wanted.input, sent / "input", folders),)
            return open_task(program, NewOptions(inputs=inputs), lambda _: nullcontext())
        except InputError as error:  # names files as whoever sent them knows them
            raise InputError(re.sub(rf"{re.escape(made)}/\w+/", "", str(error))) from None


def _placed(file: SentFile | str, folder: Path, folders: list[Path]) -> Path:
    """Where a file lies: what was sent is written into `folder`."""
    if isinstance(file, str):
        return _known(file, folders)
    name = OTHER.sub("_", file.name.rpartition("/")[2]).lstrip(".-")
    if not name:
        raise InputError(f"{file.name!r}: is not the name of a file.")
    folder.mkdir()
    path = folder / name
    path.write_bytes(file.text.encode())
    return path


def _known(name: str, folders: list[Path]) -> Path:
    """A file by its path, which may not lead out of the folders: others may be asking than who owns the files."""
    found = [path for folder in folders if (path := (folder / name).resolve()).is_relative_to(folder)]
    for path in found:
        if path.is_file():
            return path
    if found:
        raise InputError(f"{name}: no such file.")
    raise InputError(
        f"{name}: not in a folder that the server was given; send the file, or start it with --tasks FOLDER."
    )

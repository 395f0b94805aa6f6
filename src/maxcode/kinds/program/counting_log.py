"""Log of valgrind itself about a run, apart from anything that the program in it says.

The log is a named pipe. Valgrind opens it before the program begins and keeps its end out of the program's reach, and
what is written to a pipe can neither be changed, moved, sealed nor taken back. A program that finds the pipe can only
add to it; then there are two counts where there must be one. Or it can fill it, so that valgrind has no room for its
own; so there must be room left in the end.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import select
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.sandbox.view import BOX

LONGEST = 1 << 13
"""Largest log in bytes. Valgrind's own words are a tenth of that, unless it warns."""
SEVERAL = 1 << 16
"""Largest log in bytes where the program may start others, which have endings of their own."""
ROOM = 1 << 20
"""Bytes of the pipe, where the system has them."""
END = b"\n" * select.PIPE_BUF
"""Text that we write last. A pipe takes it as a whole, into space of its own: if it fits, valgrind's words did too."""


@dataclass(frozen=True)
class Log:
    folder: Path
    inside: str
    """Path of the pipe as valgrind sees it."""
    tables: str
    """Path of a file for cachegrind's tables. They are not read, but without a file it counts nothing."""
    descriptor: int

    @property
    def write(self) -> dict[str, Path]:
        """Folders that must be visible for the log, by path inside."""
        return {f"{BOX}/log": self.folder}

    def instructions(self, where: str, *, several: bool) -> int:
        """Number of counted instructions. Failure without a proper end.

        `several`: the program may have child processes.
        """
        counts = read_log(self._text(SEVERAL if several else LONGEST))
        if not counts or not all(counts) or (len(counts) > 1 and not several):
            raise Failure(Status.REJECTED, f"{where}: ended without valgrind's own ending, and only that")
        return sum(counts)

    def _text(self, longest: int) -> bytes:
        """All that was written; nothing where that is more than `longest`, or where valgrind may have had no room."""
        text = b""
        try:
            _write_end(self.descriptor)
            while len(text) <= longest + len(END) and (more := os.read(self.descriptor, SEVERAL)):
                text += more
        except BlockingIOError:  # nothing is left to read; or there was no room, and then our end is missing
            pass
        return text.removesuffix(END) if text.endswith(END) and len(text) <= longest + len(END) else b""


def _write_end(reader: int) -> None:
    writer = os.open(f"/proc/self/fd/{reader}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.write(writer, END)
    finally:
        os.close(writer)


@contextmanager
def valgrind_log() -> Iterator[Log]:
    with tempfile.TemporaryDirectory(prefix="maxcode-log-") as made:
        folder, name = Path(made), secrets.token_hex(8)
        folder.chmod(0o711)
        os.mkfifo(folder / name)
        (folder / name).chmod(0o622)
        (folder / "tables").touch()
        (folder / "tables").chmod(0o666)
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with suppress(OSError):  # what is written to a full pipe waits, valgrind's ending too
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, ROOM)
        try:
            yield Log(folder, f"{BOX}/log/{name}", f"{BOX}/log/tables", descriptor)
        finally:
            os.close(descriptor)


_LINE = re.compile(rb"(==|--)(\d+)\1 .*")
"""Line of valgrind, in which a process says something about itself."""


def read_log(text: bytes) -> list[int] | None:
    """The counts in a log, one for each process that began; None where something is missing or left over."""
    lines = text.splitlines()
    speakers = {match[2] if (match := _LINE.fullmatch(line)) else b"" for line in lines}
    begun = [match[1] for line in lines if (match := re.fullmatch(rb"==(\d+)== Command: .*", line))]
    counted = [match for line in lines if (match := re.fullmatch(rb"==(\d+)== I +refs: +([\d,]+)", line))]
    mentioned = sum(line.count(b"refs") for line in lines if b"Command:" not in line)
    if not lines or not counted or len(begun) != 1 or mentioned != len(counted):
        return None
    if begun[0] not in {match[1] for match in counted} or not speakers <= {match[1] for match in counted}:
        return None
    if not lines[-1].startswith(b"==" + counted[-1][1] + b"== I"):
        return None
    return [int(match[2].replace(b",", b"")) for match in counted]


PREAMBLES = (
    bytes.fromhex("48c1c70348c1c70d48c1c73d48c1c733"),  # x86-64: rdi turned by 3, 13, 61 and 51 bits
    bytes.fromhex("8c0dcc938c35cc938ccdcc938cf5cc93"),  # arm64: x12 turned by 3, 13, 51 and 61 bits
)
"""Code that begins every request of a program to valgrind. It does nothing at all, so no compiler writes it by
itself."""


def makes_requests(program: Path) -> bool:
    data = program.read_bytes()
    return any(preamble in data for preamble in PREAMBLES)

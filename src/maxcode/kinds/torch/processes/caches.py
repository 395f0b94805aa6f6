"""Files that compilers made in one process of a program, kept for the next process of the same program.

torch.compile and Triton compile while a program runs, into the private /tmp of its process, and one evaluation starts
several processes. The files are untrusted: they are kept as bytes, links are not followed, and nothing here interprets
them.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from maxcode.kinds.torch.processes.process_spawner import Child

FOLDERS = {"TORCHINDUCTOR_CACHE_DIR": "inductor", "TRITON_CACHE_DIR": "triton"}
"""Folders of caches below /tmp, by the environment variable that names them."""
CHOICE = ".best_config"
"""Ending of files in which torch.compile notes which of several kernels was the fastest."""
MOST_BYTES = 256 << 20
MOST_ENTRIES = 20_000
DEEPEST = 12
MOST_SECONDS = 5.0
_NAME = re.compile(r"[A-Za-z0-9_.+-]+")
_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class _TooMuch(Exception):
    """The caches hold more than compilers leave, or take too long to read."""


def keep(child: Child, archive: Path, *, choices: bool = True) -> None:
    """Writes the caches of a running process to an archive; writes nothing if they cannot be read.

    `choices`: also keeps which of the kernels that it timed was the fastest. That is worth keeping only if nobody else
    used the machine.
    """
    with suppress(OSError, _TooMuch), _scratch_of(child) as scratch:
        found = {(path, os.fstat(file.fileno()).st_size) for path, file in _files(scratch, choices)}
        if not found <= _kept(archive):
            _write(archive, scratch, choices)


def plant(archive: Path, scratch: Path, uid: int | None) -> None:
    """Unpacks an archive of ours in the private /tmp of a process, before anything foreign runs there."""
    odd = (OSError, OverflowError, ValueError, tarfile.TarError)  # such as a time of change that no file can have
    with suppress(*odd), tarfile.open(archive) as kept:
        for member in kept:
            content = kept.extractfile(member)
            assert content is not None
            file = scratch / member.name
            _make_folders(file.parent, uid)
            file.write_bytes(content.read())
            os.utime(file, (member.mtime, member.mtime))
            _give(file, uid)


@contextmanager
def _scratch_of(child: Child) -> Iterator[int]:
    """The private /tmp of a process, as a descriptor. OSError where it has none, or has ended."""
    root = os.open(f"/proc/{child.pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        scratch = os.open("tmp", _SAFELY | os.O_DIRECTORY, dir_fd=root)
    finally:
        os.close(root)
    try:
        if os.fstat(scratch).st_dev == Path("/tmp").stat().st_dev:
            raise OSError("its /tmp is everyone's")
        if child.ended(0) is not None:  # asked after opening: if it runs still, the id was its own
            raise OSError("it has ended")
        yield scratch
    finally:
        os.close(scratch)


class _Walk:
    """Limits of a walk through a folder: bytes, files and seconds that are left, and the owner that files must have."""

    def __init__(self, scratch: int) -> None:
        self._own = _owner(os.fstat(scratch))
        self._bytes, self._entries, self._until = MOST_BYTES, MOST_ENTRIES, time.monotonic() + MOST_SECONDS

    def owns(self, found: os.stat_result) -> bool:
        """True for files of the process itself. We may read more than it may, and must not hand it anything else."""
        return _owner(found) == self._own

    def count(self, size: int = 0) -> None:
        self._bytes -= size
        self._entries -= 1
        if self._bytes < 0 or self._entries < 0 or time.monotonic() > self._until:
            raise _TooMuch

    def below(self, parent: int, name: str, path: str, depth: int) -> Iterator[tuple[str, IO[bytes]]]:
        if depth > DEEPEST:
            raise _TooMuch
        folder = os.open(name, _SAFELY | os.O_DIRECTORY, dir_fd=parent)
        try:
            if not self.owns(os.fstat(folder)):
                return
            with os.scandir(folder) as entries:
                for entry in entries:
                    self.count()
                    if _NAME.fullmatch(entry.name):
                        yield from self._entry(folder, entry, f"{path}/{entry.name}", depth)
        finally:
            os.close(folder)

    def _entry(self, folder: int, entry: os.DirEntry[str], path: str, depth: int) -> Iterator[tuple[str, IO[bytes]]]:
        if entry.is_dir(follow_symlinks=False):
            yield from self.below(folder, entry.name, path, depth + 1)
        elif entry.is_file(follow_symlinks=False):
            with open(os.open(entry.name, _SAFELY, dir_fd=folder), "rb") as file:  # noqa: PTH123 - of a descriptor
                seen = os.fstat(file.fileno())
                if stat.S_ISREG(seen.st_mode) and seen.st_nlink == 1 and self.owns(seen):
                    self.count(seen.st_size)
                    yield path, file


def _files(scratch: int, choices: bool) -> Iterator[tuple[str, IO[bytes]]]:
    """Regular files of the process in its caches, each open until the next is asked for."""
    walk = _Walk(scratch)
    for name in FOLDERS.values():
        if _is_folder(scratch, name):
            found = walk.below(scratch, name, name, 1)
            yield from found if choices else ((path, file) for path, file in found if not path.endswith(CHOICE))


def _is_folder(parent: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _owner(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_uid


def _kept(archive: Path) -> set[tuple[str, int]]:
    try:
        with tarfile.open(archive) as kept:
            return {(member.name, member.size) for member in kept}
    except (OSError, tarfile.TarError):
        return set()


def _write(archive: Path, scratch: int, choices: bool) -> None:
    """Replaces the archive in one step: other workers see the old one or the new one."""
    archive.parent.mkdir(exist_ok=True)
    descriptor, partial = tempfile.mkstemp(dir=archive.parent, prefix=".partial-")
    try:
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w") as made:
            for path, content in _files(scratch, choices):
                seen = os.fstat(content.fileno())
                member = tarfile.TarInfo(path)
                member.size, member.mtime = seen.st_size, int(seen.st_mtime)
                made.addfile(member, content)
        Path(partial).replace(archive)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _make_folders(folder: Path, uid: int | None) -> None:
    if not folder.is_dir():
        _make_folders(folder.parent, uid)
        folder.mkdir()
        _give(folder, uid)


def _give(path: Path, uid: int | None) -> None:
    if uid is not None:
        os.chown(path, uid, uid)

"""Copies of the files that programs see, in memory that they can neither evict nor tell apart.

Of a file on disk, some pages are cached and others are not. Any reader can change that and any reader can find it out,
so a program could leave itself a note there from one run to the next. Files of a tmpfs are always in memory.
"""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from maxcode.core import EvaluatorError, content_hash
from maxcode.evaluate.once import made_once
from maxcode.system.stale import stale

VARIABLE = "MAXCODE_MEMORY"
"""Environment variable with the folder that a pool's workers share."""
PREFIX = "maxcode-memory-"
PLACES = ("/dev/shm", "/run/shm")
LEAST_FREE = 48 << 20
FILES_KEPT = 8


@cache
def place_in_memory() -> Path | None:
    """Folder of the system that is in memory, lets programs be run and has room; None where there is none."""
    for path in (*PLACES, os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir()):
        if path and os.access(path, os.W_OK) and _is_memory(Path(path)) and shutil.disk_usage(path).free > LEAST_FREE:
            return Path(path)
    return None


def new_memory_folder() -> Path | None:
    """New folder in memory, named for this process. The caller removes it."""
    place = place_in_memory()
    if place is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place))
    folder.chmod(0o711)  # programs run as other users
    return folder


def memory_folders() -> list[Path]:
    """Folders of MaxCode in memory that exist now, whoever made them."""
    place = place_in_memory()
    return sorted(place.glob(f"{PREFIX}*")) if place else []


def sweep_stale_memory() -> None:
    """Removes what processes that were killed left in memory."""
    for folder in stale(memory_folders(), PREFIX):
        shutil.rmtree(folder, ignore_errors=True)


class MemoryCopies:
    """Copies of files and folders in memory, made on first use. Of files, only those used last are kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = folder / f"files-{os.getpid()}"
        self._files: OrderedDict[Path, None] = OrderedDict()

    def tree(self, source: Path) -> Path:
        """Copy of a folder whose name identifies its content; shared by the processes of a pool."""
        target = self._folder / "roots" / source.name
        with _room_in(self._folder):
            made_once(target, partial(_copy_tree, source))
        return target

    def file(self, source: Path) -> Path:
        found = source.stat()
        name = content_hash(str(source), repr((found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)))
        target = self._own / name
        with _room_in(self._folder):
            made_once(target, partial(_copy_file, source))
        self._files[target] = None
        self._files.move_to_end(target)
        while len(self._files) > FILES_KEPT:
            shutil.rmtree(self._files.popitem(last=False)[0], ignore_errors=True)
        return target / source.name


@cache
def copies() -> MemoryCopies | None:
    """Copies of this process: in its pool's folder, or in one of its own that is removed at its end.

    None without such memory.
    """
    shared = os.environ.get(VARIABLE)
    if shared:
        return MemoryCopies(Path(shared))
    folder = new_memory_folder()
    if folder is None:
        return None
    atexit.register(_remove_as, os.getpid(), folder)
    return MemoryCopies(folder)


def _copy_tree(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder, dirs_exist_ok=True)


def _copy_file(source: Path, folder: Path) -> None:
    shutil.copy(source, folder / source.name)


def _remove_as(owner: int, folder: Path) -> None:
    if os.getpid() == owner:  # a fork of the owner ends too, and before it
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _room_in(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.ENOMEM):
            raise
        raise EvaluatorError(
            f"{folder.parent}: no room for copies of what programs see ({error.strerror}). Free some of it, or make it "
            f"larger: mount -o remount,size=1G {folder.parent}; docker run --shm-size 1g"
        ) from None


def _is_memory(path: Path) -> bool:
    """True if a folder lies in memory from which programs may be started."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    except OSError:
        return False
    around = [words for words in mounts if path.resolve().is_relative_to(words[1])]
    if not around:
        return False
    _, _, kind, options, *_ = max(reversed(around), key=lambda words: len(words[1]))
    return kind in ("tmpfs", "ramfs") and "noexec" not in options.split(",")

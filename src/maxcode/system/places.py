"""Messages for places that cannot be written to: which one it is and what to do."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from maxcode.system.home import home

FULL = (errno.ENOSPC, errno.EDQUOT)
CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR, errno.EEXIST)
LEAST_FREE = 1 << 20


def in_words(error: OSError) -> str | None:
    """The place that an error is about and what mends it; None for errors that are not about a place of ours."""
    if error.errno in FULL:
        place = next((path for path in _places(error) if free_bytes(path) < LEAST_FREE), None)
        where = f"{_disk_of(place)} is full" if place else "a disk or a quota is full"
        return f"{where} ({error.strerror}). Free some space, or {_elsewhere(place)}. What was kept before is safe."
    if error.errno in CLOSED and error.filename and Path(error.filename).is_relative_to(home()):
        return f"{error.filename}: cannot be written ({error.strerror}). Correct its rights, or {_elsewhere(home())}."
    if error.filename and error.strerror:
        return (
            f"{error.filename}: {error.strerror[0].lower()}{error.strerror[1:]}. Correct its rights, or name another."
        )
    return None


def free_bytes(path: Path) -> int:
    """Free bytes on the disk of a path, which need not exist yet."""
    there = next(each for each in (path, *path.parents) if each.exists())
    return shutil.disk_usage(there).free


def _places(error: OSError) -> Iterator[Path]:
    """Places where the error may have happened, likeliest first: errors of writing often name no file."""
    if error.filename:
        yield Path(error.filename).absolute()
    yield home()
    yield Path(tempfile.gettempdir())
    yield Path.cwd()


def _disk_of(place: Path) -> Path:
    """Mount point of the place's file system; the place itself where that is `/`."""
    mount = next(each for each in (place, *place.parents) if each.is_mount())
    return place if mount == Path("/") else mount


def _elsewhere(place: Path | None) -> str:
    if place is not None and not place.is_relative_to(home()):
        return "export TMPDIR=/path/on/a/larger/disk"
    return "export MAXCODE_HOME=/path/that/can/be/written"

"""A folder of things made once that does not grow for ever: the least recently used go first.

Several processes use and trim it at once. What was used within the last hour stays, whatever the size: somebody may be
running it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

IN_USE = 3600.0
"""Seconds for which a thing may be used after it was asked for."""
BETWEEN = 60.0
"""Seconds from one look at the size to the next."""
_GOING = ".going-"


def used(target: Path) -> None:
    """Marks a thing as used now."""
    with suppress(OSError):
        os.utime(target)


def trim(folder: Path, megabytes: float) -> None:
    """Removes what was not used for longest until the rest fits; nothing when somebody did, or does, so just now."""
    stamp = folder / ".trimmed"
    with suppress(FileNotFoundError):
        if time.time() - stamp.stat().st_mtime < BETWEEN:
            return
    with stamp.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        os.utime(stamp)
        _remove_oldest(folder, megabytes * 1e6)


def _remove_oldest(folder: Path, room: float) -> None:
    kept = sorted(((_last_use(each), each) for each in _things(folder)), reverse=True)
    for last, each in kept:
        room -= _size(each)
        if room < 0 and time.time() - last > IN_USE:
            _remove(each)


def _things(folder: Path) -> Iterator[Path]:
    """Things lie in folders by the beginning of their names. What an earlier removal left behind goes at once."""
    for each in folder.glob("*/*"):
        if each.name.startswith(_GOING):
            shutil.rmtree(each, ignore_errors=True)
        elif not each.name.startswith("."):
            yield each


def _remove(thing: Path) -> None:
    """Moved away first, so that nobody finds a part of it; moved back if somebody came for it meanwhile."""
    going = thing.with_name(f"{_GOING}{os.getpid()}-{thing.name}")
    with suppress(OSError):
        thing.rename(going)
        if time.time() - _last_use(going) > IN_USE:
            shutil.rmtree(going, ignore_errors=True)
        else:
            going.rename(thing)


def _last_use(thing: Path) -> float:
    try:
        return thing.stat().st_mtime
    except OSError:
        return 0.0


def _size(thing: Path) -> int:
    total = 0
    for each in thing.rglob("*"):
        with suppress(OSError):
            total += each.stat(follow_symlinks=False).st_blocks * 512
    return total

"""A folder of things made once that is kept below a size: the least recently used are removed first.

Several processes use and trim it at once. A thing used within the last hour stays, whatever the size, since it may be
running.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

IN_USE = 3600.0
"""Seconds for which a thing stays after its last use."""
BETWEEN = 60.0
"""Least seconds from one trim to the next."""
_GOING = ".going-"


def used(target: Path) -> None:
    """Marks a thing as used now, if it is there. Call it before the thing is looked for: it then stays for an hour."""
    with suppress(FileNotFoundError), _locked(target.parent.parent, fcntl.LOCK_SH):
        os.utime(target)


def trim(folder: Path, megabytes: float) -> None:
    """Removes the least recently used things until the rest fits.

    Does nothing if another trim is under way or was just made.
    """
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
    """All things, which lie in folders named after their first letters.

    Removes what an interrupted removal left behind.
    """
    for each in folder.glob("*/*"):
        if each.name.startswith(_GOING):
            shutil.rmtree(each, ignore_errors=True)
        elif not each.name.startswith("."):
            yield each


def _remove(thing: Path) -> None:
    """Removes a thing unless it was used meanwhile. It is renamed first, so that nobody finds a part of it."""
    going = thing.with_name(f"{_GOING}{os.getpid()}-{thing.name}")
    with _locked(thing.parent.parent, fcntl.LOCK_EX):
        if time.time() - _last_use(thing) <= IN_USE:
            return
        with suppress(OSError):
            thing.rename(going)
    shutil.rmtree(going, ignore_errors=True)


@contextmanager
def _locked(folder: Path, how: int) -> Iterator[None]:
    """Holds the lock that a removal takes alone and that uses share."""
    with (folder / ".removing").open("a") as file:
        fcntl.flock(file, how)
        yield


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

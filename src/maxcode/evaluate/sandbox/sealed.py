"""Sealed copies of standard input: whatever a program does to it, files of ours stay as they are.

Small inputs are copied for each run. A large one is copied once and kept while it is in use. Times, mode and attributes
that a run gave it are removed, so that it carries nothing over to the next.
"""

from __future__ import annotations

import fcntl
import os
from collections import OrderedDict
from contextlib import suppress
from functools import cache
from pathlib import Path

from maxcode.system.readable import opened

SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
AT_ONCE = 1 << 30
LARGE = 1 << 20
KEPT = 2
_SET_HINT, _NO_HINT = 1036, bytes(8)
_Key = tuple[str, int, int, int]


def sealed_input(source: Path | None) -> int:
    """Descriptor, open for reading only, of a sealed copy in memory; empty where there is no source.

    It can be read, sought and mapped like a file. The caller closes it.
    """
    if source is not None and _size(source) >= LARGE:
        return _large_inputs().opened(source)
    copy = _sealed_copy(source)
    try:
        return _for_reading(copy)
    finally:
        os.close(copy)


class _LargeInputs:
    """Copies of large inputs that were used last."""

    def __init__(self) -> None:
        self._copies: OrderedDict[_Key, int] = OrderedDict()

    def opened(self, source: Path) -> int:
        found = source.stat()
        key = (str(source), found.st_ino, found.st_size, found.st_mtime_ns)
        if key not in self._copies:
            while len(self._copies) >= KEPT:
                os.close(self._copies.popitem(last=False)[1])
            self._copies[key] = _sealed_copy(source)
        self._copies.move_to_end(key)
        scrub(self._copies[key])
        return _for_reading(self._copies[key])


@cache
def _large_inputs() -> _LargeInputs:
    return _LargeInputs()


def _size(source: Path) -> int:
    with opened(source) as file:
        return os.fstat(file.fileno()).st_size


def _sealed_copy(source: Path | None) -> int:
    copy = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        if source is not None:
            with opened(source) as file:
                while os.sendfile(copy, file.fileno(), None, AT_ONCE):
                    pass
        fcntl.fcntl(copy, fcntl.F_ADD_SEALS, SEALS)
    except BaseException:
        os.close(copy)
        raise
    return copy


def scrub(copy: int, mode: int = 0o444) -> None:
    """Removes what an earlier run may have noted on a memory file: its mode, times, attributes and hints."""
    os.fchmod(copy, mode)
    os.utime(copy, ns=(0, 0))
    with suppress(OSError):  # kernels without attributes in memory
        for name in os.listxattr(copy):
            os.removexattr(copy, name)
    with suppress(OSError):
        fcntl.fcntl(copy, _SET_HINT, _NO_HINT)


def _for_reading(copy: int) -> int:
    return os.open(f"/proc/self/fd/{copy}", os.O_RDONLY | os.O_CLOEXEC)

"""Child processes that run our own programs and end with the process that started them."""

from __future__ import annotations

import ctypes
import signal
import sys

_DIE_WITH_PARENT = 1


def own_python(*words: str) -> list[str]:
    """Command that runs Python with these words. It does not import modules from the current folder."""
    return [sys.executable, "-P", *words]


def die_with_parent(by: signal.Signals = signal.SIGKILL) -> None:
    """Ends this process when the one that started it ends, even by kill -9."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, by, 0, 0, 0)

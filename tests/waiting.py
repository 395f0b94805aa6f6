"""Waiting for what comes in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(look: Callable[[], Found | None], seconds: float = 20.0) -> Found:
    """What `look` finds, as soon as that is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing came in {seconds} s")

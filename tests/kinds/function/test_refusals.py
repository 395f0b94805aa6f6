"""Functions of which no sound task can be made are refused, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.kinds.function.scaffold import make
from maxcode.task.kind import NewOptions

ENVIRONMENT = Path(pytest.__file__).parents[4]
MODULE = """
import random
import threading
import time

SEEN = []


def never(x):
    return x


def random_number(x):
    return x + random.random()


def clock(x):
    return x + time.time()


async def later(x):
    return x


def reads(x):
    with open("/etc/hostname") as file:
        return len(file.read()) + x


def counts(x):
    SEEN.append(x)
    return len(SEEN)


def locked(lock):
    with lock:
        return 1


def few(x):
    return not x


def half(x):
    if x > 100:
        a = 1
        b = 2
        c = 3
        d = 4
        return a + b + c + d
    return x
"""
TESTS = """
import asyncio
import threading
from odd import *


def test_all():
    for i in range(5):
        random_number(i), clock(i), reads(i), counts(i), half(i)
    asyncio.run(later(1))
    locked(threading.Lock())
    few(True), few(False)
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("never", "is never called"),
        ("random_number", "random numbers"),
        ("clock", "depends on the time"),
        ("later", "is async"),
        ("reads", "depends on files"),
        ("counts", "outside of its arguments"),
        ("locked", "cannot be copied"),
        ("few", "too few"),
        ("half", "No call reaches lines"),
    ],
)
def test_the_reason_is_told(name: str, reason: str, open_folder: Path) -> None:
    (open_folder / "odd.py").write_text(MODULE)
    (open_folder / "test_odd.py").write_text(TESTS)
    (open_folder / "setup.cfg").touch()
    with pytest.raises(InputError, match=reason):
        make(open_folder / "task", open_folder / f"odd.py::{name}", NewOptions(python=ENVIRONMENT))

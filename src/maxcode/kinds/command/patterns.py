"""Applies a task's regular expressions to what a candidate prints: line by line, no long lines, and never for long."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from maxcode.core import InputError, Status
from maxcode.evaluate.failure import Failure

LONGEST_LINE = 1000
"""Number of characters above which a line is not searched; such lines are data."""
SECONDS = 5.0
"""CPU seconds for all lines of one output."""


class SlowPattern(Failure):
    """A pattern that takes too long on some output. A verdict where the output is a candidate's."""

    def __init__(self, field: str) -> None:
        words = f"command.{field} takes more than {SECONDS:g} s to look through what is printed. "
        super().__init__(Status.REJECTED, words + "Print less, or give a pattern without nested repetitions")


def groups_by_line(field: str, pattern: str, lines: Sequence[str]) -> list[list[str]]:
    """What the pattern's group finds in each line; nothing in long ones. SlowPattern names the task's field."""
    search = re.compile(pattern).findall
    with _at_most(SECONDS, field):
        return [search(line) if len(line) <= LONGEST_LINE else [] for line in lines]


@contextmanager
def of_the_original(folder: object) -> Iterator[None]:
    """Turns SlowPattern into InputError: on the original's output, a slow pattern is the task's fault."""
    try:
        yield
    except SlowPattern as slow:
        raise InputError(f"{folder}: {slow.reason}.") from None


@contextmanager
def _at_most(seconds: float, field: str) -> Iterator[None]:
    """Raises SlowPattern after so many CPU seconds, by a signal.

    That works in the main thread, where evaluations are made.
    """

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise SlowPattern(field)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

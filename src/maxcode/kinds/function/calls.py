"""Recorded calls as files: one JSON line for each call."""

from __future__ import annotations

import base64
import struct
from functools import cached_property
from pathlib import Path

from maxcode.core import Frozen
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

EQUAL = 1.0


class RecordedCall(Frozen):
    call: str
    """Arguments as the package's interpreter pickled them, in base 64. Only sandboxed processes unpickle them."""
    weight: float = EQUAL
    """How often such calls were seen."""
    seen: str = ""
    """The call as one would write it, shortened."""
    error: str = ""
    """Name of the exception that it raises; empty where it returns."""
    seconds: float = 0.0
    """CPU seconds it took when it was recorded."""

    @cached_property
    def data(self) -> bytes:
        return base64.b64decode(self.call)


def recorded_calls(task: Task) -> list[RecordedCall]:
    return read_calls(task.folder / task.table(PackageFunction).calls)


def held_out_calls(task: Task) -> list[RecordedCall]:
    return read_calls(task.folder / task.table(PackageFunction).held_out)


def read_calls(file: Path) -> list[RecordedCall]:
    return [RecordedCall.model_validate_json(line) for line in file.read_text().splitlines() if line]


def write_calls(file: Path, calls: list[RecordedCall]) -> None:
    file.write_text("".join(f"{each.model_dump_json()}\n" for each in calls))


def packed(calls: list[bytes]) -> bytes:
    """Calls in a row, each behind its length."""
    return b"".join(struct.pack("Q", len(each)) + each for each in calls)

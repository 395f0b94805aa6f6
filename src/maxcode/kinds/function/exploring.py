"""Looks at the original: what it does on calls, and which other calls are like them."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from maxcode.core import InputError
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.evaluate.sandbox.view import BOX, Caps
from maxcode.kinds.command.environment import commands_environment
from maxcode.kinds.function.calls import held_out_calls, packed, recorded_calls
from maxcode.kinds.function.files import package_of
from maxcode.kinds.function.serving import INSIDE, function_view, interpreter, settings_in_process
from maxcode.task.model import Task

MOST_NEW, NEW_SECONDS, NEW_BYTES, CALL_BYTES = 4000, 15.0, 24 << 20, 1 << 20
SLOWER = 20.0
"""Multiple of the slowest recorded call that a new one may take."""
AGAIN_SECONDS, AGAIN_LIMIT = 15.0, 150.0
"""CPU seconds after which no further call is made again, and seconds that they may take on a machine that is busy."""
FEWEST = 8
"""Number of different calls below which a process that remembers results could not be told from a fast one."""


def new_calls(task: Task, lane: Lane, tree: Path, seed: int) -> list[bytes]:
    """Different calls like the recorded ones, which the original answers as it has been seen to, the same each time."""
    known = [*recorded_calls(task), *held_out_calls(task)]
    wanted = {
        "seed": seed,
        "count": MOST_NEW,
        "seconds": NEW_SECONDS,
        "bytes": NEW_BYTES,
        "call_bytes": CALL_BYTES,
        "weights": [each.weight for each in known],
        "errors": sorted({each.error for each in known if each.error}),
        "slowest": SLOWER * max(each.seconds for each in known) + 1e-3,
    }
    said = explored(task, lane, tree, "vary", [each.data for each in known], NEW_SECONDS + task.limits.seconds, wanted)
    found = [base64.b64decode(each["call"]) for each in said]
    if len(found) < FEWEST:
        raise InputError(
            f"{task.folder}: only {len(found)} calls that differ could be made of the recorded ones, too few to "
            "time it: a function that remembers its results would look fast."
        )
    return found


def replayed(task: Task, lane: Lane, tree: Path, calls: list[bytes], *, closely: bool) -> list[dict[str, Any]]:
    """What the original does on each call, and at the end which lines there are and what it touches. Calls for which
    there is no time are left out. Closely: with the time and the lines of each."""
    wanted = {"seconds": AGAIN_SECONDS, "closely": closely}
    return list(explored(task, lane, tree, "replay", calls, AGAIN_LIMIT, wanted))


def explored(
    task: Task, lane: Lane, tree: Path, what: str, calls: list[bytes], seconds: float, more: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    limits = task.limits
    caps = Caps(seconds, limits.memory_mb, 256, limits.scratch_mb, lane.cpus[:1])
    with tempfile.TemporaryDirectory(prefix="maxcode-calls-") as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "calls"
        file.write_bytes(packed(calls))
        view = function_view(task, tree)
        view = replace(view, read={**view.read, f"{BOX}/calls": file})
        words = [interpreter(task), "-B", f"{INSIDE}/maxcode_explore.py", what, settings_in_process(task, **more)]
        ended = lane.sandbox.run(
            [*words, f"{BOX}/calls"], view, caps, environment=commands_environment(package_of(task))
        )
    if not ended.clean:
        raise InputError(f"{task.folder}: the calls cannot be made in the sandbox: {_reason(ended, seconds)}")
    for line in ended.stdout.decode().splitlines():
        yield json.loads(line)


def _reason(ended: Any, seconds: float) -> str:
    if ended.forbidden:
        return f"system call {ended.forbidden} is not allowed there"
    if ended.timed_out:
        return f"they take more than {seconds:g} s"
    words: str = ended.stderr.decode(errors="replace").strip()
    return words[-600:] or f"exit code {ended.exit_code}"

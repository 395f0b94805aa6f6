"""Comparisons on record: `maxcode compare` as a process of its own, and a run in the journal for what it finds.

It is another process because a comparison ends every process that its commands leave behind: all children but those
that were there before, so also workers of ours.
"""

from __future__ import annotations

import asyncio
import json
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from maxcode.compare.comparison import ComparedSide, ComparisonResult
from maxcode.core import InputError
from maxcode.evaluate.measure.words import interval_in_words
from maxcode.store.journal import COMPARISON, SESSION, Store
from maxcode.system.children import die_with_parent, own_python
from maxcode.system.processes import session, this_process

DERIVED = {"failed"}, {"pairs"}
"""Fields that the command prints beside those of the record: of the whole, and of each side."""
Options = Mapping[str, str | float | bool | Sequence[str] | None]
"""Options of `maxcode compare`, by name."""


async def compared(store: Store, options: Options, commands: Sequence[str]) -> dict[str, Any]:
    """Runs a comparison and puts it on record. Returns its run and verdicts, without samples."""
    words = [*_words(options), "--", *commands]
    folder = Path(str(options.get("cwd") or Path.cwd()))
    journal = store.start(f"{COMPARISON}{folder.resolve().name}", {"policy": SESSION, "compare": words})
    with journal.session(session(this_process())):
        try:
            answer = await journal.remembered("compare", "result", lambda: _result(words))
        except InputError as error:
            journal.note("refused", {"reason": str(error)})
            raise
    result = ComparisonResult.model_validate(answer)
    sides = list(map(_without_samples, result.sides))
    return {"run": journal.run, **result.model_dump(mode="json", exclude={"sides"}), "sides": sides}


def _without_samples(side: ComparedSide) -> dict[str, Any]:
    interval = interval_in_words(side.ci_low, side.ci_high)
    kept = side.model_dump(mode="json", exclude={"samples", "p_value", "level"})
    return {**kept, "pairs": len(side.samples), "interval": interval}


def comparison_of(store: Store, run: str) -> ComparisonResult | None:
    """Result of a comparison; None where it was stopped before it had one."""
    answers = [event.payload for event in store.read(run, "compare.answered")]
    return ComparisonResult.model_validate(answers[-1]) if answers else None


def _words(options: Options) -> Iterator[str]:
    for name, value in options.items():
        if isinstance(value, bool):
            yield from [f"--{name}"] * value
        elif isinstance(value, str | float | int):
            yield f"--{name}={value}"
        elif value is not None:
            yield from [f"--{name}", *value]


async def _result(words: Sequence[str]) -> ComparisonResult:
    """What the command finds. InputError with its words where it fails; it ends when nobody waits for it any more."""
    process = await asyncio.create_subprocess_exec(
        *own_python("-m", "maxcode", "compare", "--json", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        preexec_fn=lambda: die_with_parent(signal.SIGTERM),
    )
    try:
        printed, said = await process.communicate()
    finally:
        await _ended(process)
    if process.returncode:
        words = said.decode(errors="replace").rpartition("error: ")[2].strip()
        raise InputError(words or f"maxcode compare ended with exit code {process.returncode}.")
    found = json.loads(printed)
    whole, each = DERIVED
    sides = [{name: value for name, value in side.items() if name not in each} for side in found["sides"]]
    return ComparisonResult.model_validate(
        {name: value for name, value in found.items() if name not in whole} | {"sides": sides}
    )


async def _ended(process: Process) -> None:
    """Stops the command in good order, so that it ends what it started."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        await asyncio.shield(process.wait())

"""Inputs of a length that can be timed: long ones are cut and short ones made longer, where their format says how."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from maxcode.authoring.check import LONGEST, SHORTEST
from maxcode.core import InputError
from maxcode.evaluate.sandbox.running import Ended
from maxcode.format import InputModel, longer, shortened
from maxcode.kinds.program.oracle import Oracle
from maxcode.kinds.program.setup import PATIENCE

CUTS = (1 / 1024, 1 / 256, 1 / 64, 1 / 16, 1 / 4)
AIM = 0.25
"""Seconds of CPU time that are long enough: a cut input that takes them is not made longer, and a longer one is not
either."""
FACTORS = (8, 32, 128, 512)
LARGEST = 4_000_000
"""Bytes of an input beyond which it is not made longer: its format is read again."""
GROWING = 5.0
"""Seconds after which no still longer input is tried."""


@dataclass(frozen=True)
class TimedInput:
    """Input to time a program on."""

    path: Path
    answer: Ended
    remark: str = ""
    """Words on why it is not the given one; empty if it is."""
    given: Ended | None = None
    """Answer to the given input, where that is not what is timed but can be a test."""


def timed(oracle: Oracle, path: Path, format_of: Callable[[Path], InputModel], scratch: Path) -> TimedInput:
    """The given input, or one made of it that takes neither too little time nor too much. InputError for one that the
    program does not answer."""
    answer = oracle.must_answer(path)
    if answer is None or answer.wall > LONGEST:
        found = _cut(oracle, path, format_of(path), scratch, answer)
        if found is not None:
            return found
        if answer is None:
            raise InputError(
                f"{oracle.named(path)}: {oracle.name} takes more than {PATIENCE:g} s on it, and was ended. Does it end "
                "at all? If it waits for arguments or another input, give them (--args, --input). If it is slow, give "
                f"a smaller input ({SHORTEST * 1000:.0f} ms to {LONGEST:g} s): each program tried is timed many times."
            )
        return TimedInput(
            path, answer, f"{path.name} takes {answer.wall:.2g} s, and so do programs tried, many times each."
        )
    if answer.cpu >= SHORTEST or path == oracle.empty_input:
        return TimedInput(path, answer)
    grown = _grown(oracle, path, format_of(path), scratch)
    words = f"{path.name} takes {answer.cpu * 1000:.2g} ms, mostly the start of the process"
    if grown is None:
        return TimedInput(path, answer, f"Warning: {words}. Gains will hardly show; give a larger input.")
    file, longest = grown
    return TimedInput(
        file, longest, f"{words}: programs are timed on a larger input like it ({_milliseconds(longest)}).", answer
    )


def _cut(oracle: Oracle, path: Path, format: InputModel, scratch: Path, whole: Ended | None) -> TimedInput | None:
    """The beginning of an input that takes too long, the longest that does not; None where it cannot be cut."""
    found: tuple[float, Path, Ended] | None = None
    for share in CUTS:
        text = shortened(format, share)
        if text is None:
            continue
        file = scratch / f"{path.stem}.beginning{path.suffix}"
        tried = scratch / "tried"
        tried.write_text(text)
        ended = oracle.tried(tried, LONGEST)
        if ended is None:
            break
        found = share, tried.replace(file), ended
        if ended.cpu >= AIM:
            break
    if found is None or found[2].cpu < SHORTEST / 3:
        return None
    share, file, ended = found
    took = f"{whole.wall:.2g} s" if whole else f"more than {PATIENCE:g} s"
    words = (
        f"{path.name} takes {took}: programs are timed on its beginning ({share:.2g} of it, {_milliseconds(ended)})."
    )
    return TimedInput(file, ended, words)


def _grown(oracle: Oracle, path: Path, format: InputModel, scratch: Path) -> tuple[Path, Ended] | None:
    """A larger input of the same format that is long enough to time; None where there is none."""
    rng = random.Random(secrets.randbits(64))
    tried, found, end = scratch / "tried", None, time.monotonic() + GROWING
    for factor in FACTORS:
        if time.monotonic() > end:
            break
        text = longer(format, factor, rng) if factor * path.stat().st_size <= LARGEST else None
        if text is None:
            continue
        tried.write_text(text)
        ended = oracle.tried(tried, LONGEST)
        if ended is None:
            break
        if ended.cpu >= SHORTEST:
            found = tried.replace(scratch / f"{path.stem}.larger{path.suffix}"), ended
        if ended.cpu >= 2 * SHORTEST:
            break
    return found


def _milliseconds(ended: Ended) -> str:
    return f"{ended.cpu * 1000:.3g} ms"

"""Commands as sides of a comparison: set up, warmed up, repeated within a run where they are too short to time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import ceil
from pathlib import Path

from maxcode.compare.running import EndedRun, Surroundings, TrustedRuns
from maxcode.compare.sampling import Timings
from maxcode.core import InputError
from maxcode.evaluate.measure.pairs import Timing, add

SHORT, LONG_ENOUGH, MOST_REPEATS = 5e-3, 20e-3, 100
"""Seconds below which a command is repeated within a run, seconds that such a run is to take, and repeats at most."""


@dataclass(frozen=True)
class TimedCommands:
    """Commands, and what is done around each run of one."""

    commands: tuple[str, ...]
    names: tuple[str, ...]
    surroundings: Surroundings
    prepare: str | None = None
    check: bool = False
    """True if all outputs must agree."""


class CommandSides:
    """Runs the commands in turn, after warm-up."""

    def __init__(self, timed: TimedCommands, runs: TrustedRuns, *, warmup: int) -> None:
        self._timed, self._runs = timed, runs
        self._first: Path | None = None
        ran = [min(self._once(i).timing.wall for _ in range(warmup)) for i in range(len(timed.commands))]
        self._repeats = [_repeats(seconds) for seconds in ran]
        self.notes = tuple(self._notes(ran))

    def _notes(self, ran: Sequence[float]) -> list[str]:
        return [
            f"{name} takes {1000 * seconds:.1f} ms: each time is the mean of {repeats} runs in a row; the start of a "
            "process is a large part of it"
            for name, seconds, repeats in zip(self._timed.names, ran, self._repeats, strict=True)
            if repeats > 1
        ]

    def run(self, side: int) -> Timings:
        total = Timing(0.0, 0.0)
        for _ in range(self._repeats[side]):
            total = add(total, self._once(side).timing)
        return {"": Timing(total.cpu / self._repeats[side], total.wall / self._repeats[side], total.rss_mb)}

    def _once(self, side: int) -> EndedRun:
        timed = self._timed
        if timed.prepare:
            self._runs.run(timed.prepare, timed.surroundings, "prepare", timed=False)
        ended = self._runs.run(timed.commands[side], timed.surroundings, f"side{side}")
        if timed.check:
            self._check(side, ended)
        return ended

    def _check(self, side: int, ended: EndedRun) -> None:
        """InputError at an output that is not that of the baseline's first run."""
        if self._first is None:
            self._first = ended.output.rename(ended.output.with_name("first.out"))
        elif place := first_difference(self._first, ended.output):
            raise InputError(
                f"`{self._timed.commands[side]}`: its output is not that of `{self._timed.commands[0]}`: {place}. "
                "Without --check outputs are not compared."
            )


def _repeats(seconds: float) -> int:
    return min(ceil(LONG_ENOUGH / max(seconds, 1e-6)), MOST_REPEATS) if seconds < SHORT else 1


def first_difference(expected: Path, got: Path) -> str | None:
    """Words on the first line in which two files differ; None where they are alike."""
    with expected.open("rb") as ours, got.open("rb") as theirs:
        for number, (wanted, found) in enumerate(zip_longest(ours, theirs), 1):
            if wanted != found:
                return f"line {number} is {_in_words(found)} instead of {_in_words(wanted)}"
    return None


def _in_words(line: bytes | None) -> str:
    return "missing" if line is None else f"'{line.decode(errors='replace').rstrip()[:80]}'"

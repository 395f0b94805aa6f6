"""The benchmark of two commits as the two sides of a comparison: built once each, run in turn, results read by name."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from maxcode.compare.readers import READERS, BenchmarkReader, Readings
from maxcode.compare.running import EndedRun, Surroundings, TrustedRuns
from maxcode.compare.sampling import Timings
from maxcode.compare.trees import NAMES
from maxcode.core import InputError
from maxcode.evaluate.measure.pairs import Timing

CLOCKS_APART = 0.05
"""Seconds by which the clock of a file system may be behind."""

ReadText = tuple[str, Path | None]
"""A text, and the file that it is from; None for standard output."""


class BenchSides:
    """Runs one command in the folders of both commits, after one run of each to see what it prints."""

    def __init__(self, bench: str, sides: Sequence[Surroundings], runs: TrustedRuns, results: str | None) -> None:
        self._bench, self._sides, self._runs, self._results = bench, sides, runs, results
        self._reader: BenchmarkReader | None = None
        self.notes: tuple[str, ...] = ()

    def build(self, command: str) -> None:
        for name, side in zip(NAMES, self._sides, strict=True):
            try:
                self._runs.run(command, replace(side, input=None), f"build-{name}", timed=False)
            except InputError as error:
                raise InputError(f"{name} does not build: {error}") from None

    def warm_up(self, times: int) -> None:
        """Runs both sides, and finds out who reads the results of the first."""
        began = time.time()
        ended = self._runs.run(self._bench, self._sides[0], NAMES[0])
        name, found = self._recognised(self._sides[0].cwd, ended, began)
        self._reader = READERS[name] if name else None
        head = self.run(1)
        for turn in range(2 * (times - 1)):
            self.run(turn % 2)
        self.notes = tuple(self._notes(name, found, head, ended.timing.wall))

    def run(self, side: int) -> Timings:
        began = time.time()
        ended = self._runs.run(self._bench, self._sides[side], NAMES[side])
        if self._reader is None:
            return {"": ended.timing}
        found = _read(self._reader, self._texts(self._reader, self._sides[side].cwd, ended, began))
        if not found:
            raise InputError(f"`{self._bench}`: no results in {NAMES[side]} where there were some in {NAMES[0]}.")
        return found

    def _recognised(self, cwd: Path, ended: EndedRun, began: float) -> tuple[str, Readings]:
        """The reader of what a run printed or wrote, and its results; an empty name where nothing is known."""
        for name, reader in READERS.items():
            found = _read(reader, self._texts(reader, cwd, ended, began))
            if found:
                return name, found
        if self._results:
            raise InputError(
                f"--results {self._results}: `{self._bench}` writes no such file that is known; "
                f"known are {', '.join(READERS)}."
            )
        return "", {}

    def _texts(self, reader: BenchmarkReader, cwd: Path, ended: EndedRun, began: float) -> Iterator[ReadText]:
        """Texts that may hold the results: the files of this run, and then what it printed."""
        for pattern in (self._results,) if self._results else reader.files:
            for path in sorted(cwd.glob(pattern)):
                if path.is_file() and path.stat().st_mtime >= began - CLOCKS_APART:
                    yield path.read_text(errors="replace"), path
        if not self._results:
            yield ended.output.read_text(errors="replace"), None

    def _notes(self, reader: str, base: Timings, head: Timings, seconds: float) -> Iterator[str]:
        if not reader:
            yield "the bench prints no results that are known: the whole command is timed"
            return
        yield f"results read as those of {reader}; one run takes {seconds:.1f} s"
        for name, ours, theirs in ((NAMES[0], base, head), (NAMES[1], head, base)):
            if alone := sorted(ours.keys() - theirs.keys()):
                yield f"only in {name}: {', '.join(alone)}"


def _read(reader: BenchmarkReader, texts: Iterator[ReadText]) -> Readings:
    found: dict[str, Timing] = {}
    for text, path in texts:
        found.update(reader.read(text, path))
    return found

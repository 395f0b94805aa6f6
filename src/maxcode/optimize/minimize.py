"""A diff people can merge: the smallest part of the winner that keeps its speedup, and what each hunk of it gains.

Delta debugging (Zeller's ddmin) over the hunks of the diff. Every trial is judged by the evaluator side by side with
the winner, not with the baseline: between programs alike, a few per cent show in a few pairs.
"""

from __future__ import annotations

import difflib
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log
from pathlib import Path
from typing import TypeVar

from maxcode.core import Candidate, Frozen, Outcome, Status, Verdict
from maxcode.evaluate.measure.words import times
from maxcode.task.load import load_task
from maxcode.task.model import Task
from maxcode.task.ordinary import TaskVariant

NEEDED = {
    Status.REJECTED: "is rejected",
    Status.BUILD_ERROR: "does not build",
    Status.TIMEOUT: "takes too long",
    Status.CRASHED: "crashes",
    Status.WRONG: "is wrong",
}
KEPT_SHARE = 0.95
"""Share of the logarithm of a large speedup that a smaller diff must keep."""
MOST_COMPARED = 600
"""Pairs of old and new lines of a hunk up to which it is taken apart by what became of each line."""
LEAST_ALIKE = 0.6
"""Share of their letters that a line and what became of it have in common."""
SMALL_LOSS = log(1.02)
"""Logarithm that a smaller diff may lose, up to a fifth of the gain."""
MOST_PIECES = 16
"""Pieces of hunks that are left out for a trial, each by itself."""
Part = TypeVar("Part")
Judge = Callable[[Candidate], Awaitable[Outcome]]
"""Judges a candidate, timed against the winner."""
Watch = Callable[[int, int], None]
"""Called with the number of hunks left and the number of evaluations made."""


@dataclass(frozen=True)
class Hunk:
    """Lines [start, end) of a baseline file and what replaces them."""

    file: str
    start: int
    end: int
    lines: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.file}:{self.start + 1}" + (f"-{self.end}" if self.end > self.start + 1 else "")


class HunkGain(Frozen):
    """Gain of one hunk of the minimal diff."""

    hunk: str
    factor: float | None
    """Speedup with everything over speedup without this hunk; None when the rest does not work without it."""
    without: str


class Minimized(Frozen):
    candidate: Candidate
    hunks_before: int
    hunks_after: int
    evaluations: int
    gains: tuple[HunkGain, ...]


def hunks_of(task: Task, best: Candidate) -> list[Hunk]:
    found = []
    for name, after in best.files.items():
        old, new = (text.splitlines(keepends=True) for text in (task.baseline_candidate.files[name], after))
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        found += [
            Hunk(name, i1, i2, tuple(new[j1:j2])) for kind, i1, i2, j1, j2 in matcher.get_opcodes() if kind != "equal"
        ]
    return found


def parts_of(task: Task, hunk: Hunk) -> list[Hunk]:
    """The hunk in pieces that may hold by themselves: lines that were changed, inserted and removed; definitions."""
    old = task.baseline_candidate.files[hunk.file].splitlines(keepends=True)[hunk.start : hunk.end]
    if not old:
        return [Hunk(hunk.file, hunk.start, hunk.start, lines) for lines in _definitions(hunk.lines)]
    if len(old) * len(hunk.lines) > MOST_COMPARED:
        return [hunk]
    found, at, new = [], 0, 0
    for i, j in (*_alike(old, hunk.lines), (len(old), len(hunk.lines))):
        if at < i or new < j:
            found.append(Hunk(hunk.file, hunk.start + at, hunk.start + i, hunk.lines[new:j]))
        if i < len(old):
            found.append(Hunk(hunk.file, hunk.start + i, hunk.start + i + 1, (hunk.lines[j],)))
        at, new = i + 1, j + 1
    return found


def _definitions(lines: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Inserted lines, cut where a blank line is followed by one that is not indented."""
    cuts = [0, *(i for i in range(1, len(lines)) if not lines[i - 1].strip() and lines[i][:1].strip()), len(lines)]
    return [lines[a:b] for a, b in pairwise(cuts) if a < b]


def _alike(old: list[str], new: tuple[str, ...]) -> list[tuple[int, int]]:
    """Places of lines of which one came from the other, in order: the pairing that is most alike in total."""
    best: dict[tuple[int, int], tuple[float, list[tuple[int, int]]]] = {}

    def beyond(i: int, j: int) -> tuple[float, list[tuple[int, int]]]:
        return best.get((i, j), (0.0, []))

    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            alike = difflib.SequenceMatcher(None, old[i].strip(), new[j].strip()).ratio()
            total, pairs = beyond(i + 1, j + 1)
            options = [beyond(i + 1, j), beyond(i, j + 1)]
            if alike >= LEAST_ALIKE:
                options.append((total + alike, [(i, j), *pairs]))
            best[i, j] = max(options, key=lambda option: option[0])
    return beyond(0, 0)[1]


def apply_hunks(task: Task, hunks: list[Hunk]) -> Candidate:
    files = {name: text.splitlines(keepends=True) for name, text in task.baseline_candidate.files.items()}
    for hunk in reversed(sorted(hunks, key=lambda h: (h.file, h.start, h.end))):  # noqa: C413 - equal ones stay in order
        files[hunk.file][hunk.start : hunk.end] = hunk.lines
    return Candidate(files={name: "".join(lines) for name, lines in files.items()}, origin="minimize")


async def minimize(
    task: Task,
    best: Candidate,
    speedup: float,
    judge: Judge,
    *,
    most: int = 60,
    until: float = inf,
    watch: Watch = lambda *_: None,
) -> Minimized:
    """The smallest diff found within `most` evaluations that keeps the speedup, and the gain of each of its hunks.

    `until`: time of the monotonic clock after which no more evaluations begin.
    """
    hunks = hunks_of(task, best)
    known: dict[str, Outcome] = {}

    async def outcome(subset: list[Hunk]) -> Outcome | None:
        candidate = apply_hunks(task, subset)
        if candidate.id not in known:
            if len(known) >= most or time.monotonic() > until:
                return None
            known[candidate.id] = await judge(candidate)
        return known[candidate.id]

    async def good(subset: list[Hunk]) -> bool:
        found = await outcome(subset)
        enough = found is not None and keeps(found, speedup)
        watch(len(subset) if enough else 0, len(known))
        return enough

    kept = await ddmin(hunks, good)
    pieces = [part for hunk in kept for part in parts_of(task, hunk)]
    if len(pieces) > len(kept):
        kept = hunks_of(task, apply_hunks(task, await _without_each(pieces, good)))
    whole = _speedup(await outcome(kept)) if apply_hunks(task, kept).files != best.files else 1.0
    gains = []
    for hunk in kept:
        without = await outcome([other for other in kept if other is not hunk])
        if without is not None:
            rate = _speedup(without)
            gains.append(HunkGain(hunk=hunk.title, factor=whole / rate if rate else None, without=without.status.value))
    return Minimized(
        candidate=apply_hunks(task, kept),
        hunks_before=len(hunks),
        hunks_after=len(kept),
        evaluations=len(known),
        gains=tuple(gains),
    )


def keeps(found: Outcome, speedup: float) -> bool:
    """Whether a trial is correct and not slower than the winner, or by no more than a smaller diff may cost.

    An estimate that is further below is not believed where the pairs do not say `slower`: up to twice as far.
    """
    m = found.measurement if found.status is Status.OK else None
    if m is None:
        return False
    times = 1 if m.verdict is Verdict.SLOWER else 2
    return log(m.speedup) >= -times * allowance(log(speedup))


def allowance(gain: float) -> float:
    """Logarithm that a smaller diff may lose, of that of the speedup."""
    return max((1 - KEPT_SHARE) * gain, min(SMALL_LOSS, 0.2 * gain))


async def ddmin(parts: list[Part], good: Callable[[list[Part]], Awaitable[bool]]) -> list[Part]:
    """A small sublist that is good, found by leaving out halves, quarters and so on."""
    count = 2
    while len(parts) >= 2:
        size = -(-len(parts) // count)
        chunks = [parts[i : i + size] for i in range(0, len(parts), size)]
        for i, chunk in enumerate(chunks):
            rest = [part for j, other in enumerate(chunks) if j != i for part in other]
            if len(chunks) > 2 and await good(chunk):
                parts, count = chunk, 2
                break
            if rest and await good(rest):
                parts, count = rest, max(count - 1, 2)
                break
        else:
            if count >= len(parts):
                return parts
            count = min(2 * count, len(parts))
    return parts


async def _without_each(pieces: list[Hunk], good: Callable[[list[Hunk]], Awaitable[bool]]) -> list[Hunk]:
    """The pieces without those that are not needed, as far as the largest tell."""
    for piece in sorted(pieces, key=lambda each: -len(each.lines))[:MOST_PIECES]:
        rest = [other for other in pieces if other is not piece]
        if await good(rest):
            pieces = rest
    return pieces


def _speedup(outcome: Outcome | None) -> float:
    m = outcome.measurement if outcome and outcome.status is Status.OK else None
    return m.speedup if m else 0.0


@contextmanager
def made(task: Task, variant: TaskVariant) -> Iterator[Task]:
    """The variant as a task in a folder of its own, for as long as it is used."""
    folder = Path(tempfile.mkdtemp(prefix="maxcode-variant-"))
    try:
        folder.chmod(0o755)  # candidates run as another user
        shutil.copytree(task.folder, folder, dirs_exist_ok=True, symlinks=True)
        for name, text in variant.files.items():
            (folder / name).write_text(text)
        yield load_task(folder, {**task.changes, **variant.changes})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def beside_winner(outcome: Outcome, speedup: float) -> Outcome:
    """What was timed against the baseline, as if it had been timed against a winner of this speedup.

    For kinds where a winner is never put in the baseline's place: what a trial keeps of the winner's speed follows
    from the two speedups.
    """
    m = outcome.measurement
    if m is None:
        return outcome
    relative = {name: getattr(m, name) / speedup for name in ("speedup", "ci_low", "ci_high")}
    verdict = Verdict.SLOWER if relative["speedup"] < 1 else Verdict.TIE
    return outcome.model_copy(update={"measurement": m.model_copy(update={**relative, "verdict": verdict})})


def gain_in_words(gain: HunkGain) -> str:
    if gain.factor is None:
        return f"needed: without it, the program {NEEDED.get(Status(gain.without), 'cannot be timed')}"
    return times(gain.factor) if gain.factor > 1 else "no gain to be seen in time"

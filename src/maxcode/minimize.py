"""A diff people can merge: the smallest part of the winner that keeps its speedup, and what each hunk of it gains.

Delta debugging (Zeller's ddmin) over the hunks of the diff, every trial judged by the evaluator.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import log

from maxcode.core import Candidate, Frozen, Outcome, Status
from maxcode.task.model import Task

KEPT_SHARE = 0.95
"""Of the logarithm of the speedup: a smaller diff may cost this much and no more."""
Judge = Callable[[Candidate], Awaitable[Outcome]]


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


class Gain(Frozen):
    """What one hunk of the minimal diff is good for."""

    hunk: str
    factor: float | None
    """Speedup with everything over speedup without this hunk; None when the rest does not work without it."""
    without: str


class Minimized(Frozen):
    candidate: Candidate
    hunks_before: int
    hunks_after: int
    evaluations: int
    gains: tuple[Gain, ...]


def hunks_of(task: Task, best: Candidate) -> list[Hunk]:
    found = []
    for name, after in best.files.items():
        old, new = (text.splitlines(keepends=True) for text in (task.baseline_candidate.files[name], after))
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        found += [
            Hunk(name, i1, i2, tuple(new[j1:j2])) for kind, i1, i2, j1, j2 in matcher.get_opcodes() if kind != "equal"
        ]
    return found


def apply_hunks(task: Task, hunks: list[Hunk]) -> Candidate:
    files = {name: text.splitlines(keepends=True) for name, text in task.baseline_candidate.files.items()}
    for hunk in sorted(hunks, key=lambda h: (h.file, -h.start, -h.end)):
        files[hunk.file][hunk.start : hunk.end] = hunk.lines
    return Candidate(files={name: "".join(lines) for name, lines in files.items()}, origin="minimize")


async def minimize(task: Task, best: Candidate, speedup: float, judge: Judge, *, most: int = 60) -> Minimized:
    """The smallest diff found within `most` evaluations that keeps the speedup, and the gain of each of its hunks."""
    hunks = hunks_of(task, best)
    known: dict[str, Outcome] = {}

    async def outcome(subset: list[Hunk]) -> Outcome | None:
        candidate = apply_hunks(task, subset)
        if candidate.id not in known:
            if len(known) >= most:
                return None
            known[candidate.id] = await judge(candidate)
        return known[candidate.id]

    async def good(subset: list[Hunk]) -> bool:
        found = await outcome(subset)
        return found is not None and log(max(_speedup(found), 1e-9)) >= KEPT_SHARE * log(speedup)

    kept = await _ddmin(hunks, good)
    whole = _speedup(await outcome(kept)) or speedup
    gains = []
    for hunk in kept:
        without = await outcome([other for other in kept if other is not hunk])
        if without is not None:
            rate = _speedup(without)
            gains.append(Gain(hunk=hunk.title, factor=whole / rate if rate else None, without=without.status.value))
    return Minimized(
        candidate=apply_hunks(task, kept),
        hunks_before=len(hunks),
        hunks_after=len(kept),
        evaluations=len(known),
        gains=tuple(gains),
    )


async def _ddmin(hunks: list[Hunk], good: Callable[[list[Hunk]], Awaitable[bool]]) -> list[Hunk]:
    parts = 2
    while len(hunks) >= 2:
        size = -(-len(hunks) // parts)
        chunks = [hunks[i : i + size] for i in range(0, len(hunks), size)]
        for i, chunk in enumerate(chunks):
            rest = [hunk for j, other in enumerate(chunks) if j != i for hunk in other]
            if len(chunks) > 2 and await good(chunk):
                hunks, parts = chunk, 2
                break
            if rest and await good(rest):
                hunks, parts = rest, max(parts - 1, 2)
                break
        else:
            if parts >= len(hunks):
                return hunks
            parts = min(2 * parts, len(hunks))
    return hunks


def _speedup(outcome: Outcome | None) -> float:
    m = outcome.measurement if outcome and outcome.status is Status.OK else None
    return m.speedup if m else 0.0


def other_sizes(task: Task) -> list[tuple[str, dict[str, object]]]:
    """The same task at sizes that no search saw, as (what changed, changes to task.toml)."""
    found: list[tuple[str, dict[str, object]]] = []
    for factor in (0.5, 1.5):
        if task.kernel is not None:
            shapes = [{k: _scaled(v, factor) for k, v in sizes.items()} for sizes in task.kernel.shapes.timed]
            if shapes != [dict(sizes) for sizes in task.kernel.shapes.timed]:
                found.append((f"shapes {shapes}", {"kernel": {"shapes": {"timed": shapes}}}))
        elif all(workload.generator for workload in task.workloads):
            changed = [
                w.model_dump(exclude_none=True) | {"arguments": [_scaled_text(a, factor) for a in w.arguments]}
                for w in task.workloads
            ]
            arguments = "; ".join(" ".join(w["arguments"]) for w in changed)
            found.append((f"generator arguments {arguments}", {"workloads": changed}))
    return found


def _scaled(value: float, factor: float) -> float:
    return round(value * factor) if isinstance(value, int) and value >= 64 else value


def _scaled_text(text: str, factor: float) -> str:
    return str(_scaled(int(text), factor)) if text.isdigit() else text

"""Reads and judges the corpus: programs that cheat or harm, and honest ones; a header says what must come of each."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from maxcode.core import Mode, Outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.evaluate.sandbox.leftovers import left_behind
from maxcode.evaluate.sandbox.memory import PREFIX
from maxcode.task import load_task
from tests.adversarial.torch_corpus import Case

HERE = Path(__file__).parent
SAMPLING_SECONDS = 2.0
"""Most seconds for which a program is timed: the corpus asks for gains that show at once, or for none."""
LONG_SAMPLING_SECONDS = 6.0
"""The same for repositories and models, of which a pair takes longer."""


@dataclass(frozen=True)
class Attack:
    path: Path
    attack: str
    task: Path
    expect: tuple[str, ...]
    reason: str | None
    max_speedup: float | None
    min_speedup: float | None
    sanitize: bool
    mode: Mode

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def by_clock(self) -> bool:
        """Whether its verdict hangs on a clock: it may be timed to the end, or is refused since two clocks disagree."""
        return "ok" in self.expect or bool(re.search("clock disagree|tampers with the clock", self.reason or ""))


def read_attack(path: Path, tasks: Path = HERE / "tasks") -> Attack:
    fields = dict(re.findall(r"^(?://|#) (\w+): (.*)$", path.read_text().split("\n\n", 1)[0], re.MULTILINE))
    return Attack(
        path=path,
        attack=fields["attack"],
        task=tasks / fields["task"].strip(),
        expect=tuple(part.strip() for part in fields["expect"].split(",")),
        reason=fields.get("reason"),
        max_speedup=float(fields["max_speedup"]) if "max_speedup" in fields else None,
        min_speedup=float(fields["min_speedup"]) if "min_speedup" in fields else None,
        sanitize="sanitize" in fields.get("options", ""),
        mode=Mode.CONFIRM if "confirm" in fields.get("options", "") else Mode.SEARCH,
    )


def read_repository_corpus() -> list[Attack]:
    """Attacks on repositories: each stands for the one editable file of its task."""
    folder = HERE / "repositories"
    return [read_attack(path, folder) for path in sorted((folder / "attacks").iterdir())]


def read_corpus(folder: str) -> list[Attack]:
    """What lies in `programs`, or in `honest`."""
    return [read_attack(path) for path in sorted((HERE / folder).iterdir()) if path.suffix in (".cpp", ".py")]


BEFORE = frozenset(left_behind())
"""What runs that somebody killed had left before these tests began."""


def left_by_pools() -> list[str]:
    """Things left behind, but for the memory that sandboxes of this process keep until it ends."""
    return [each for each in left_behind() if f"{PREFIX}{os.getpid()}-" not in each and each not in BEFORE]


async def judge(corpus: Sequence[Attack]) -> dict[str, Outcome]:
    """The outcome of each by its name, found in one pool.

    Groups follow each other without a gap, so that no core waits for the last of a group.
    """
    groups: dict[tuple[Path, bool, Mode], list[Attack]] = {}
    for each in corpus:
        groups.setdefault((each.task, each.sanitize, each.mode), []).append(each)
    async with LocalPool(use_cache=False) as pool:
        judged = await asyncio.gather(*(_judge(pool, groups[shared]) for shared in sorted(groups)))
    return {name: outcome for group in judged for name, outcome in group.items()}


async def _judge(pool: LocalPool, group: Sequence[Attack]) -> dict[str, Outcome]:
    """Outcomes of programs of one task that are judged in the same way."""
    task, first = load_task(group[0].task), group[0]
    candidates = [task.candidate(each.path.read_text()) for each in group]
    seconds = SAMPLING_SECONDS if first.mode is Mode.SEARCH else None
    results = await pool(task, candidates, sanitize=first.sanitize, mode=first.mode, seconds=seconds)
    return {each.name: outcome for each, outcome in zip(group, results, strict=True)}


def parameters(corpus: Sequence[Attack], quick: str) -> list[Any]:
    """Each program as a parameter of a test that is `long` unless `quick` names it.

    Where the verdict hangs on a clock, the test is `timing`: a bad moment may hide a gain or look like a false clock. A
    program that must be refused for anything else has one chance.
    """
    assert set(quick.split()) <= {each.name for each in corpus}
    return [pytest.param(each, id=each.name, marks=_marks(each, quick.split())) for each in corpus]


def _marks(attack: Attack, quick: Sequence[str]) -> list[pytest.MarkDecorator]:
    unsteady = [pytest.mark.timing] if attack.by_clock else []
    return unsteady if attack.name in quick else [*unsteady, pytest.mark.long]


Named = TypeVar("Named", Attack, Case)


def collected(request: pytest.FixtureRequest, corpus: Sequence[Named]) -> list[Named]:
    """Programs of the corpus that tests of this module are run for; all of them where none is named.

    A test that is repeated then judges its own program again, and not hundreds.
    """
    tests = [item.name for item in request.session.items if item.path == request.path]
    return [each for each in corpus if any(test.endswith(f"[{each.name}]") for test in tests)] or list(corpus)

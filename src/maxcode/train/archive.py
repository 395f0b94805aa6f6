"""The best program found for each kernel and each set of techniques: what a training has discovered so far.

Cells are (task, techniques used); a cell keeps the program with the highest reward. A reward lies in (0, 100] and is
relative to the machine's roofline under the mask (see reward_scale.py), so that coverage and QD-score of runs on
different machines can be compared; GFLOPS could not. The grid itself is pyribs'.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import log
from typing import Any

from pydantic import ValidationError, field_serializer

from maxcode.core import Frozen, InputError
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded
from maxcode.train.reward.scale import MOST
from maxcode.train.techniques import Technique

TECHNIQUE_SETS = tuple(
    frozenset(chosen) for size in range(len(Technique) + 1) for chosen in combinations(Technique, size)
)


class Elite(Frozen):
    """The best program of a cell, with what it earned and reached under the mask it was found with."""

    task: str
    mask: str
    techniques: frozenset[Technique]
    reward: float
    gflops: float | None
    candidate: str

    @field_serializer("techniques")
    def _in_order(self, techniques: frozenset[Technique]) -> list[str]:
        return [each.value for each in Technique if each in techniques]


class _Saved(Frozen):
    tasks: tuple[str, ...]
    elites: tuple[Elite, ...]


class EliteArchive:
    """Elites by (task, techniques)."""

    def __init__(self, tasks: Sequence[str]) -> None:
        if not tasks or len(set(tasks)) < len(tasks):
            raise InputError(f"an archive needs tasks with names of their own, not {', '.join(tasks) or 'none'}")
        self.tasks = tuple(tasks)
        self._grid = _grid(self.tasks)
        self._elites: dict[tuple[str, frozenset[Technique]], Elite] = {}

    def add(self, problem: MaskedTask, rewarded: Rewarded) -> bool:
        """Adds a success to the archive. Returns whether it is now the best of its cell."""
        if rewarded.tier != "ok" or rewarded.candidate is None:
            return False
        return self._put(
            Elite(
                task=problem.task.name,
                mask=problem.mask.name,
                techniques=rewarded.techniques,
                reward=rewarded.reward,
                gflops=rewarded.gflops,
                candidate=rewarded.candidate,
            )
        )

    def _put(self, elite: Elite) -> bool:
        if elite.task not in self.tasks:
            raise InputError(f"the archive has no task '{elite.task}'; its tasks are {', '.join(self.tasks)}")
        cell = [elite.task, _label(elite.techniques)]
        added = self._grid.add_single(solution=0.0, objective=elite.reward / MOST, measures=cell)
        if not int(added["status"]):
            return False
        self._elites[elite.task, elite.techniques] = elite
        return True

    def __len__(self) -> int:
        return len(self._elites)

    @property
    def elites(self) -> list[Elite]:
        return list(self._elites.values())

    @property
    def coverage(self) -> float:
        """The share of cells that have an elite: of all sets of techniques, for all tasks."""
        return float(self._grid.stats.coverage)

    @property
    def qd_score(self) -> float:
        """The sum of the elites' rewards, each as a share of the highest possible one."""
        return float(self._grid.stats.qd_score)

    def examples(self, problem: MaskedTask, count: int) -> list[Elite]:
        """Elites of the problem's task that keep to its mask, slow to fast, the best of each speed bucket.

        The buckets divide the range from the slowest to the fastest evenly on a log scale; empty ones are left out.
        """
        fitting = [
            elite
            for elite in self._elites.values()
            if elite.task == problem.task.name and elite.techniques <= problem.mask.permitted and elite.gflops
        ]
        fitting.sort(key=lambda elite: (elite.gflops or 0.0, elite.candidate))
        best: dict[int, Elite] = {}
        for elite in fitting:
            best[_bucket(elite, fitting[0], fitting[-1], count)] = elite
        return [best[bucket] for bucket in sorted(best)] if count > 0 else []

    def state(self) -> dict[str, Any]:
        return _Saved(tasks=self.tasks, elites=tuple(self.elites)).model_dump(mode="json")

    def restore(self, state: dict[str, Any]) -> None:
        try:
            saved = _Saved.model_validate(state)
        except ValidationError as error:
            raise InputError(f"this is not the state of an archive: {error}") from None
        if saved.tasks != self.tasks:
            raise InputError(
                f"the archive is of the tasks {', '.join(saved.tasks)}, not of {', '.join(self.tasks)}; "
                "resume with the tasks it was begun with"
            )
        self._grid, self._elites = _grid(self.tasks), {}
        for elite in saved.elites:
            self._put(elite)


def _grid(tasks: tuple[str, ...]) -> Any:
    try:
        from ribs.archives import CategoricalArchive
    except ImportError:
        raise InputError("an archive of elites needs pyribs: pip install 'maxcode[rl]'") from None
    return CategoricalArchive(solution_dim=(), categories=[list(tasks), [_label(each) for each in TECHNIQUE_SETS]])


def _label(techniques: frozenset[Technique]) -> str:
    return "+".join(each.value for each in Technique if each in techniques) or "none"


def _bucket(elite: Elite, slowest: Elite, fastest: Elite, count: int) -> int:
    low, high, here = (log(each.gflops or 1.0) for each in (slowest, fastest, elite))
    return min(int(count * (here - low) / (high - low)), count - 1) if high > low else 0

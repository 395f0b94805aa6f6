"""Named actions: which of the rewriter's transformations apply to a program here and now, and what each makes of it.

A name on the menu is a transformation's, such as `tile`, or one with its setting, `tile(size=64)`, where several
settings are offered. It stands for one rewrite: that with the highest weight among the places where it applies.
Nothing on the menu breaks the mask of the problem. `stop` keeps the program as it is and ends the episode.
"""

from __future__ import annotations

from functools import lru_cache

from maxcode.policy.rewrite.actions import BY_NAME, language_of, rewrites, setting_of
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Rewrite
from maxcode.task.model import Task
from maxcode.train.masks import EVERYTHING, Mask, violations
from maxcode.train.problem import MaskedTask

STOP = "stop"
Menu = dict[str, str]
"""Names, each with the whole text of the program that it leads to."""


def menu(problem: MaskedTask, program: str, variants: int = 1) -> Menu:
    """Menu for a program of a problem, in the order of the rewriter, `stop` last."""
    return dict(_menu(_Place(problem.judged, problem.mask), program, variants))


def menu_of(task: Task, program: str, variants: int = 1) -> Menu:
    """Menu for a program of any task, with everything permitted."""
    return dict(_menu(_Place(task, EVERYTHING), program, variants))


class _Place:
    """A task and a mask, compared by content: what a menu depends on besides the program."""

    def __init__(self, task: Task, mask: Mask) -> None:
        self.task, self.mask = task, mask
        self._key = (task.hash, mask.permitted)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Place) and self._key == other._key


@lru_cache(maxsize=4096)
def _menu(place: _Place, program: str, variants: int) -> tuple[tuple[str, str], ...]:
    source = SourceFile(program, language_of(place.task.main_file, place.task))
    called = place.task.kind.entry(place.task)
    entry = called.function if called else None
    found: list[tuple[str, str]] = []
    for name in BY_NAME:
        for label, rewrite in _offers(name, rewrites(source, setting_of(place.task), name), variants):
            changed = apply(source, rewrite.edits).code
            if changed != program and _keeps_to(changed, place.mask, entry):
                found.append((label, changed))
    return (*found, (STOP, program))


@lru_cache(maxsize=16384)
def _keeps_to(program: str, mask: Mask, entry: str | None) -> bool:
    """Whether a program keeps to the mask. If everything is permitted, it does: the rewriter adds no libraries."""
    return not mask.forbidden or not violations(program, mask, entry)


def _offers(name: str, found: tuple[Rewrite, ...], variants: int) -> list[tuple[str, Rewrite]]:
    """The likeliest rewrites of a transformation, one for each setting, with their names."""
    by_setting: dict[str, Rewrite] = {}
    for rewrite in sorted(found, key=lambda each: -each.weight):  # stable: of equal weights, the first place
        by_setting.setdefault(rewrite.options, rewrite)
    best = list(by_setting.values())[:variants]
    if variants == 1:
        return [(name, rewrite) for rewrite in best]
    return [(f"{name}({each.options})" if each.options else name, each) for each in best]

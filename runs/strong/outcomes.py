"""Tables of the outcomes: of each task and of all, and what came after each critique."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import geometric_mean, mean, median

from arms import ARMS, DEPTH

from maxcode.bench.cell import Cell
from maxcode.core import Frozen

ALIKE = 1.02
"""Ratio up to which two speedups share a rank, and from which on a child counts as a gain."""


class CriticisedProgram(Frozen):
    """A program that got a critique, and the rewards of those made from it with the critique in view."""

    node: int
    reward: float
    said: tuple[str, ...]
    children: tuple[float, ...]


class StrongCell(Frozen):
    cell: Cell
    statuses: tuple[str, ...]
    """Status of each answer, in order."""
    parents: tuple[int, ...]
    """Number of the node that each answer was made from; 0 is the original, and answer i is node i + 1."""
    critiques: tuple[CriticisedProgram, ...]

    @property
    def speedup(self) -> float:
        """The best on the inputs that all arms are judged on; 1 if it does not hold on fresh inputs."""
        return max((1.0, *self.cell.rewards)) if self.cell.speedup > 1.0 else 1.0


Outcomes = dict[str, dict[str, StrongCell]]
"""By task and arm."""


def print_tables(out: Path) -> None:
    found: Outcomes = {}
    for file in sorted(out.glob("*/*.cell.json")):
        each = StrongCell.model_validate_json(file.read_text())
        found.setdefault(each.cell.task, {})[each.cell.method] = each
    whole = {task: arms for task, arms in found.items() if len(arms) == len(ARMS)}
    for task, arms in found.items():
        _print_task(task, arms)
    if whole:
        _print_all(whole)
        _print_pairs(whole)
    for task, arms in found.items():
        _print_critiques(task, arms)


def _print_task(task: str, arms: dict[str, StrongCell]) -> None:
    print(f"\n{task}\n{'':22} speedup  afresh  correct  by depth{'':17} tokens  of critiques  other answers")
    for name in filter(arms.__contains__, ARMS):
        cell, statuses = arms[name].cell, Counter(arms[name].statuses)
        right = statuses.pop("ok", 0)
        depths = " ".join(f"{each:6.3g}" for each in _by_depth(cell))
        other = ", ".join(f"{count} {status}" for status, count in statuses.items())
        figures = f"{arms[name].speedup:8.3g} {cell.speedup:7.3g} {right:5} of {cell.evals:<3} {depths:27}"
        print(f"{name:22}{figures} {cell.tokens:7} {cell.critique_tokens:13}  {other}")


def _print_all(found: Outcomes) -> None:
    print(f"\n{len(found)} tasks with all arms{'':3} median  mean rank  fast_1  gained  median by depth{'':14} tokens")
    for name in ARMS:
        cells = [arms[name] for arms in found.values()]
        ranks = mean(_rank(name, arms) for arms in found.values())
        fast = mean(each.speedup > 1.0 for each in cells)
        depths = " ".join(
            f"{median(each):6.3g}" for each in zip(*(_by_depth(each.cell) for each in cells), strict=True)
        )
        figures = f"{median(each.speedup for each in cells):8.3g} {ranks:10.2f} {fast:7.2f} {_gained(cells):7.0%}"
        print(f"{name:24} {figures}  {depths:29} {sum(each.cell.tokens for each in cells):6}")


def _gained(cells: list[StrongCell]) -> float:
    """Share of the expanded programs, those of the first round apart, from which a faster one was made."""
    found = []
    for each in cells:
        reward = (1.0, *each.cell.rewards)
        for parent in set(each.parents) - {0}:
            children = [reward[i] for i, above in enumerate(each.parents, 1) if above == parent]
            found.append(max(children) > ALIKE * reward[parent])
    return mean(found) if found else 0.0


def _print_pairs(found: Outcomes) -> None:
    """What `+maxcode` adds to its base, paired over tasks: the geometric mean of the ratios."""
    for base in (name for name in ARMS if f"{name}+maxcode" in ARMS):
        ratios = [arms[f"{base}+maxcode"].speedup / arms[base].speedup for arms in found.values()]
        better, worse = (sum(each > ALIKE for each in side) for side in (ratios, [1 / ratio for ratio in ratios]))
        figures = f"{geometric_mean(ratios):.3g}x, better on {better}, worse on {worse}, alike on the rest"
        print(f"{base}+maxcode to {base}: {figures}")


def _by_depth(cell: Cell) -> list[float]:
    """Best reward within 1, 2, ... steps from the original; of `flat`, within as many rounds."""
    if cell.method == "flat":
        return [max((1.0, *cell.rewards[: len(cell.rewards) * depth // DEPTH])) for depth in range(1, DEPTH + 1)]
    best = cell.best_by_depth()[1:]
    return [*best, *([best[-1] if best else 1.0] * (DEPTH - len(best)))]


def _rank(name: str, arms: dict[str, StrongCell]) -> float:
    """Rank of an arm on a task by speedup, 1 for the best; those that are alike share the mean of their ranks."""
    own = arms[name].speedup
    better = sum(each.speedup > own * ALIKE for each in arms.values())
    alike = sum(own / ALIKE <= each.speedup <= own * ALIKE for each in arms.values())
    return better + (alike + 1) / 2


def _print_critiques(task: str, arms: dict[str, StrongCell]) -> None:
    """Each criticised program: its reward, those of the programs made from it, and what the critique said."""
    for name in filter(arms.__contains__, ARMS):
        for each in arms[name].critiques:
            after = ", ".join(f"{reward:.3g}" for reward in each.children) or "nothing"
            gained = "gain" if max(each.children, default=0.0) > ALIKE * each.reward else "no gain"
            said = " | ".join(" ".join(what.split())[:90] for what in each.said)
            print(f"{task} {name} #{each.node}: {each.reward:.3g} -> {after} ({gained}): {said}")

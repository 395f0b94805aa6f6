"""Search methods as data. Each is a few settings of the one loop in search.py; see docs/strategies.md for the papers.

`NAME+maxcode` adds critique, trajectory, best and u to what the policy sees, `NAME+critique` the critique alone,
`NAME+examples` solved cases of other tasks; `NAME+ucb` and `NAME+value` rank states by an upper confidence bound and
by a trained model instead of their own reward.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from maxcode.core import InputError
from maxcode.search.observe.observation import BLOCKS, Block
from maxcode.search.select.archive import Archive, by_size_and_loops
from maxcode.search.select.rules import Select, beam, fastest_of_round, flat, islands, puct, rolled_out, single_path

ValueName = Literal["reward", "ucb", "model"]


HEDGE = 0.5


@dataclass(frozen=True)
class Strategy:
    """What is observed, how states are valued and selected, and what is criticised."""

    name: str
    select: Callable[[], Select]
    """Makes the selection rule of one run."""
    blocks: frozenset[Block] = frozenset()
    value: ValueName = "reward"
    by_value: bool = True
    """Whether the rule looks at values at all."""
    critique: Literal["none", "expanded", "all"] = "none"
    profile: bool = False
    """Whether feedback carries profile facts (hot lines, compiler remarks)."""
    screen: float | None = None
    """Share of the proposals that is evaluated, the most promising first; all when None."""
    hedge: float = HEDGE
    """Share of a screen's places that chance gives away: what a model thinks little of, round after round, may be what
    the search needs."""


STRATEGIES: dict[str, Strategy] = {
    "flat": Strategy("flat", lambda: flat(samples=8), by_value=False),
    "effi-learner": Strategy("effi-learner", lambda: single_path(depth=2), profile=True, by_value=False),
    "paths": Strategy("paths", lambda: single_path(depth=6), profile=True, by_value=False),
    "rollouts": Strategy("rollouts", lambda: rolled_out(samples=6, length=3, depth=3), profile=True),
    "cuda-llm": Strategy("cuda-llm", lambda: fastest_of_round(samples=8, depth=8)),
    "beam": Strategy("beam", lambda: beam(width=3, samples=3, depth=8)),
    "mcts": Strategy("mcts", lambda: puct(samples=3, depth=8, exploration=1.0, batch=2)),
    "evolve": Strategy(
        "evolve",
        lambda: islands(count=3, samples=8, migration_every=6, archive=lambda: Archive(by_size_and_loops)),
        by_value=False,
    ),
}


ADDITIONS = ("maxcode", "critique", "examples", "ucb", "value")


def additions(base: str) -> tuple[str, ...]:
    """What can be added to a strategy."""
    return tuple(each for each in ADDITIONS if each not in ("ucb", "value") or STRATEGIES[base].by_value)


def strategy(name: str) -> Strategy:
    """The strategy of a name such as `cuda-llm`, `mcts+maxcode` or `beam+maxcode+value`."""
    base, *added = name.split("+")
    if base not in STRATEGIES:
        raise InputError(f"--strategy {name}: '{base}' is not known; use one of: {', '.join(STRATEGIES)}.")
    found = STRATEGIES[base]
    for addition in added:
        if addition == "maxcode":
            blocks: frozenset[Block] = frozenset({"critique", "trajectory", "best"})
            found = replace(found, blocks=found.blocks | blocks, critique="expanded", profile=True)
        elif addition in ADDITIONS and addition not in additions(base):
            raise InputError(f"--strategy {name}: '{base}' does not choose by value; leave '+{addition}' out.")
        elif addition in ("value", "ucb"):
            found = replace(found, value="model" if addition == "value" else "ucb")
        elif addition == "critique":
            found = replace(found, blocks=found.blocks | {"critique"}, critique="expanded", profile=True)
        elif addition == "examples":
            found = replace(found, blocks=found.blocks | {"examples"})
        else:
            raise InputError(
                f"--strategy {name}: '+{addition}' is not known; use {', '.join(f'+{each}' for each in ADDITIONS)}."
            )
    return replace(found, name=name)


def with_blocks(found: Strategy, names: str) -> Strategy:
    """The strategy with exactly these observation blocks, given as `best,trajectory,critique`, or `none`."""
    wanted = [name.strip() for name in names.split(",") if name.strip() and name.strip() != "none"]
    unknown = [name for name in wanted if name not in BLOCKS]
    if unknown:
        raise InputError(f"--observe {names}: '{unknown[0]}' is not known; use any of: {', '.join(BLOCKS)}, or none.")
    blocks = frozenset(block for block in BLOCKS if block in wanted)
    critique = (
        found.critique
        if "critique" in blocks and found.critique != "none"
        else "expanded"
        if "critique" in blocks
        else "none"
    )
    return replace(found, blocks=blocks, critique=critique)

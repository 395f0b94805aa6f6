"""A search method as data: a few settings of the one loop, and what can be added to any of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from maxcode.core import InputError
from maxcode.search.mdp import Return
from maxcode.search.observe.observation import BLOCKS, BestOf, Block
from maxcode.search.rewards import Ranking
from maxcode.search.selection import Contenders, Expansion, Select, Values
from maxcode.search.tree import Node, Tree

CritiqueOf = Literal["root", "attempts", "both"]
ValueName = Literal["reward", "ucb", "model"]
HEDGE = 0.5


@dataclass(frozen=True)
class Strategy:
    """What is observed, how states are valued and selected, and what is criticised."""

    name: str
    select: Callable[[], Select]
    """Makes the selection rule of one run; a `partial` of the rule shows its sizes in the reference."""
    about: str = ""
    """Rule of selection, in words."""
    paper: str = ""
    blocks: frozenset[Block] = frozenset()
    value: ValueName = "reward"
    by_value: bool = True
    """Whether the rule looks at values at all."""
    contenders: Contenders | None = None
    """Programs among which the rule is about to choose the best; None where it does not choose that way. They are
    raced."""
    ranking: Ranking = "posterior"
    by_backup: bool = False
    """Whether the rule looks at what the tree backs up from below a state."""
    returns: Return = "max"
    """What the tree backs up: the best reward below, or for ablation the usual mean of sums."""
    gamma: float = 1.0
    """Discount: the weight of a reward that comes one step later."""
    single_path: bool = False
    """Whether each program is made from the last one, so that states to compare are on different paths."""
    best: BestOf = "tree"
    """Whose best program the block `best` shows: the whole tree's, or that of the way to the current program."""
    critique: Literal["none", "expanded", "all"] = "none"
    critique_of: CritiqueOf = "both"
    """Whether the root, the attempts or both get critiques."""
    profile: bool = False
    """Whether feedback carries profile facts (hot lines, compiler remarks)."""
    ahead: int = 0
    """Programs that may be without a verdict when the next round is selected; with 0, rounds follow one another."""
    whole_rounds: bool = False
    """Whether the rule compares all programs of a round, so that nothing may be asked for ahead of its end."""
    screen: float | None = None
    """Share of the proposals that is evaluated, the most promising first; all when None."""
    hedge: float = HEDGE
    """Share of the screened places that go to random proposals, so that a program is not left out in every round only
    because a model scores it low."""

    def criticises(self, node: Node) -> bool:
        """Whether a node gets a critique, if it is one of those that are criticised."""
        return self.critique_of == "both" or (self.critique_of == "root") == (node.parent is None)


def one_by_one(found: Strategy) -> Strategy:
    """The strategy asking for one program at a time, so that each verdict is known before the next program is made."""

    def select() -> Select:
        rule = found.select()

        def first(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
            return [replace(each, samples=1) for each in rule(tree, values, rng)[:1]]

        return first

    return replace(found, select=select)


@dataclass(frozen=True)
class Addition:
    """A change to any strategy that it fits, written `NAME+ADDITION`."""

    about: str
    change: Callable[[Strategy], Strategy]
    fits: Callable[[Strategy], bool] = lambda _: True
    where: str = ""
    """Strategies that it fits, in words that follow its name; empty for all."""
    paper: str = ""


def _seeing(*blocks: Block) -> Callable[[Strategy], Strategy]:
    """Adds blocks to what the policy sees; a critique rests on a profile."""
    criticised = "critique" in blocks

    def change(found: Strategy) -> Strategy:
        seen = replace(found, blocks=found.blocks | frozenset(blocks))
        return replace(seen, critique="expanded", profile=True) if criticised else seen

    return change


ADDITIONS: dict[str, Addition] = {
    "maxcode": Addition(
        "shows the policy the critique, the trajectory, the best so far and u, with profile facts, and a line for each "
        "other attempt",
        _seeing("critique", "trajectory", "best", "attempts"),
        paper="MaxCode, arXiv 2601.05475",
    ),
    "critique": Addition(
        "shows the policy the critique, with profile facts", _seeing("critique"), paper="ablation of `+maxcode`"
    ),
    "examples": Addition(
        "shows the policy the three nearest solved cases of other tasks, from all journals",
        _seeing("examples"),
        paper="LOOPRAG, in small",
    ),
    "ucb": Addition(
        "ranks states by an upper confidence bound (UCB1 over the best below each) instead of their own reward",
        lambda found: replace(found, value="ucb"),
        fits=lambda found: found.by_value,
        where="where states are ranked",
        paper="UCB",
    ),
    "value": Addition(
        "ranks states by a trained reward-to-go model instead of their own reward",
        lambda found: replace(found, value="model"),
        fits=lambda found: found.by_value,
        where="where states are ranked",
        paper="MaxCode, arXiv 2601.05475",
    ),
    "sum": Addition(
        "backs up the usual value, own reward plus the mean of what follows, instead of the best below",
        lambda found: replace(found, returns="sum"),
        fits=lambda found: found.by_backup,
        where="where the tree's backup decides",
        paper="ablation of the max backup",
    ),
}


SETTINGS = {"best": ("tree", "path"), "critique": ("both", "root", "attempts")}
"""Blocks that have settings, written `best=path`, the usual one first."""


def with_blocks(found: Strategy, names: str) -> Strategy:
    """The strategy with exactly these observation blocks, given as `best=path,trajectory,critique`, or `none`."""
    given = [name.strip() for name in names.split(",") if name.strip() and name.strip() != "none"]
    wanted = {name: setting for name, _, setting in (each.partition("=") for each in given)}
    for name, setting in wanted.items():
        if name not in BLOCKS or (setting and setting not in SETTINGS.get(name, ())):
            told = f"{name}={setting}" if setting and name in BLOCKS else name
            forms = ", ".join("|".join([each, *(f"{each}={s}" for s in SETTINGS.get(each, ())[1:])]) for each in BLOCKS)
            raise InputError(f"--observe {names}: '{told}' is not known; use any of: {forms}, or none.")
    critique = found.critique if found.critique != "none" else "expanded"
    return replace(
        found,
        blocks=frozenset(block for block in BLOCKS if block in wanted),
        best="path" if wanted.get("best") == "path" else "tree",
        critique=critique if "critique" in wanted else "none",
        critique_of=_OF.get(wanted.get("critique", ""), "both"),
    )


_OF: dict[str, CritiqueOf] = {"root": "root", "attempts": "attempts"}

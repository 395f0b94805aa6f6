"""Results of one cell: the figures that tables, curves and tests are made from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

from maxcode.core import Frozen, Measurement, Outcome, Status
from maxcode.search.budget import Spent
from maxcode.search.tree import Tree


class RoundSummary(Frozen):
    """Spending and best reward of a search after one of its rounds."""

    evals: int
    tokens: int
    """Tokens so far, those of critiques and values included."""
    usd: float | None
    seconds: float
    best: float

    @classmethod
    def of(cls, tree: Tree, spent: Spent) -> RoundSummary:
        total = spent.total
        best = max(tree.best.reward, 1.0)
        return cls(evals=spent.evals, tokens=total.tokens, usd=total.usd, seconds=spent.seconds, best=best)


class Cell(Frozen):
    """A search's results. Curves hold rewards (0 for what did not work) in the order of the evaluations."""

    task: str
    method: str
    seed: int
    run: str
    problem: str | None = None
    """Why there was nothing to search: the task itself is not sound. Such cells are left out of the statistics."""
    best: str = ""
    """Id of the best program."""
    speedup: float = 1.0
    """Speedup of the best program, measured afresh; 1 where nothing was better than the baseline."""
    ci_low: float = 1.0
    ci_high: float = 1.0
    over_compiled: float | None = None
    """Speedup of the finalist over torch.compile of the baseline; None where that was not measured."""
    rewards: tuple[float, ...] = ()
    depths: tuple[int, ...] = ()
    built: int = 0
    right: int = 0
    changed: int = 0
    """Evaluations of programs that differ from all before them in this search."""
    rounds: tuple[RoundSummary, ...] = ()
    evals: int = 0
    tokens: int = 0
    critique_tokens: int = 0
    usd: float | None = None
    seconds: float = 0.0

    def best_within(self, cost: Literal["tokens", "usd", "seconds"], limit: float) -> float:
        """Best reward of the rounds whose cost so far is within the limit; at least 1."""
        return max([1.0, *(each.best for each in self.rounds if (getattr(each, cost) or 0.0) <= limit)])

    def best_by_depth(self) -> list[float]:
        """Best reward within the first d steps from the root, for d = 0, 1, ..."""
        deepest = max(self.depths, default=0)
        per_depth = [
            max((r for r, d in zip(self.rewards, self.depths, strict=True) if d == depth), default=0.0)
            for depth in range(1, deepest + 1)
        ]
        return list(accumulate((1.0, *per_depth), max))


def cell_of(
    tree: Tree,
    spent: Spent,
    rounds: Sequence[RoundSummary],
    *,
    method: str,
    seed: int,
    run: str,
    confirmed: Outcome | None,
) -> Cell:
    nodes = tree.nodes[1:]
    total = spent.total
    measured = _measured(confirmed)
    return Cell(
        task=tree.task.name,
        method=method,
        seed=seed,
        run=run,
        best=tree.best.candidate.id,
        speedup=max(measured.speedup, 1.0) if measured else 1.0,
        ci_low=measured.ci_low if measured else 1.0,
        ci_high=measured.ci_high if measured else 1.0,
        over_compiled=confirmed.measurement.speedup_compiled if confirmed and confirmed.measurement else None,
        rewards=tuple(node.reward for node in nodes),
        depths=tuple(node.depth for node in nodes),
        built=sum(node.outcome.status not in (Status.REJECTED, Status.BUILD_ERROR) for node in nodes),
        right=sum(node.correct for node in nodes),
        changed=len({node.candidate.id for node in tree if node.candidate.files}) - 1,
        rounds=tuple(rounds),
        evals=spent.evals,
        tokens=total.tokens,
        critique_tokens=spent.critique.tokens,
        usd=total.usd,
        seconds=spent.seconds,
    )


def _measured(outcome: Outcome | None) -> Measurement | None:
    """Fresh measurement, if it confirms the improvement; else None."""
    m = outcome.measurement if outcome and outcome.status is Status.OK else None
    return m if m and m.ci_low > 1.0 else None

"""The best so far against what it cost, round by round."""

from __future__ import annotations

from maxcode.bench.cell import RoundSummary
from maxcode.optimize.recorded import Recorded
from maxcode.report.nodes import figure


def rounds_of(run: Recorded) -> list[RoundSummary]:
    """Spending and the best reward at the beginning of each round, and at the end."""
    best, seen, found = 1.0, 0, []
    for each in run.rounds:
        best = max([best, *(node.reward for node in run.tree.nodes[seen : each.nodes])])
        seen, total = each.nodes, each.spent.total
        found.append(
            RoundSummary(
                evals=each.spent.evals, tokens=total.tokens, usd=total.usd, seconds=each.spent.seconds, best=best
            )
        )
    return found


def curve(run: Recorded) -> list[list[float | None]]:
    """Programs, tokens, USD, seconds and the best, as the page draws them."""
    return [
        [each.evals, each.tokens, figure(each.usd), figure(each.seconds), figure(each.best)] for each in rounds_of(run)
    ]

"""Budget of a search, and what the search has used of it."""

from __future__ import annotations

from maxcode.core import Cost, Frozen

PAIRS_AS_EVALUATION = 10
"""Number of pairs taken in races that count as one evaluation: about as many as a new program gets."""


class Budget(Frozen):
    """Limits that end a search; None is no limit. Every program asked for is an evaluation, with code or without."""

    evals: int | None = 64
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None
    race: float = 0.05
    """Share of the evaluations that may go into races: further pairs of programs that are too close to choose from."""
    confirm_seconds: float | None = 120.0
    """Most seconds for which a finalist is sampled afresh, after the search."""

    def pairs_to_race(self, spent: Spent) -> int:
        """Number of pairs that races may still take. The allowance grows with the programs that were asked for."""
        return int(self.race * spent.evals * PAIRS_AS_EVALUATION) - spent.race_pairs


class Spent(Frozen):
    """Spending of a search so far."""

    evals: int = 0
    cost: Cost = Cost()
    critique: Cost = Cost()
    value: Cost = Cost()
    """Cost of valuing states and of screening proposals."""
    seconds: float = 0.0
    race_pairs: int = 0
    """Number of pairs that were taken in races."""
    race_seconds: float = 0.0

    @property
    def raced_evals(self) -> int:
        """Number of evaluations that the pairs of races count as."""
        return self.race_pairs // PAIRS_AS_EVALUATION

    @property
    def total(self) -> Cost:
        return self.cost + self.critique + self.value

    def room(self, budget: Budget) -> int:
        """Number of programs that may still be asked for; 0 once tokens, USD or seconds are used up."""
        total = self.total
        over = (
            (budget.tokens is not None and total.tokens >= budget.tokens)
            or (budget.usd is not None and (total.usd or 0.0) >= budget.usd)
            or (budget.seconds is not None and self.seconds >= budget.seconds)
        )
        if over:
            return 0
        return 1_000_000 if budget.evals is None else max(budget.evals - self.evals - self.raced_evals, 0)

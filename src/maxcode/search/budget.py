"""Budget of a search, and what the search has used of it."""

from __future__ import annotations

from maxcode.core import Cost, Frozen


class Budget(Frozen):
    """Limits that end a search; None is no limit. Every program asked for is an evaluation, with code or without."""

    evals: int | None = 64
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


class Spent(Frozen):
    """What a search has used so far."""

    evals: int = 0
    cost: Cost = Cost()
    critique: Cost = Cost()
    value: Cost = Cost()
    """Cost of valuing states and of screening proposals."""
    seconds: float = 0.0

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
        return 0 if over else 1_000_000 if budget.evals is None else max(budget.evals - self.evals, 0)

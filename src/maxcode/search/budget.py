"""When a search stops, and what it has used so far."""

from __future__ import annotations

from maxcode.core import Cost, Frozen


class Budget(Frozen):
    """When to stop. A program asked for counts as an evaluation, whether it had code in it or not."""

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
    """Of valuing states and screening proposals."""
    seconds: float = 0.0

    @property
    def total(self) -> Cost:
        return self.cost + self.critique + self.value

    def room(self, budget: Budget) -> int:
        """How many more programs may be asked for."""
        total = self.total
        over = (
            (budget.tokens is not None and total.tokens >= budget.tokens)
            or (budget.usd is not None and (total.usd or 0.0) >= budget.usd)
            or (budget.seconds is not None and self.seconds >= budget.seconds)
        )
        return 0 if over else 1_000_000 if budget.evals is None else max(budget.evals - self.evals, 0)

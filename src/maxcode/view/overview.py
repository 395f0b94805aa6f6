"""What is known of each run without making its tree: enough to list it and to say how it goes."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from maxcode.bench.runner import is_bench
from maxcode.core import Cost, Outcome, Verdict
from maxcode.optimize.run import SearchSettings
from maxcode.report.nodes import figure
from maxcode.search.mdp import TIE_REWARD, reward
from maxcode.store.journal import CLOSED, OPENED, Event, RunInfo, over_in_words
from maxcode.store.schema import ANSWERED
from maxcode.system.processes import Process

QUIET = 120.0
"""Seconds without an event after which a run whose process is not known counts as stopped."""
MOST_HEADS = 200


@dataclass(frozen=True)
class Best:
    reward: float
    speedup: float
    low: float
    high: float
    claimed: bool = False


@dataclass
class RunOverview:
    """Overview of one run, updated event by event."""

    info: RunInfo
    last: int = 0
    time: float = 0.0
    programs: int = 0
    cost: Cost = field(default_factory=Cost)
    best: Best | None = None
    finished: bool = False
    refusal: str | None = None
    """Why it could not begin or go on."""
    cells: int = 0
    step: float | None = None
    bench: str | None = None
    """The benchmark that a run is part of."""
    process: Process | None = None
    left: bool = False
    """Whether the last session of the run ended in good order."""
    session: dict[str, Any] = field(default_factory=dict)
    """Fields of the run's `session.opened` events; of each field, the last value."""
    asked: Counter[str] = field(default_factory=Counter)
    heads: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MOST_HEADS))

    @cached_property
    def kind(self) -> str:
        if is_bench(self.info):
            return "bench"
        if self.info.task.startswith("rl:") or self.info.settings.get("kind") == "rl":
            return "rl"
        try:
            SearchSettings.model_validate(self.info.settings)
        except ValidationError:
            return "other"
        return "search"

    @cached_property
    def total(self) -> int | None:
        """Programs, searches or steps that were asked for."""
        settings = self.info.settings
        if is_bench(self.info):
            return len(settings["tasks"]) * len(settings["methods"]) * len(settings["seeds"])
        found = _within(settings, "budget", "evals") or settings.get("steps")
        return found if isinstance(found, int) else None

    @property
    def state(self) -> str:
        if self.finished or (is_bench(self.info) and self.cells == self.total):
            return "finished"
        if self.refusal is not None:
            return "refused"
        if self.left:
            return self._over
        if self.process is not None:
            return "running" if self.process.alive else self._over
        return "active" if time.time() - self.time < QUIET else "stopped"

    @property
    def _over(self) -> str:
        """Word for a run whose last session is over: an agent's is not resumed."""
        return over_in_words(self.info)

    def absorb(self, event: Event) -> None:
        self.last, self.time = event.number, event.time
        self.heads.append({"number": event.number, "time": event.time, "kind": event.kind, "key": event.key[:80]})
        kind, _, stage = event.kind.rpartition(".")
        if stage == "asked":
            self.asked[kind] += 1
        elif stage == "answered":
            self.asked[kind] -= 1
        elif event.kind == OPENED:
            self.asked.clear()
            self.refusal = None
            self._opened(event.payload)
        elif event.kind == CLOSED:
            self.left = True
        elif event.kind == "refused":
            self.refusal = event.payload["reason"]
        elif stage == "finished":
            self._finished(event.payload)
        if event.kind == ANSWERED:
            self._proposed(event.payload)
        elif event.kind == "critic.answered":
            self._spend(event.payload.get("cost"))
        elif event.kind == "evaluate.answered":
            self._judged(event.payload)
        elif event.kind == "cell.answered":
            self.cells += 1
        step = event.payload.get("step")
        if isinstance(step, int | float):
            self.step = step

    def row(self) -> dict[str, Any]:
        settings, best = self.info.settings, self.best
        return {
            "run": self.info.id,
            "task": self.info.task,
            "kind": self.kind,
            "strategy": _words(settings.get("strategy") or settings.get("curriculum")),
            "policy": _words(settings.get("policy") or _within(settings, "config", "base")),
            "state": self.state,
            "refusal": self.refusal,
            "done": self.cells if is_bench(self.info) else self.programs or self.step or 0,
            "total": self.total,
            "speedup": figure(best.speedup) if best else None,
            "low": figure(best.low) if best else None,
            "high": figure(best.high) if best else None,
            "claimed": best.claimed if best else False,
            "tokens": self.cost.tokens,
            "usd": figure(self.cost.usd),
            "started": self.info.started,
            "last": self.last,
            "heard": self.time,
            "bench": self.bench,
        }

    def cell(self, payload: dict[str, Any]) -> None:
        """Takes in the results that a benchmark notes for the run of one of its cells."""
        self.finished = True
        speedup, low, high = (float(payload[name]) for name in ("speedup", "ci_low", "ci_high"))
        self.best = Best(low, speedup, low, high, claimed=True) if low > 1.0 else None
        usd = payload.get("usd")
        self.cost = Cost(prompt_tokens=int(payload.get("tokens", 0)), usd=usd)

    def _opened(self, payload: dict[str, Any]) -> None:
        """Takes in a new session. One that names no process keeps the last known process, unless that has ended."""
        self.session, self.left = {**self.session, **payload}, False
        if "process" in payload:
            self.process = Process.model_validate(payload["process"])
        elif self.process is not None and not self.process.alive:
            self.process = None

    def _finished(self, payload: dict[str, Any]) -> None:
        """Takes in the end of a run; a search's end also has its result and its cost."""
        self.finished = True
        outcome = payload.get("confirmed")
        self.best = _best(Outcome.model_validate(outcome), claimed=True) if outcome else None
        spent = payload.get("spent")
        if isinstance(spent, dict):
            parts = [Cost.model_validate(spent[name]) for name in ("cost", "critique", "value") if name in spent]
            self.cost = sum(parts, Cost())

    def _proposed(self, payload: dict[str, Any]) -> None:
        for proposal in payload.get("proposals", ()):
            self.programs += 1
            self._spend(proposal.get("cost"))

    def _spend(self, cost: Any) -> None:
        if cost:
            self.cost += Cost.model_validate(cost)

    def _judged(self, payload: dict[str, Any]) -> None:
        found = _best(Outcome.model_validate(payload))
        if found and found.reward > (self.best.reward if self.best else 1.0):
            self.best = found


def _best(outcome: Outcome, *, claimed: bool = False) -> Best | None:
    m, earned = outcome.measurement, reward(outcome)
    if m is None or earned <= (1.0 if m.verdict is Verdict.FASTER else TIE_REWARD) or (claimed and m.ci_low <= 1.0):
        return None
    return Best(earned, m.speedup, m.ci_low, m.ci_high, claimed)


def _within(settings: dict[str, Any], part: str, name: str) -> object:
    found = settings.get(part)
    return found.get(name) if isinstance(found, dict) else None


def _words(value: object) -> str | None:
    return None if value is None else str(value)

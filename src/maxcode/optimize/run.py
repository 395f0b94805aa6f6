"""From a task to a claim: search, then measure the finalist afresh, and claim only what the new figures bear out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from math import log
from typing import Any

from maxcode.config import Config
from maxcode.core import Candidate, Fact, Frozen, InputError, Mode, Outcome, Status
from maxcode.critic.choose import choose_critic, paid_critics
from maxcode.evaluate.pool import Pool
from maxcode.optimize.changes import Change, changes_of
from maxcode.optimize.minimize import KEPT_SHARE, HunkGain
from maxcode.optimize.reducing import MOST_SECONDS, measured_afresh, reduced
from maxcode.optimize.steps import steps_of
from maxcode.optimize.tidy import changed_lines
from maxcode.optimize.verdicts import Verdicts, verdicts_of
from maxcode.policy.choose import choose_policy, models_of
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import Searched, search
from maxcode.search.observe.retrieval import Solved, nearest, solved, solved_cases
from maxcode.search.parts import Critic, Judged, Parts, Policy, Retrieve, Screen, Value
from maxcode.search.rewards import Ranking, looks_faster
from maxcode.search.strategies import DEFAULT, strategy
from maxcode.search.strategy import HEDGE, Strategy, one_by_one, with_blocks
from maxcode.search.tree import Tree
from maxcode.search.values import any_proposal, any_state, novelty, own_reward
from maxcode.store.journal import Journal
from maxcode.task.model import Task
from maxcode.value.model import SHIPPED, endpoints_of, load_models, model_screen, model_value

BASELINE_SECONDS = 1.0
"""Most seconds for which the baseline is timed beside itself: it is a tie, however many pairs are taken."""
FINALISTS = 2
"""Number of programs that are measured afresh at most: the second only if the first does not hold."""
NOISE = log(1.03)
"""Logarithm by which speedups in a search are not told apart: the program with the fewest changed lines is chosen."""
AHEAD = 4
"""Programs that may be without a verdict when a model is asked for more, unless a run says otherwise: what asking ahead
costs in knowledge it is about worth in time (lab/LOG.md, 2026-11-18)."""


class SearchSettings(Frozen):
    """Everything a run depends on besides the answers of models and machines; kept in the journal."""

    task: str
    policy: str
    strategy: str = DEFAULT
    critic: str = "rules"
    observe: str | None = None
    ahead: int = 0
    """Programs that may be without a verdict when more are asked for; 0 for one round after the other."""
    screen: float | None = None
    hedge: float = HEDGE
    """Share of the screened places that go to random proposals."""
    value: str = SHIPPED
    """Model of +value and of screening: `light`, a file, a folder or openai:MODEL. `none` screens by novelty, `random`
    by chance."""
    budget: Budget = Budget()
    seed: int = 0
    prompts: str = ""
    """Hash of the prompt texts."""
    minimize: bool = False
    """Whether the winner's diff is reduced to what its speed needs."""
    singly: bool = False
    """Whether programs are asked for one at a time, as an agent's are."""
    ranking: Ranking = "posterior"
    """Number that programs are ranked by; runs that were recorded before there was a choice used the lower bound."""


class Result(Frozen):
    """Result of a run."""

    run: str
    best: Candidate
    confirmed: Outcome | None
    """The finalist's fresh measurement; None when nothing was worth confirming."""
    spent: Spent
    """Spending of the search, without the confirmation of its finalists."""
    nodes: int
    depth: int
    winner: str | None = None
    """Id of the program of the search that `best` was reduced from; None where `best` is as the search found it."""
    hunks: tuple[HunkGain, ...] = ()
    """Gains of the hunks of the best program's diff, as far as they were measured."""
    changes: tuple[Change, ...] = ()
    """Changes of the best program, in words."""
    verdicts: Verdicts | None = None
    """What became of the programs of the search; None in runs that did not keep it."""
    confirming_seconds: float = 0.0
    """Seconds that the fresh measurement of the finalist took; of two, if the first did not hold."""
    reducing_seconds: float = 0.0
    """Seconds in which the diff was reduced, the fresh measurement of what came of it among them."""

    @property
    def improved(self) -> bool:
        """Whether the finalist is correct and the lower bound of its fresh interval is above 1."""
        m = self.confirmed.measurement if self.confirmed and self.confirmed.status is Status.OK else None
        return m is not None and m.ci_low > 1.0

    def summary(self) -> dict[str, Any]:
        m = self.confirmed.measurement if self.confirmed else None
        total = self.spent.total
        return {
            "run": self.run,
            "improved": self.improved,
            "speedup": m.speedup if m else None,
            "ci_low": m.ci_low if m else None,
            "ci_high": m.ci_high if m else None,
            "evals": self.spent.evals,
            "tokens": total.tokens,
            "critique_tokens": self.spent.critique.tokens,
            "usd": total.usd,
            "seconds": round(self.spent.seconds, 2),
            "confirming_seconds": round(self.confirming_seconds, 2),
            "race_pairs": self.spent.race_pairs,
            "race_seconds": round(self.spent.race_seconds, 2),
            "nodes": self.nodes,
            "depth": self.depth,
        }


@dataclass(frozen=True)
class Watch:
    """Keeps the latest tree, what was spent and all verdicts, for displays."""

    states: list[tuple[Tree, Spent]]
    told: list[float] = field(default_factory=list)
    """Time of the last call, in seconds of the monotonic clock; empty before the first."""
    verdicts: list[Judged] = field(default_factory=list)
    """Verdicts in the order they fell; the tree has them from the next selection on."""
    show: Callable[[Judged], None] = lambda _: None
    """Called with each verdict when it falls."""

    def __call__(self, tree: Tree, spent: Spent) -> None:
        self.told[:] = [time.monotonic()]
        self.states[:] = [(tree, spent)]

    def judged(self, verdict: Judged) -> None:
        self.verdicts.append(verdict)
        self.show(verdict)


def strategy_of(settings: SearchSettings) -> Strategy:
    found = one_by_one(strategy(settings.strategy)) if settings.singly else strategy(settings.strategy)
    if settings.observe is not None:
        found = with_blocks(found, settings.observe)
    if settings.ahead and (settings.screen is not None or found.whole_rounds):
        why = "screening compares" if settings.screen is not None else f"{found.name} compares"
        raise InputError(f"--ahead {settings.ahead}: {why} all programs of a round; leave --ahead out.")
    return replace(found, ahead=settings.ahead, screen=settings.screen, hedge=settings.hedge, ranking=settings.ranking)


def usual_ahead(settings: SearchSettings) -> int:
    """AHEAD where a model behind an endpoint answers. A policy in this process takes time from the evaluators."""
    whole_rounds = settings.screen is not None or strategy(settings.strategy).whole_rounds
    return AHEAD if models_of(settings.policy) and not whole_rounds else 0


@dataclass(frozen=True)
class Chosen:
    """Parts that the settings of a run name: strategy, policy, critic, value and screen."""

    strategy: Strategy
    policy: Policy
    critic: Critic | None
    value: Value
    screen: Screen
    paid: tuple[str, ...]
    """Models behind endpoints that may be asked: those of policies, of the critic and of values."""


def choose(settings: SearchSettings, config: Config) -> Chosen:
    """Makes the parts that the settings name. InputError for what cannot work, before the run starts."""
    found = strategy_of(settings)
    value, screen, valuing = _choose_value(settings.value, found, config)
    return Chosen(
        strategy=found,
        policy=choose_policy(settings.policy, config),
        critic=choose_critic(settings.critic, config),
        value=value,
        screen=screen,
        paid=(*models_of(settings.policy), *paid_critics(settings.critic), *valuing),
    )


def _choose_value(name: str, found: Strategy, config: Config) -> tuple[Value, Screen, list[str]]:
    """How states are valued and proposals screened, where the strategy asks for it, and who is paid for it."""
    if name == "none" and found.value == "model":
        raise InputError(f"--strategy {found.name}: +value needs a model; use --value light or a model's file.")
    if name == "none" or (found.value != "model" and found.screen is None):
        return own_reward, novelty, []
    if name == "random":
        return any_state, any_proposal, []
    models = load_models(name, config)
    return model_value(models), model_screen(models), endpoints_of(models)


def make_parts(
    chosen: Chosen,
    pool: Pool,
    journal: Journal,
    watch: Callable[[Tree, Spent], None],
    judged: Callable[[Judged], None] = lambda _: None,
) -> Parts:
    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        limit = BASELINE_SECONDS if candidates == [task.baseline_candidate] else None
        return await pool(task, candidates, mode=mode, seed=seed, seconds=limit)

    async def profile(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
        (outcome,) = await pool(task, [candidate], profile=True, measure=False)
        return outcome.facts

    async def further(task: Task, candidate: Candidate, pairs: int) -> Outcome:
        (outcome,) = await pool(task, [candidate], pairs=pairs)
        return outcome

    async def verify(task: Task, candidate: Candidate) -> Outcome:
        profile = chosen.strategy.profile and candidate == task.baseline_candidate  # needed before the first question
        (outcome,) = await pool(task, [candidate], measure=False, profile=profile)
        return outcome

    return Parts(
        policy=chosen.policy,
        evaluate=evaluate,
        journal=journal,
        critic=chosen.critic,
        profile=profile,
        further=further,
        value=chosen.value,
        screen=chosen.screen,
        retrieve=retriever(journal),
        verify=verify,
        early=not chosen.paid,
        beside=verify if pool.slots > 1 else None,
        watch=watch,
        judged=judged,
    )


async def optimize(
    task: Task,
    settings: SearchSettings,
    chosen: Chosen,
    pool: Pool,
    journal: Journal,
    watch: Watch,
) -> Result:
    """Runs or resumes a search and confirms what it found. Called in a session of the journal."""
    parts = make_parts(chosen, pool, journal, watch, watch.judged)
    found = await search(task, chosen.strategy, parts, budget=settings.budget, seed=settings.seed)
    tree = found.tree
    best, confirmed, confirming_seconds = await _confirm(task, tree, pool, journal, settings.budget)
    winner = best if _lower_bound(confirmed) > 1.0 else tree.root.candidate
    no_gains: tuple[HunkGain, ...] = ()
    began = time.monotonic()
    best, hunks, again = winner, no_gains, None  # nothing to claim: the best program is the one we began with
    steps = steps_of(tree, winner)
    if settings.minimize and confirmed is not None and winner is not tree.root.candidate:
        left = _time_left(settings, found)
        smaller = await reduced(task, winner, confirmed, pool, journal, settings.budget, left, steps)
        best, confirmed, hunks, again = smaller or (winner, confirmed, no_gains, None)
    result = Result(
        run=journal.run,
        best=best,
        winner=winner.id if best.id != winner.id else None,
        hunks=hunks,
        changes=changes_of(tree, winner, best, steps if again is None else again),
        verdicts=verdicts_of(tree),
        confirmed=confirmed,
        spent=found.spent,
        nodes=len(tree),
        depth=max(n.depth for n in tree),
        confirming_seconds=confirming_seconds,
        reducing_seconds=time.monotonic() - began,
    )
    note_solved(journal, tree, winner, confirmed)
    journal.note_once("finished", result.model_dump(mode="json"))
    return result


def _time_left(settings: SearchSettings, found: Searched) -> float:
    """Seconds to reduce the diff in."""
    limit = settings.budget.seconds
    return MOST_SECONDS if limit is None else min(MOST_SECONDS, max(limit - found.spent.seconds, MOST_SECONDS / 6))


def note_solved(journal: Journal, tree: Tree, best: Candidate, confirmed: Outcome | None) -> None:
    """Keeps a confirmed improvement as a case that later searches may be shown."""
    m = confirmed.measurement if confirmed else None
    if m and _lower_bound(confirmed) > 1.0:
        node = next(node for node in tree if node.candidate.id == best.id)
        journal.note_once("solved", solved(tree, node, m.speedup).model_dump(mode="json"))


def retriever(journal: Journal) -> Retrieve:
    """Cases from all journals of the store, as they are when the search first asks."""

    @cache
    def cases() -> list[Solved]:
        return solved_cases(journal.store)

    return lambda task, node: nearest(cases(), task, node.candidate.files.get(task.main_file, ""))


async def _confirm(
    task: Task, tree: Tree, pool: Pool, journal: Journal, budget: Budget
) -> tuple[Candidate, Outcome | None, float]:
    """The first finalist that a fresh measurement bears out, its outcome, and the seconds of all measurements.

    One is measured, and a second only if it does not hold: nothing is chosen by the figures that are claimed. Where
    none holds, the best of them.
    """
    afresh: list[tuple[Candidate, Outcome]] = []
    for candidate in finalists(tree):
        afresh.append((candidate, await measured_afresh(task, candidate, pool, journal, budget)))
        if _lower_bound(afresh[-1][1]) > 1.0:
            break
    if not afresh:
        return tree.root.candidate, None, 0.0
    best, confirmed = max(afresh, key=lambda pair: _lower_bound(pair[1]))
    return best, confirmed, sum(outcome.seconds for _, outcome in afresh)


def finalists(tree: Tree, count: int = FINALISTS) -> list[Candidate]:
    """The best distinct programs that look faster than the baseline. Of those about as fast as the best, the one with
    the smallest diff comes first."""
    ranked = sorted(filter(looks_faster, tree.nodes[1:]), key=lambda node: (-node.reward, node.id))
    before = tree.task.baseline_candidate.files
    gain = log(ranked[0].reward) if ranked else 0.0
    enough = gain - max((1 - KEPT_SHARE) * gain, min(NOISE, 0.2 * gain))
    close = [node for node in ranked if log(node.reward) >= enough]
    smallest = sorted(close, key=lambda node: (changed_lines(before, node.candidate.files), -node.reward, node.id))
    ranked = [*smallest[:1], *(node for node in ranked if node is not smallest[0])]
    return list({node.candidate.id: node.candidate for node in ranked}.values())[:count]


def _lower_bound(outcome: Outcome | None) -> float:
    m = outcome.measurement if outcome and outcome.status is Status.OK else None
    return m.ci_low if m else 0.0

"""A search on a terminal or in a log: what is being done, each verdict as it falls, and what came of it."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten

from rich.live import Live
from rich.markup import escape
from rich.text import Text

from maxcode.cli.console import LOG_EVERY, err, out, redraws, told_regularly
from maxcode.evaluate.measure.words import interval_in_words, speed_in_words, times
from maxcode.optimize.run import (
    Result,
    Watch,
)
from maxcode.optimize.steps import REWRITER
from maxcode.optimize.summary import changes_in_words, compiled_in_words, sanitizers_in_words, why_nothing
from maxcode.report.under_way import under_way_in_words
from maxcode.search.budget import Budget, Spent
from maxcode.search.mdp import reward
from maxcode.search.parts import Judged
from maxcode.search.rewards import looks_faster
from maxcode.search.tree import Tree
from maxcode.store.journal import Journal
from maxcode.task import Task


class SearchProgress:
    """One line that is always up to date: best so far, depth, programs, spending, time left, and what is being done."""

    def __init__(self, task: Task, budget: Budget, journal: Journal, watch: Watch) -> None:
        self._task, self._budget, self._journal, self._watch = task, budget, journal, watch
        self._stopping = False

    def stop(self) -> None:
        self._stopping = True

    def __rich__(self) -> Text:
        doing = "stopping" if self._stopping else under_way_in_words(self._journal.under_way())
        if not self._watch.states:
            doing = "stopping" if self._stopping else "measuring the baseline"
            return Text(f"{self._task.name}: run {self._journal.run} · {doing} ...")
        tree, spent = self._watch.states[0]
        words = progress_in_words(tree, self._by_now(spent), self._budget, self._watch.verdicts)
        return Text(f"{self._task.name}: {words}" + (f" · {doing} ..." if doing else ""))

    def _by_now(self, spent: Spent) -> Spent:
        """Spending is told once a round; time goes on, and verdicts fall."""
        seconds = spent.seconds + time.monotonic() - self._watch.told[0]
        return spent.model_copy(update={"seconds": seconds, "evals": max(spent.evals, len(self._watch.verdicts))})


def show_verdict(judged: Judged) -> None:
    if not judged.recorded:
        err.print(Text(verdict_in_words(judged)), soft_wrap=True)


def verdict_in_words(judged: Judged) -> str:
    """One line on a program that was just judged. Programs are counted from 1."""
    outcome, origin = judged.outcome, judged.candidate.origin if judged.candidate else None
    if outcome is None:
        became = "left out by screening"
    elif outcome.measurement is not None:
        m = outcome.measurement
        became = f"{m.verdict.value}, {speed_in_words(m)}"
    else:
        became = _clipped(": ".join(filter(None, (outcome.status.value.replace("_", " "), outcome.first_line))), 160)
    return f"program {judged.program + 1}: {became}" + (f" · {origin_in_words(origin)}" if origin else "")


def origin_in_words(origin: str) -> str:
    """Maker of a program, and what it did. Places are left out: they are lines of the program that it began with."""
    counts = Counter(re.findall(r"([\w-]+)(?:\([^@]*\))?@", origin)) if origin.startswith(REWRITER) else Counter()
    steps = [name if many == 1 else f"{many} x {name}" for name, many in counts.items()]
    return _clipped(REWRITER + ", ".join(steps) if steps else origin, 120)


def _clipped(text: str, most: int) -> str:
    """The text, cut between words."""
    return text if len(text) <= most else shorten(text, most, placeholder=" ...", break_on_hyphens=False)


def progress_in_words(tree: Tree, spent: Spent, budget: Budget, verdicts: Sequence[Judged] = ()) -> str:
    found = [tree.best.outcome] if looks_faster(tree.best) else []
    found += [each.outcome for each in verdicts if each.outcome is not None and reward(each.outcome) > tree.best.reward]
    m = max(found, key=reward).measurement if found else None
    best = f"best about {speed_in_words(m)}" if m else "nothing faster yet"
    total = spent.total
    parts = [best, f"depth {max(node.depth for node in tree)}"]
    parts.append(f"{spent.evals}{f'/{budget.evals}' if budget.evals else ''} programs{raced_in_words(spent)}")
    if total.tokens:
        parts.append(f"{total.tokens} tokens")
    if total.usd or (total.usd is not None and budget.usd):
        parts.append(f"{total.usd:.3f}{f'/{budget.usd:g}' if budget.usd else ''} USD")
    left = _time_left(spent, budget)
    after = f", then {budget.confirm_seconds:.0f} s at most to confirm" if m and budget.confirm_seconds else ""
    parts.append(f"{spent.seconds:.0f} s" + (f", about {left:.0f} s left{after}" if left else ""))
    return " · ".join(parts)


def raced_in_words(spent: Spent) -> str:
    """Words on what races took; empty where there were none."""
    programs = "1 program" if spent.raced_evals == 1 else f"{spent.raced_evals} programs"
    return f" and {spent.race_pairs} pairs in races (as {programs})" if spent.race_pairs else ""


PACED = 3
"""Number of programs from which on their pace says something about the time left."""


def _time_left(spent: Spent, budget: Budget) -> float | None:
    by_clock = budget.seconds - spent.seconds if budget.seconds is not None else None
    by_count = spent.room(budget) * spent.seconds / spent.evals if budget.evals and spent.evals >= PACED else None
    left = [each for each in (by_clock, by_count) if each is not None]
    return max(min(left), 0.0) if left else None


@contextmanager
def display(progress: SearchProgress) -> Iterator[None]:
    if not redraws():
        with told_regularly(lambda: str(progress.__rich__()), LOG_EVERY):
            yield
        return
    with Live(progress, console=err, refresh_per_second=4, transient=True):
        yield


def spent_in_words(result: Result) -> str:
    spent, total = result.spent, result.spent.total
    parts = [f"{spent.evals} programs{raced_in_words(spent)}", f"{spent.seconds:.0f} s of search"]
    if result.confirming_seconds:
        parts.append(f"{result.confirming_seconds:.0f} s to confirm")
    if result.reducing_seconds >= 1:
        parts.append(f"{result.reducing_seconds:.0f} s to reduce the diff")
    if total.tokens:
        parts.append(f"{total.tokens} tokens")
        if total.usd is not None:
            parts.append(f"{total.usd:.4f} USD")
    return ", ".join(parts)


def show_result(task: Task, result: Result, written: list[Path], policy: str) -> None:
    m = result.confirmed.measurement if result.confirmed else None
    out.print(Text(task.kind.diff(task, result.best) or "no change\n"), end="", soft_wrap=True)
    if result.improved and m:
        out.print(
            f"[bold green]{times(m.speedup)} faster[/] ({interval_in_words(m.ci_low, m.ci_high)}), confirmed by "
            f"{len(m.samples)} exclusive pairs with fresh seeds"
            f"{compiled_in_words(result)}{sanitizers_in_words(result)}.",
        )
        if m.note:
            out.print(f"Note: {m.note}.", soft_wrap=True)
    elif m:
        out.print(
            f"[bold yellow]No improvement is claimed[/]: measured afresh, the best is {speed_in_words(m)} "
            "as fast, which is not clearly more than 1.",
        )
    else:
        out.print("[bold yellow]No improvement found[/]: no program was both correct and clearly faster.")
    for line in changes_in_words(result) if result.improved else why_nothing(result, policy):
        out.print(Text(line), soft_wrap=True)
    out.print(
        f"Run {result.run}: {spent_in_words(result)}. Files: {escape(', '.join(map(str, written)))}",
        soft_wrap=True,
    )
    out.print(f"`maxcode report {result.run} -o report.html` shows all of it on one page.", soft_wrap=True)

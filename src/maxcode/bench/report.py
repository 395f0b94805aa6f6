"""Tables from cells: who is faster, by how much, how sure that is, and what it cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Literal

import numpy as np

from maxcode.bench.cell import Cell
from maxcode.bench.savings import savings_tables
from maxcode.bench.statistics import (
    Estimate,
    average_ranks,
    best_at,
    geometric_mean,
    geometric_mean_interval,
    median_interval,
    spread,
    tasks_needed,
    wilcoxon,
)
from maxcode.bench.tables import Table
from maxcode.evaluate.measure.statistics import holm
from maxcode.evaluate.measure.words import interval_in_words, ratio_in_words
from maxcode.search.mdp import TIE_REWARD

OPTIMISED = 1.1
"""Speedup from which PIE counts a program as optimised."""
FAST = (0, 1, 2)
"""The p of KernelBench's fast_p."""
DIFFERENCE = 1.05
"""Ratio between methods that an experiment should be able to detect."""
Cost = Literal["tokens", "usd", "seconds"]


class Results:
    """Cells by task, method and seed. Only tasks that every method finished with every seed count.

    A running benchmark has finished few tasks with its last seeds. Those seeds are left out if more cells then count.
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.problems = {cell.task: cell.problem for cell in cells if cell.problem}
        sound = [cell for cell in cells if cell.task not in self.problems]
        self.methods = list(dict.fromkeys(cell.method for cell in sound))
        self._cells = {(cell.task, cell.method, cell.seed): cell for cell in sound}
        seeds = sorted({cell.seed for cell in sound})
        self.seeds = max((seeds[:k] for k in range(len(seeds), 0, -1)), key=self._searches, default=[])
        self.tasks = self._finished(self.seeds)

    def _searches(self, seeds: list[int]) -> int:
        return len(self._finished(seeds)) * len(seeds)

    def _finished(self, seeds: list[int]) -> list[str]:
        every = [(method, seed) for method in self.methods for seed in seeds]
        names = dict.fromkeys(task for task, _, _ in self._cells)
        return [task for task in names if all((task, *rest) in self._cells for rest in every)]

    def cells(self, method: str) -> list[Cell]:
        return [self._cells[task, method, seed] for task in self.tasks for seed in self.seeds]

    def by_task(self, method: str, figure: Callable[[Cell], float]) -> list[list[float]]:
        return [[figure(self._cells[task, method, seed]) for seed in self.seeds] for task in self.tasks]

    def speedups(self, method: str) -> list[list[float]]:
        return self.by_task(method, lambda cell: cell.speedup)


def tables(cells: Sequence[Cell]) -> list[Table]:
    """All tables of a benchmark."""
    results = Results(cells)
    found = [_problems(results)] if results.problems else []
    if not results.tasks:
        return found
    found += [methods_table(results), tasks_table(results), shares_table(results), curve_by_evaluations(results)]
    found += [curve_by_depth(results), *matched_tables(results), pie_table(results), kernelbench_table(results)]
    by_method = {method: results.cells(method) for method in results.methods}
    return [*found, comparison_table(results), *savings_tables(by_method)] if len(by_method) > 1 else found


def methods_table(results: Results) -> Table:
    ranks = average_ranks([
        [results.speedups(method)[t][s] for method in results.methods]
        for t in range(len(results.tasks))
        for s in range(len(results.seeds))
    ])  # fmt: skip
    rows = []
    for method, rank in zip(results.methods, ranks, strict=True):
        cells, speedups = results.cells(method), results.speedups(method)
        rows.append((
            method,
            interval(geometric_mean_interval(speedups)),
            interval(median_interval(speedups)),
            f"{rank:.2f}",
            share(cell.speedup >= OPTIMISED for cell in cells),
            share(cell.ci_low > 1.0 for cell in cells),
            f"{np.mean([cell.evals for cell in cells]):.0f}",
            f"{np.mean([cell.tokens for cell in cells]):.0f}",
            money(cells),
            f"{np.mean([cell.seconds for cell in cells]):.0f}",
        ))  # fmt: skip
    columns = ("method", "geometric mean", "median", "rank", ">= 1.1x", "fast_1", "evals", "tokens", "USD", "seconds")
    note = (
        f"{len(results.tasks)} tasks x {len(results.seeds)} seeds; 95% intervals over tasks; rank 1 is best; tokens "
        "include critiques; evals, tokens, USD and seconds per search."
    )
    return Table(title="Speedup reached", columns=columns, rows=tuple(rows), note=note)


def tasks_table(results: Results) -> Table:
    """Speedup of each task and method: geometric mean over seeds, with the lowest and the highest."""
    rows = []
    for t, task in enumerate(results.tasks):
        values = [results.speedups(method)[t] for method in results.methods]
        rows.append((task, *(_range(each) for each in values)))
    note = "Mean over seeds (lowest to highest)." if len(results.seeds) > 1 else ""
    return Table(title="Speedup by task", columns=("task", *results.methods), rows=tuple(rows), note=note)


def shares_table(results: Results) -> Table:
    """Shares of the proposed programs by what became of them."""
    rows = []
    for method in results.methods:
        cells = results.cells(method)
        total = max(sum(len(cell.rewards) for cell in cells), 1)
        counts = (sum(cell.built for cell in cells), sum(cell.right for cell in cells), sum(c.changed for c in cells))
        better = sum(reward > TIE_REWARD for cell in cells for reward in cell.rewards)
        rows.append((method, str(total), *(f"{count / total:.1%}" for count in (*counts, better))))
    columns = ("method", "programs", "built", "right", "new", "faster")
    return Table(title="What became of the programs", columns=columns, rows=tuple(rows))


def curve_by_evaluations(results: Results) -> Table:
    longest = max(len(cell.rewards) for method in results.methods for cell in results.cells(method))
    points = [k for k in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if k <= longest]
    rows = [
        (method, *(ratio_in_words(_mean(results, method, k)) for k in points))
        for method in results.methods
    ]  # fmt: skip
    title = "Best so far by evaluations (geometric mean, estimates as the search sees them)"
    return Table(title=title, columns=("method", *map(str, points)), rows=tuple(rows))


def _mean(results: Results, method: str, k: int) -> float:
    return geometric_mean([best_at(cell.rewards, k) for cell in results.cells(method)])


def curve_by_depth(results: Results) -> Table:
    deepest = max((d for method in results.methods for cell in results.cells(method) for d in cell.depths), default=0)
    points = list(range(1, min(deepest, 12) + 1))
    rows = []
    for method in results.methods:
        curves = [cell.best_by_depth() for cell in results.cells(method)]
        rows.append(
            (method, *(ratio_in_words(geometric_mean([c[min(k, len(c) - 1)] for c in curves])) for k in points))
        )
    return Table(title="Best so far by depth (geometric mean)", columns=("method", *map(str, points)), rows=tuple(rows))


def pie_table(results: Results) -> Table:
    """Figures as in papers on PIE: best of the first k programs, with a speedup of 1 where there is no gain."""
    longest = max(len(cell.rewards) for method in results.methods for cell in results.cells(method))
    rows = []
    for method in results.methods:
        cells = results.cells(method)
        for k in [k for k in (1, 4, 8, 16, 20, 32, 40) if k <= longest]:
            best = [best_at(cell.rewards, k) for cell in cells]
            rows.append((method, f"best@{k}", *_as_pie(best, [any(cell.rewards[:k]) for cell in cells])))
        confirmed = [cell.speedup for cell in cells]
        rows.append((method, "confirmed", *_as_pie(confirmed, [any(cell.rewards) for cell in cells])))
    note = (
        f"%Opt: at least {OPTIMISED:g}x; speedup: arithmetic mean, 1 for what is wrong or no faster; correct: some "
        "program passes all tests. best@k: estimates as the search sees them; confirmed: measured afresh."
    )
    columns = ("method", "programs", "%Opt", "speedup", "correct")
    return Table(title="As PIE counts", columns=columns, rows=tuple(rows), note=note)


def _as_pie(speedups: Sequence[float], correct: Sequence[bool]) -> tuple[str, str, str]:
    return share(value >= OPTIMISED for value in speedups), ratio_in_words(float(np.mean(speedups))), share(correct)


def kernelbench_table(results: Results) -> Table:
    """fast_p: the share of problems with a program that is right and more than p times as fast."""
    longest = max(len(cell.rewards) for method in results.methods for cell in results.cells(method))
    rows = []
    for method in results.methods:
        cells = results.cells(method)
        for k in dict.fromkeys((1, longest)):
            best = [max(cell.rewards[:k], default=0.0) for cell in cells]
            rows.append((method, f"best@{k}", *_as_kernelbench(best), "-"))
        confirmed = _as_kernelbench([_as_it_is(cell) for cell in cells])
        rows.append((method, "confirmed", *confirmed, _over_compiled(cells)))
    note = (
        "fast_0: some program is right; fast_1, fast_2: and more than 1 or 2 times as fast. Geometric mean over "
        "problems with a right program only, slower ones included. best@k: estimates as the search sees them; "
        "confirmed: measured afresh, where that bears a gain out. Over torch.compile: finalists for which it was timed."
    )
    columns = ("method", "programs", *(f"fast_{p}" for p in FAST), "geometric mean", "right", "over torch.compile")
    return Table(title="As KernelBench counts", columns=columns, rows=tuple(rows), note=note)


def _as_it_is(cell: Cell) -> float:
    """The speedup of the best program, below 1 where it is slower; 0 where none is right."""
    return cell.speedup if cell.ci_low > 1.0 else min(max(cell.rewards, default=0.0), 1.0)


def _as_kernelbench(speedups: Sequence[float]) -> tuple[str, ...]:
    right = [value for value in speedups if value > 0]
    mean = ratio_in_words(geometric_mean(right)) if right else "-"
    return (*(share(value > p for value in speedups) for p in FAST), mean, f"{len(right)} of {len(speedups)}")


def _over_compiled(cells: Sequence[Cell]) -> str:
    known = [cell.over_compiled for cell in cells if cell.over_compiled]
    return f"{ratio_in_words(geometric_mean(known))} ({len(known)})" if known else "-"


def matched_tables(results: Results) -> list[Table]:
    """Best so far at equal cost: what a method spends on critiques or profiles counts against it."""
    wanted: tuple[tuple[Cost, str], ...] = (("tokens", "tokens"), ("usd", "USD"), ("seconds", "seconds"))
    return [table for cost, words in wanted if (table := _matched(results, cost, words))]


def _matched(results: Results, cost: Cost, words: str) -> Table | None:
    """Best so far within limits that every method reached: shares of what the cheapest one spends on average."""
    totals = [np.mean([float(getattr(cell, cost) or 0.0) for cell in results.cells(m)]) for m in results.methods]
    least = float(min(totals))
    if least <= 0:
        return None
    limits = [least * share for share in (0.25, 0.5, 1.0)]
    rows = []
    for method in results.methods:
        bests = [geometric_mean([c.best_within(cost, limit) for c in results.cells(method)]) for limit in limits]
        rows.append((method, *map(ratio_in_words, bests)))
    columns = ("method", *(f"{limit:.3g}" for limit in limits))
    note = "Outcomes are shared: a method that comes later finds some of them on record." if cost == "seconds" else ""
    return Table(title=f"Best so far at equal {words} (geometric mean)", columns=columns, rows=tuple(rows), note=note)


def comparison_table(results: Results) -> Table:
    """Every method against the first, paired by task."""
    first, *others = results.methods
    base = np.log(results.speedups(first))
    ratios = {method: np.log(results.speedups(method)) - base for method in others}
    p_values = [wilcoxon(_rounded(ratios[method].mean(axis=1))) for method in others]
    rows = []
    for method, p, corrected in zip(others, p_values, holm(p_values), strict=True):
        means = ratios[method].mean(axis=1)
        wins, losses = int((means > 0.01).sum()), int((means < -0.01).sum())
        needed = tasks_needed(DIFFERENCE, spread(ratios[method].tolist()), len(results.seeds))
        rows.append((
            method,
            interval(geometric_mean_interval(np.exp(ratios[method]).tolist())),
            f"{wins} / {len(means) - wins - losses} / {losses}",
            f"{p:.3f}",
            f"{corrected:.3f}",
            str(needed) if needed else "> 100000",
        ))  # fmt: skip
    note = (
        "Ratio of speedups, 95% interval over tasks; wins, ties (within 1%), losses by task; Wilcoxon signed-rank on "
        f"log speedups, Holm-corrected; tasks needed to see {DIFFERENCE - 1:.0%} with 80% power at this spread."
    )
    columns = ("method", f"against {first}", "won / tied / lost", "p", "p (Holm)", "tasks for 5%")
    return Table(title=f"Compared with {first}", columns=columns, rows=tuple(rows), note=note)


def _rounded(values: Sequence[float]) -> list[float]:
    """Differences, with those below 0.1% set to 0, so that they count as ties."""
    return [0.0 if abs(value) < 1e-3 else float(value) for value in values]


def _problems(results: Results) -> Table:
    """Tasks that were left out, with the first line of the reason; the cells have all of it."""
    rows = tuple((task, (problem or "").partition("\n")[0]) for task, problem in sorted(results.problems.items()))
    return Table(title="Left out", columns=("task", "why"), rows=rows, words=("why",))


def interval(estimate: Estimate) -> str:
    if not math.isfinite(estimate.high):
        return ratio_in_words(estimate.value)
    return f"{ratio_in_words(estimate.value)} ({interval_in_words(estimate.low, estimate.high, few='tasks')})"


def share(flags: Iterable[bool]) -> str:
    values = list(flags)
    return f"{sum(values) / len(values):.0%}"


def money(cells: Sequence[Cell]) -> str:
    known = [cell.usd for cell in cells if cell.usd is not None]
    return f"{np.mean(known):.4f}" if known else "-"


def _range(values: Sequence[float]) -> str:
    middle = geometric_mean(values)
    ends = "" if len(values) == 1 else f" ({ratio_in_words(min(values))} to {ratio_in_words(max(values))})"
    return ratio_in_words(middle) + ends


def speedup_summary(cells: Sequence[Cell]) -> dict[str, object]:
    """The figures of the first table and the shares of KernelBench, for machines."""
    results = Results(cells)
    found: dict[str, object] = {}
    for method in results.methods if results.tasks else ():
        mean = geometric_mean_interval(results.speedups(method))
        flat = [value for each in results.speedups(method) for value in each]
        as_is = [_as_it_is(cell) for cell in results.cells(method)]
        shares = {f"fast_{p}": float(np.mean([value > p for value in as_is])) for p in FAST}
        figures = {"geometric_mean": mean.value, "ci_low": mean.low, "ci_high": mean.high, "median": median(flat)}
        known = {
            name: value if math.isfinite(value) else None for name, value in figures.items()
        }  # one task: no interval
        found[method] = known | shares
    return found

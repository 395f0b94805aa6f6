"""Tables: every form holds every cell, whatever characters it has; and they say what the cells say."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import pytest

from maxcode.bench.cell import Cell
from maxcode.bench.report import Results, comparison_table, kernelbench_table, methods_table, speedup_summary, tables
from maxcode.bench.statistics import best_at
from maxcode.bench.tables import FORMS, Table, comma_separated, latex, markdown, page

AWKWARD = Table(title="a & b", columns=("x|y", "50%"), rows=(("<script>", "1_000"), ("a,b", '"q"')), note="n < 1")


def cell(task: str, method: str, seed: int, speedup: float, **fields) -> Cell:
    rewards = fields.pop("rewards", (0.0, 1.0, speedup * 0.9))
    return Cell(
        task=task, method=method, seed=seed, run="r", speedup=speedup, ci_low=speedup * 0.95, ci_high=speedup * 1.05,
        rewards=rewards, depths=tuple(range(1, len(rewards) + 1)), built=3, right=2, changed=3, evals=3, **fields
    )  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_every_cell(form: str) -> None:
    plain = Table(title="t", columns=("task", "speedup"), rows=(("matmul", "12.5"), ("sort", "2.1")))
    text = FORMS[form](plain)
    assert all(word in text for row in (plain.columns, *plain.rows) for word in row)


def test_csv_reads_back() -> None:
    assert list(csv.reader(io.StringIO(comma_separated(AWKWARD)))) == [list(AWKWARD.columns), *map(list, AWKWARD.rows)]


def test_markdown_pipes_do_not_break_columns() -> None:
    assert r"x\|y" in markdown(AWKWARD)


def test_figures_are_set_to_the_right_and_words_are_not() -> None:
    table = Table(title="t", columns=("task", "n", "why"), rows=(("a", "1", "broken"),), words=("why",))
    assert "|---|---:|---|" in markdown(table)
    assert "{lrl}" in latex(table)


def test_latex_specials_are_escaped() -> None:
    assert r"50\%" in latex(AWKWARD)
    assert r"1\_000" in latex(AWKWARD)


def test_html_has_no_markup_of_its_cells() -> None:
    tags: list[str] = []

    class Seen(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            del attrs
            tags.append(tag)

    Seen().feed(page(AWKWARD))
    assert "script" not in tags


def test_a_method_that_wins_everywhere_is_ranked_first_and_told_apart() -> None:
    speedups = {"plain": 2.0, "better": 3.0}
    cells = [cell(f"t{t}", m, s, speedups[m] * (1 + 0.01 * t)) for t in range(8) for m in speedups for s in range(2)]
    results = Results(cells)
    ranks = {row[0]: row[3] for row in methods_table(results).rows}
    assert ranks == {"plain": "2.00", "better": "1.00"}
    (row,) = comparison_table(results).rows
    assert row[1].startswith("1.5 ")
    assert row[2] == "8 / 0 / 0"
    assert float(row[4]) < 0.05


def test_only_tasks_that_every_method_finished_count() -> None:
    results = Results([cell("a", "x", 0, 2.0), cell("a", "y", 0, 2.0), cell("b", "x", 0, 9.0)])
    assert results.tasks == ["a"]


def test_a_seed_that_has_just_begun_does_not_hide_what_is_finished() -> None:
    whole = [cell(task, method, 0, 2.0) for task in "abc" for method in "xy"]
    results = Results([*whole, cell("a", "x", 1, 2.0)])
    assert (results.tasks, results.seeds) == (["a", "b", "c"], [0])
    almost = [cell(task, method, 1, 2.0) for task in "ab" for method in "xy"]
    results = Results([*whole, *almost])
    assert (results.tasks, results.seeds) == (["a", "b"], [0, 1])


def test_searches_that_cannot_be_compared_yet_make_no_figures() -> None:
    begun = [cell("a", "x", 0, 2.0), cell("b", "y", 0, 2.0)]
    assert tables(begun) == [] and speedup_summary(begun) == {}


def test_a_task_that_is_not_sound_is_named_and_left_out() -> None:
    broken = Cell(task="b", method="x", seed=0, run="", problem="b: the baseline fails its own tests\nall that it said")
    first, second, *_ = tables([cell("a", "x", 0, 2.0), broken])
    assert first.rows == (("b", "b: the baseline fails its own tests"),)
    assert second.rows[0][1].startswith("2")


def test_best_so_far_starts_at_the_baseline_and_never_falls() -> None:
    rewards = cell("a", "x", 0, 3.0, rewards=(0.0, 2.0, 1.5, 3.0)).rewards
    assert [best_at(rewards, k) for k in range(5)] == [1.0, 1.0, 2.0, 2.0, 3.0]


def test_best_by_depth_counts_what_is_at_most_that_deep() -> None:
    found = Cell(task="a", method="x", seed=0, run="", rewards=(2.0, 5.0, 1.0), depths=(1, 3, 2))
    assert found.best_by_depth() == [1.0, 2.0, 2.0, 5.0]


def kernelbench_rows(cells: list[Cell]) -> dict[str, tuple[str, ...]]:
    return {row[1]: row[2:] for row in kernelbench_table(Results(cells)).rows}


def one(task: str, *rewards: float, speedup: float = 1.0) -> Cell:
    low = 0.95 * speedup if speedup > 1 else 1.0
    depths = (1,) * len(rewards)
    return Cell(task=task, method="x", seed=0, run="", rewards=rewards, depths=depths, speedup=speedup, ci_low=low)


def test_fast_p_counts_what_is_right_and_more_than_p_times_as_fast() -> None:
    cells = [one("a", 0.0, 3.0, speedup=3.1), one("b", 1.5, 0.0, speedup=1.6), one("c", 0.5, 0.5), one("d", 0.0, 0.0)]
    rows = kernelbench_rows(cells)
    assert rows["best@1"][:3] == ("50%", "25%", "0%")
    assert rows["best@2"][:3] == ("75%", "50%", "25%")
    assert rows["confirmed"][:3] == ("75%", "50%", "25%")
    assert speedup_summary(cells)["x"]["fast_2"] == 0.25


def test_the_mean_is_over_problems_with_a_right_program_and_takes_slow_ones_as_they_are() -> None:
    rows = kernelbench_rows([one("a", 4.0, speedup=4.0), one("b", 0.25), one("c", 0.0)])
    assert rows["confirmed"][3:5] == ("1", "2 of 3")


def test_a_gain_that_is_not_borne_out_is_none() -> None:
    assert kernelbench_rows([one("a", 1.3)])["confirmed"] == ("100%", "0%", "0%", "1", "1 of 1", "-")


def test_nothing_right_has_no_mean() -> None:
    assert kernelbench_rows([one("a", 0.0)])["confirmed"] == ("0%", "0%", "0%", "-", "0 of 1", "-")


def test_speedups_over_torch_compile_are_shown_with_their_number() -> None:
    timed = [one(name, 2.0).model_copy(update={"over_compiled": over}) for name, over in (("a", 2.0), ("b", 0.5))]
    assert kernelbench_rows([*timed, one("c", 2.0)])["confirmed"][-1] == "1 (2)"

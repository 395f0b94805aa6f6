"""The report card's figures, against the definitions and against SciPy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy import stats

from maxcode.bench.card.card import auc, card, graded, held_out, judged, kendall, ranks, regret, spearman
from maxcode.bench.card.page import card_page
from maxcode.core import InputError
from maxcode.value.data import StateRow
from maxcode.value.features import log_reward
from maxcode.value.model import Models
from maxcode.value.state import State

numbers = some.lists(some.tuples(some.integers(0, 9), some.integers(0, 9)), min_size=3, max_size=40)


@given(numbers)
def test_rank_correlations_are_scipys(pairs: list[tuple[int, int]]) -> None:
    one, other = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    if len(set(one)) > 1 and len(set(other)) > 1:
        assert spearman(one, other) == pytest.approx(stats.spearmanr(one, other).statistic)
        assert kendall(one, other) == pytest.approx(stats.kendalltau(one, other).statistic)
    else:
        assert spearman(one, other) == kendall(one, other) == 0.0
    assert ranks(one) == pytest.approx(stats.rankdata(one))


@given(numbers)
def test_auc_is_the_share_of_pairs_in_order(pairs: list[tuple[int, int]]) -> None:
    scores, positive = np.array([a for a, _ in pairs], dtype=float), np.array([b > 5 for _, b in pairs])
    yes, no = scores[positive], scores[~positive]
    if len(yes) and len(no):
        wins = np.sign(np.subtract.outer(yes, no))
        assert auc(scores, positive) == pytest.approx(float((wins + 1).mean() / 2))
    else:
        assert auc(scores, positive) is None


def test_regret_is_what_the_best_would_have_given_more() -> None:
    targets = np.array([1.0, 2.0, 3.0, 1.5])
    assert regret(np.array([4.0, 3.0, 2.0, 1.0]), targets, 1) == pytest.approx(3.0)
    assert regret(np.array([4.0, 3.0, 1.0, 2.0]), targets, 3) == pytest.approx(1.5)
    assert regret(np.array([1.0, 2.0, 9.0, 1.0]), targets, 1) == pytest.approx(1.0)
    assert regret(targets[:3], targets[:3], 3) is None


@given(some.lists(some.tuples(some.integers(0, 2), some.integers(1, 9)), min_size=2, max_size=6), some.integers(1, 4))
def test_regret_of_equal_scores_is_the_mean_over_their_orders(pairs: list[tuple[int, int]], count: int) -> None:
    scores, targets = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    found = regret(scores, targets, count)
    if len(pairs) <= count:
        assert found is None
        return
    logs = []
    for order in permutations(range(len(pairs))):
        chosen = sorted(order, key=lambda i: -scores[i])[:count]
        logs.append(log_reward(targets.max()) - log_reward(targets[chosen].max()))
    assert found == pytest.approx(np.exp(np.mean(logs)))


def rows() -> list[StateRow]:
    rng = np.random.default_rng(0)
    made = []
    for i in range(240):
        after = tuple(float(each) for each in rng.uniform(0.0, 3.0, 3))
        made.append(
            StateRow(
                task=f"t-{i // 40:03}",
                masked=i % 2 == 1,
                depth=1 + i % 3,
                u=1.0 + i % 5,
                reward=None if i % 2 else float(rng.uniform(0, 2)),
                features={"parent:reward": 0.0},
                run="r",
                node=i,
                siblings=f"{i // 10}/{i % 2}",
                policy="p",
                strategy="paths",
                source="single-path" if i % 4 < 2 else "on-policy",
                after=after,
                split="held-out",
            )
        )
    return made


class Oracle:
    reads: Literal["features"] = "features"

    def scores(self, states: Sequence[State]) -> list[float]:
        rows = [state for state in states if isinstance(state, StateRow)]
        return [log_reward(max(row.after[: 1 if row.masked else 3])) for row in rows]


def models(*trained_on: str) -> dict[str, Models]:
    return {"model": Models(Oracle(), Oracle(), frozenset(trained_on))}


def test_a_model_that_knows_the_future_has_perfect_figures() -> None:
    tables = card(graded(rows(), models()))[::3]
    assert [table.title for table in tables] == [
        "States, single-path",
        "States, on-policy",
        "Proposals before they run, single-path",
        "Proposals before they run, on-policy",
    ]
    for table in tables:
        figures = dict(zip(table.columns, table.rows[0], strict=True))
        assert all(float(figures[name].split()[0]) > 0.98 for name in ("Spearman", "Kendall"))
        assert figures["regret@1"] == "1.00 (1.00 to 1.00)"
        chance = next(dict(zip(table.columns, row, strict=True)) for row in table.rows if row[0] == "random")
        assert abs(float(chance["Spearman"].split()[0])) < 0.4


def test_a_model_that_knows_the_future_tells_every_class() -> None:
    for table in card(graded(rows(), models()))[1::3]:
        assert {figure.split()[0] for figure in table.rows[0][1:]} <= {"1.00", "-"}


def test_predictions_at_their_word() -> None:
    for table in card(graded(rows(), models()))[2::3]:
        assert all(said == was for _, said, was in table.rows)


def test_tasks_that_were_trained_on_do_not_count() -> None:
    assert {row.task for row in held_out(rows(), models("t-000"))} == {f"t-{i:03}" for i in range(1, 6)}
    with pytest.raises(InputError, match="no rows of tasks that the model was not trained on"):
        held_out(rows(), models(*{row.task for row in rows()}))


def test_of_a_model_that_does_not_say_what_it_saw_only_what_the_data_holds_out_counts() -> None:
    mixed = [row.model_copy(update={"split": "train" if row.task < "t-003" else "held-out"}) for row in rows()]
    assert {row.task for row in held_out(mixed, models())} == {"t-003", "t-004", "t-005"}


def test_the_page_loads_nothing_from_elsewhere() -> None:
    states = [row for row in rows() if not row.masked]
    text = card_page(card(graded(rows(), models())), {"states": judged(states, Oracle().scores(states))})
    assert "<svg" in text
    assert "http" not in text
    assert "src=" not in text

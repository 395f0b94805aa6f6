"""What a search says while it goes on: each verdict when it falls, and the state of things in between."""

from __future__ import annotations

import re
import time

import pytest

from maxcode.cli.console import told_regularly
from maxcode.cli.search_display import origin_in_words, progress_in_words, verdict_in_words
from maxcode.core import Candidate, Outcome, Proposal, Status
from maxcode.optimize.run import Watch
from maxcode.search.budget import Budget, Spent
from maxcode.search.parts import Judged
from maxcode.search.selection import Expansion
from tests.search.fakes import grown, measured, outcome


def judged(number: int, found: Outcome | None, origin: str | None = None) -> Judged:
    tree, made = grown(), Candidate(files={"main.cpp": "int main() {}"}, origin=origin)
    return Judged(number, Expansion(tree.root, 1), Proposal(text="", candidate=made), made, found)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (outcome(measurement=measured(1.5)), "program 4: faster, 1.5x (1.48 to 1.52)"),
        (outcome(Status.BUILD_ERROR, reason="no such type\nin line 3"), "program 4: build error: no such type"),
        (outcome(Status.WRONG), "program 4: wrong"),
        (None, "program 4: left out by screening"),
    ],
)
def test_a_verdict_is_one_line(found: Outcome | None, words: str) -> None:
    assert verdict_in_words(judged(3, found)) == words


def test_a_verdict_says_who_made_the_program() -> None:
    assert verdict_in_words(judged(0, outcome(Status.WRONG), "rewrite: tile")).endswith(" · rewrite: tile")


def test_the_best_is_told_before_the_tree_has_it() -> None:
    found = [judged(0, outcome(measurement=measured(3.0))), judged(1, outcome(Status.WRONG))]
    assert "best about 3x" in progress_in_words(grown((0, 2.0, 1)), Spent(evals=2), Budget(), found)
    assert "best about 4x" in progress_in_words(grown((0, 4.0, 1)), Spent(evals=2), Budget(), found)


def test_verdicts_are_kept_and_shown_in_the_order_they_fall() -> None:
    shown: list[Judged] = []
    watch = Watch([], show=shown.append)
    for number in (2, 0, 1):
        watch.judged(judged(number, None))
    assert [each.program for each in shown] == [each.program for each in watch.verdicts] == [2, 0, 1]


def test_a_log_is_told_how_things_stand(capsys: pytest.CaptureFixture[str]) -> None:
    counts = iter(range(1000))
    with told_regularly(lambda: f"line {next(counts)}", 0.01):
        time.sleep(0.2)
    assert "line 1" in capsys.readouterr().err


def test_steps_are_told_without_places_and_cut_between_words() -> None:
    origin = "rewrite: hoist-call(call=a.size())@x.cpp:3 + hoist-call(call=b.size())@x.cpp:9 + block-reader@x.cpp:7"
    assert origin_in_words(origin) == "rewrite: 2 x hoist-call, block-reader"
    many = " + ".join(f"a-long-transformation-{i}@x.cpp:{i}" for i in range(30))
    assert re.fullmatch(
        r"rewrite: (a-long-transformation-\d+, )+a-long-transformation-\d+,? \.\.\.",
        origin_in_words("rewrite: " + many),
    )

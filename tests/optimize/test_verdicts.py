"""What became of a search in words, what its winner changes, and which node all views mark."""

from __future__ import annotations

from maxcode.core import Candidate
from maxcode.optimize.changes import changes_of
from maxcode.optimize.recorded import winner_of
from maxcode.optimize.run import Result, finalists
from maxcode.optimize.verdicts import Verdicts, verdicts_of
from maxcode.search.budget import Spent
from maxcode.search.tree import Tree
from tests.search.fakes import TASK, grown, measured, outcome

NAME = TASK.main_file
BASELINE = TASK.baseline_candidate


def child(tree: Tree, text: str, reward: float, origin: str | None = None) -> Candidate:
    candidate = Candidate(files={**BASELINE.files, NAME: text}, origin=origin)
    tree.add(tree.root, candidate, outcome(measurement=measured(reward)), reward, step=1)
    return candidate


def test_verdicts_count_each_program_once() -> None:
    found = verdicts_of(grown((0, 1.5, 1), (0, 0.5, 1), (0, 0.0, 1)))
    assert found.faster + found.slower + found.tied + found.refused + found.rejected + found.unbuilt == 3


def test_words_say_why_nothing_was_found() -> None:
    found = Verdicts(tied=3, refused=2, exhausted=1, within=0.02)
    assert (
        found.words()[0]
        == "5 programs were judged: 3 not told apart from the original within ±2.0%, 2 refused by the tests."
    )
    assert Verdicts(slower=1).words() == ["1 program was judged: 1 slower."]
    assert "nothing new to try" in found.words()[1]
    assert any("--policy" in line for line in found.advice("rewrite"))
    assert not any("--policy" in line for line in found.advice("openai:m"))


def test_of_two_that_are_as_fast_the_smaller_diff_is_first() -> None:
    tree = grown()
    text = BASELINE.files[NAME]
    child(tree, text + "// a\n// b\n// c\n", 2.0)
    small = child(tree, text + "// a\n", 1.98)
    child(tree, text, 1.2)
    assert finalists(tree)[0].id == small.id


def test_changes_are_named_with_their_risks() -> None:
    tree = grown()
    text = BASELINE.files[NAME] + "int added;\n"
    made = child(tree, text, 2.0, f"rewrite: hash-table-for-tree@{NAME}:3 + newline-for-endl@{NAME}:4")
    found = changes_of(tree, made, made)
    assert [change.name for change in found] == ["hash-table-for-tree", "newline-for-endl"]
    assert "iteration" in (found[0].risk or "") and found[1].risk is None
    assert changes_of(tree, made, BASELINE) == ()


def test_all_views_mark_what_the_winner_was_reduced_from() -> None:
    tree = grown((0, 1.5, 1), (0, 1.4, 1))
    reduced = TASK.candidate(BASELINE.files[NAME] + "// reduced\n")
    second = tree.nodes[2].candidate
    result = Result(
        run="r",
        best=reduced,
        winner=second.id,
        confirmed=outcome(measurement=measured(1.4)),
        spent=Spent(),
        nodes=3,
        depth=1,
    )
    assert winner_of(tree, result).id == 2
    assert winner_of(tree, None).id == tree.best.id
    nothing = result.model_copy(update={"confirmed": outcome(measurement=measured(0.9))})
    assert winner_of(tree, nothing).id == 0

"""The winner made again from its steps: what does not pay for its lines is left out, or done by small means."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from maxcode.core import Candidate, Mode, Outcome, Status, Verdict
from maxcode.optimize.changes import changes_of
from maxcode.optimize.reducing import reduced
from maxcode.optimize.steps import StepTaken, remade, steps_of, with_small_means
from maxcode.optimize.tidy import changed_lines
from maxcode.policy.rewrite.actions import RewriteStep, carried_out, rewrites, setting_of, written_form
from maxcode.policy.rewrite.source import SourceFile
from maxcode.search.budget import Budget
from maxcode.search.tree import Node, Tree
from maxcode.task import load_task
from maxcode.task.model import Task
from tests.search.fakes import in_memory, measured

PROGRAM = """\
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<string> names;
    for (int i = 0; i < n; i++) {
        string name;
        cin >> name;
        names.push_back(name);
    }
    for (int i = 0; i < n; i++) {
        cout << names[i] << endl;
    }
}
"""


def task_in(folder: Path) -> Task:
    (folder / "task.toml").write_text(
        'name = "t"\nkind = "program"\nlanguage = "c++"\nbaseline = "slow.cpp"\n[tests]\npublic = "tests"\n'
        '[[workloads]]\nname = "w"\ninput = "w.txt"\n'
    )
    (folder / "slow.cpp").write_text(PROGRAM)
    (folder / "tests").mkdir()
    for file in ("w.txt", "tests/input.0.txt", "tests/output.0.txt"):
        (folder / file).write_text("1\na\n")
    return load_task(folder)


def child(tree: Tree, parent: Node, start: Node, name: str, reward: float) -> Node:
    """A program that one transformation makes of `start`."""
    source = SourceFile(start.candidate.files["slow.cpp"], tree.task.language)
    first = rewrites(source, setting_of(tree.task), name)[0]
    action = (RewriteStep(name=name, file="slow.cpp", line=first.line, options=first.options),)
    files = carried_out(action, start.candidate.files, tree.task, setting_of(tree.task))
    assert files is not None
    candidate = Candidate(files=files, origin=f"rewrite: {written_form(action)}")
    outcome = Outcome(candidate=candidate.id, task=tree.task.hash, status=Status.OK)
    return tree.add(parent, candidate, outcome, reward, step=1)


def grown(folder: Path) -> Tree:
    task = task_in(folder)
    tree = Tree(task, Outcome(candidate=task.baseline_candidate.id, task=task.hash, status=Status.OK))
    reader = child(tree, tree.root, tree.root, "block-reader", 2.0)
    other = child(tree, tree.root, tree.root, "newline-for-endl", 1.1)
    child(tree, other, reader, "block-writer", 3.0)  # made from the best in view
    return tree


def names(steps: tuple[StepTaken, ...]) -> list[str]:
    return [each.step.name for each in steps]


def chosen(tree: Tree, steps: tuple[StepTaken, ...], needed: str) -> tuple[StepTaken, ...]:
    """Steps left where programs are fast enough if this is somewhere in them."""

    async def good(candidate: Candidate) -> bool:
        return needed in candidate.files["slow.cpp"]

    return asyncio.run(with_small_means(tree.task, steps, good))[1]


def test_steps_are_known_also_where_a_program_was_made_from_the_best_in_view(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    steps = steps_of(tree, tree.nodes[-1].candidate)
    assert names(steps) == ["block-reader", "block-writer"]
    assert remade(tree.task, steps)[0].files == tree.nodes[-1].candidate.files


def test_small_means_take_the_place_of_large_ones(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    steps = chosen(tree, steps_of(tree, tree.nodes[-1].candidate), "")
    assert names(steps) == ["streams-without-stdio", "newline-for-endl"]
    text = remade(tree.task, steps)[0].files["slow.cpp"]
    assert "cin.tie(nullptr);" in text
    assert "struct" not in text
    assert "endl" not in text


def test_a_long_step_that_pays_for_its_lines_stays(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    steps = chosen(tree, steps_of(tree, tree.nodes[-1].candidate), "struct Input")
    assert names(steps) == ["block-reader", "newline-for-endl"], "a reader of its own leaves streams alone"


def test_steps_of_others_are_not_known(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    by_model = Candidate(files={"slow.cpp": "int main() {}\n"}, origin="openai:m")
    tree.add(tree.root, by_model, tree.root.outcome, 4.0, step=2)
    assert steps_of(tree, tree.nodes[-1].candidate) == ()


class Pool:
    """Finds programs with streams of their own as fast as the winner, which is twice as fast as the baseline."""

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, **_: Any
    ) -> list[Outcome]:
        return [self._judged(task, each, mode) for each in candidates]

    def _judged(self, task: Task, candidate: Candidate, mode: Mode) -> Outcome:
        same, slow = measured(1.0, Verdict.TIE), measured(0.5, Verdict.SLOWER)
        beside_winner = same if "cin.tie" in candidate.files["slow.cpp"] else slow
        found = measured(2.0) if mode is Mode.CONFIRM else beside_winner
        return Outcome(candidate=candidate.id, task=task.hash, status=Status.OK, measurement=found)


def test_the_diff_has_small_means_where_they_do_and_no_idle_steps(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    winner = tree.nodes[-1].candidate
    confirmed = Outcome(candidate=winner.id, task=tree.task.hash, status=Status.OK, measurement=measured(2.0))
    steps = steps_of(tree, winner)
    found = asyncio.run(reduced(tree.task, winner, confirmed, Pool(), in_memory(), Budget(), 60.0, steps))  # type: ignore[arg-type]
    assert found is not None
    assert [each.step.name for each in found.steps or ()] == ["streams-without-stdio"]
    assert changed_lines({"slow.cpp": PROGRAM}, found.candidate.files) == 2


def test_only_steps_with_something_left_in_the_diff_are_told(tmp_path: Path) -> None:
    tree = grown(tmp_path)
    winner, steps = tree.nodes[-1].candidate, steps_of(tree, tree.nodes[-1].candidate)
    names = [each.step.name for each in steps]
    assert [each.name for each in changes_of(tree, winner, winner, steps)] == list(dict.fromkeys(names))
    last, _ = remade(tree.task, steps[-1:])
    assert [each.name for each in changes_of(tree, winner, last, steps)] == names[-1:]
    assert changes_of(tree, winner, tree.root.candidate, steps) == ()

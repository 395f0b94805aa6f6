"""An observation as a prompt: what it asks for, what it shows, and how much of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Critique, Status
from maxcode.search.observe.observation import Block, observe
from maxcode.search.observe.render import AnswerForm, Message, Prompts, render, tokens
from maxcode.search.tree import Tree
from maxcode.task import load_task
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK, add, grown, measured, outcome

ALL: frozenset[Block] = frozenset({"best", "trajectory", "critique"})
EXAMPLES = Path(__file__).parents[3] / "examples"


def prompt(
    tree: Tree, node: int = -1, blocks: frozenset[Block] = ALL, *, form: AnswerForm = "whole", budget: int = 16_000
) -> str:
    """The whole text of a prompt."""
    messages = render(observe(tree, tree.nodes[node], blocks), Prompts(), form=form, budget=budget)
    return "\n".join(message["content"] for message in messages)


def with_status(status: Status, reason: str | None = None) -> Tree:
    tree = grown()
    found = outcome(status, measured(2.0) if status is Status.OK else None, reason=reason)
    tree.add(tree.root, TASK.candidate("int main() { return 7; }\n"), found, 0.0, step=1)
    return tree


BRANCHES = ("does not compile or was rejected", "compiles but is not correct", "is correct. Make it faster")


@pytest.mark.parametrize(
    ("status", "branch"),
    [
        (Status.REJECTED, 0),
        (Status.BUILD_ERROR, 0),
        (Status.TIMEOUT, 1),
        (Status.CRASHED, 1),
        (Status.WRONG, 1),
        (Status.OK, 2),
    ],
)
def test_what_to_do_depends_on_what_became_of_the_program(status: Status, branch: int) -> None:
    text = prompt(with_status(status, None if status is Status.OK else "the reason"))
    assert [words in text for words in BRANCHES] == [i == branch for i in range(3)]


def test_a_prompt_is_a_system_and_a_user_message() -> None:
    messages: list[Message] = render(observe(grown(), grown().root, ALL), Prompts())
    assert [message["role"] for message in messages] == ["system", "user"]
    assert all(message["content"] for message in messages)


def test_no_placeholder_is_left() -> None:
    assert "$" not in prompt(with_status(Status.OK)).replace(TASK.baseline_candidate.files[TASK.main_file], "")


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in EXAMPLES.glob("*/task.toml")))
def test_every_example_has_a_complete_prompt(folder: str) -> None:
    task = load_task(EXAMPLES / folder)
    tree = Tree(task, outcome())
    (_, user) = render(observe(tree, tree.root, ALL), Prompts())
    shown = user["content"]
    for text in task.baseline_candidate.files.values():
        assert text.rstrip() in shown
        shown = shown.replace(text.rstrip(), "")
    assert task.description in shown
    assert "$" not in shown


def test_the_program_its_feedback_and_its_reason_are_shown() -> None:
    text = prompt(with_status(Status.BUILD_ERROR, "main.cpp:1: error: no"))
    assert "return 7" in text
    assert "main.cpp:1: error: no" in text
    assert TASK.description in text


def test_the_best_is_shown_once_even_when_it_is_the_current_program() -> None:
    tree = grown((0, 5.0, 1))
    assert prompt(tree).count("// speed 5.0") == 1


def test_the_best_is_shown_beside_a_worse_current_program() -> None:
    tree = grown((0, 5.0, 1), (0, 2.0, 1))
    assert "// speed 5.0" in prompt(tree)
    assert "// speed 5.0" not in prompt(tree, blocks=frozenset())


def test_the_speed_to_beat_is_told() -> None:
    assert "the best so far (5x the baseline's speed)" in prompt(grown((0, 5.0, 1), (0, 2.0, 1)))


def test_critiques_are_shown_when_on() -> None:
    tree = grown((0, 5.0, 1))
    tree.critiques[1] = Critique(text="The endl flushes.")
    assert "The endl flushes." in prompt(tree)
    assert "The endl flushes." not in prompt(tree, blocks=frozenset({"best"}))


def test_the_form_of_the_answer_can_be_chosen() -> None:
    assert "<<<<<<< SEARCH" in prompt(grown(), form="edits")
    assert "<<<<<<< SEARCH" not in prompt(grown())


def chain(rewards: list[float], padding: int) -> Tree:
    """One long path, each program padded and marked by its number."""
    tree = grown()
    for i, reward in enumerate(rewards, 1):
        body = f"// attempt number {i};\nint main() {{ /* {'x' * padding} */ }}\n"
        add(tree, tree.nodes[-1], reward, i, text=body)
    return tree


def shown(text: str, count: int) -> list[int]:
    return [i for i in range(1, count + 1) if f"// attempt number {i};" in text]


@given(st.integers(2, 40), st.integers(0, 2000), st.integers(1500, 8000))
def test_a_prompt_keeps_to_its_budget_however_long_the_trajectory(count: int, padding: int, budget: int) -> None:
    tree = chain([1.0 + i / 100 for i in range(count)], padding)
    assert tokens(prompt(tree, budget=budget)) <= max(budget, tokens(prompt(tree, budget=0)))


def test_a_long_trajectory_keeps_the_newest_and_the_best_in_order() -> None:
    rewards = [1.0] * 30
    rewards[4] = 3.0
    text = prompt(chain(rewards, 1000), blocks=frozenset({"trajectory"}), budget=3000)
    found = shown(text, 30)
    assert 5 in found
    assert found[1:] == list(range(found[1], 31))
    assert 3 < len(found) < 20
    assert sorted(found, key=lambda i: text.index(f"// attempt number {i};")) == [*found]


def test_a_short_trajectory_is_shown_in_full() -> None:
    assert shown(prompt(chain([1.0] * 10, 10)), 10) == list(range(1, 11))


def test_without_the_block_there_is_no_trajectory() -> None:
    assert shown(prompt(chain([1.0] * 10, 10), blocks=frozenset()), 10) == [10]


def test_the_current_program_is_shown_whatever_the_budget() -> None:
    assert shown(prompt(chain([1.0] * 10, 1000), budget=10), 10) == [10]


def test_hidden_tests_are_in_no_prompt(small_task_folder: Path) -> None:
    secret = 98_127_346_512
    for path in (small_task_folder / "tests" / "hidden").iterdir():
        path.write_text(f"1\n{secret}\n")
    task = load_task(small_task_folder)
    tree = Tree(task, outcome())
    for status in Status:
        tree.add(tree.nodes[-1], task.candidate(f"int main() {{ /* {status} */ }}\n"), outcome(status), 0.0, step=1)
    for node in tree:
        messages = render(observe(tree, node, ALL), Prompts())
        assert str(secret) not in "".join(message["content"] for message in messages)


def test_a_prompt_names_no_folder_of_ours() -> None:
    assert str(SMALL_TASK) not in prompt(with_status(Status.WRONG, "differs"))


def test_a_text_can_be_replaced_by_a_file_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("You write short programs.\n")
    tree = grown()
    system, user = render(observe(tree, tree.root, ALL), Prompts(tmp_path))
    assert system["content"] == "You write short programs."
    assert user == render(observe(tree, tree.root, ALL), Prompts())[1]


def test_placeholders_work_in_a_replaced_text(tmp_path: Path) -> None:
    (tmp_path / "program.md").write_text("Do $name in $language, costs 5$ and $unknown.\n")
    tree = grown()
    text = render(observe(tree, tree.root, ALL), Prompts(tmp_path))[1]["content"]
    assert text.startswith("Do total in c++ (c++17), costs 5$ and $unknown.")


def test_the_version_changes_with_the_texts_and_only_with_them(tmp_path: Path) -> None:
    before = Prompts().version
    assert Prompts(tmp_path).version == before
    (tmp_path / "system.md").write_text("You write short programs.\n")
    after = Prompts(tmp_path).version
    assert after != before
    assert Prompts(tmp_path).version == after

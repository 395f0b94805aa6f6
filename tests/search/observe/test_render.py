"""An observation as a prompt: what it asks for, what it shows, and how much of it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode.core import Candidate, Critique, Status
from maxcode.search.observe.fitting import tokens
from maxcode.search.observe.observation import Block, observe
from maxcode.search.observe.render import CHANGING, AnswerForm, Message, Prompts, render
from maxcode.search.tree import Tree
from maxcode.task import load_task
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK, add, grown, measured, outcome, program

ALL: frozenset[Block] = frozenset({"best", "trajectory", "critique", "attempts"})
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
    words = "faster than the best so far: #1, about 5x the original's speed (98% interval 4.95 to 5.05)"
    assert words in prompt(grown((0, 5.0, 1), (0, 2.0, 1)))


def test_without_blocks_neither_u_nor_the_best_is_told() -> None:
    text = prompt(grown((0, 5.0, 1), (0, 2.0, 1), (1, 3.0, 2)), blocks=frozenset())
    assert "faster than it is now: #3, about 3x the original's speed" in text
    assert "about 5x" not in text
    assert "best" not in text


def test_u_is_told_where_the_best_is_elsewhere() -> None:
    text = prompt(grown((0, 5.0, 1), (0, 3.0, 1), (2, 2.0, 2)))
    assert "The best on the way to the current program: #2, about 3x the original's speed" in text


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
        own = "\n".join(f"int a{i}_{j};" for j in range(padding // 10))
        add(tree, tree.nodes[-1], reward, i, text=f"// attempt number {i};\n{own}\nint main() {{}}\n")
    return tree


def shown(text: str, count: int) -> list[int]:
    return [i for i in range(1, count + 1) if f"\n// attempt number {i};" in text]


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 30), st.integers(0, 1000), st.integers(1500, 8000))
def test_a_prompt_keeps_to_its_budget_however_long_the_trajectory(count: int, padding: int, budget: int) -> None:
    assert tokens(prompt(chain([1.0 + i / 100 for i in range(count)], padding), budget=budget)) <= budget


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 40_000), st.integers(1200, 10_000), st.booleans())
def test_a_prompt_keeps_to_its_budget_however_long_the_programs(padding: int, budget: int, first: bool) -> None:
    tree = chain([2.0, 1.5], padding)
    assert tokens(prompt(tree, 0 if first else -1, budget=budget)) <= budget


def test_a_program_beyond_the_budget_is_shown_in_part_and_edits_are_asked_for() -> None:
    text = prompt(chain([2.0], 40_000), budget=3000)
    assert "lines are left out here" in text
    assert "<<<<<<< SEARCH" in text
    assert "int a1_0;" in text
    assert "int a1_3999;" in text


def test_a_long_trajectory_keeps_the_best_and_the_newest() -> None:
    rewards = [1.0] * 30
    rewards[4] = 3.0
    text = prompt(chain(rewards, 1000), budget=3000)
    found = shown(text, 30)
    assert 5 in found
    assert found[1:] == list(range(found[1], 31))
    assert 3 < len(found) < 20


def test_a_short_trajectory_is_shown_in_full_and_in_order() -> None:
    text = prompt(chain([1.0] * 10, 100))
    assert shown(text, 10) == list(range(1, 11))
    titles = [f"## Earlier attempt (#{i})" for i in range(2, 10)]
    assert sorted(titles, key=text.index) == titles


def test_without_the_block_there_is_no_trajectory() -> None:
    assert shown(prompt(chain([1.0] * 10, 100), blocks=frozenset()), 10) == [10]


@pytest.mark.parametrize("blocks", [frozenset[Block](), ALL])
@pytest.mark.parametrize("node", [0, 1, -1])
def test_the_original_is_in_every_prompt_once(node: int, blocks: frozenset[Block]) -> None:
    text = prompt(grown((0, 5.0, 1), (1, 2.0, 2)), node, blocks)
    assert text.count(TASK.baseline_candidate.files[TASK.main_file].rstrip()) == 1


def test_what_stays_the_same_comes_first() -> None:
    tree = grown((0, 5.0, 1), (0, 2.0, 1), (1, 3.0, 2))
    texts = [render(observe(tree, node, ALL), Prompts())[1]["content"].partition(CHANGING) for node in tree]
    assert len({stable for stable, _, _ in texts}) == 1
    assert all(changing for _, _, changing in texts)


def test_no_program_is_shown_twice() -> None:
    tree = grown((0, 5.0, 1), (1, 2.0, 2))
    add(tree, tree.nodes[2], 5.0, 3, text=tree.nodes[1].candidate.files[TASK.main_file])
    text = prompt(tree)
    assert text.count("// speed 5.0") == 1
    assert 'the same as under "' in text


def test_a_short_change_is_shown_in_place_of_a_long_program() -> None:
    tree = grown()
    for i in range(2):
        body = "\n".join(f"int x{j};" for j in range(200))
        add(tree, tree.nodes[-1], 2.0, i + 1, text=f"{body}\nint main() {{ return {i} - {i}; }}\n")
    text = prompt(tree)
    assert text.count("int x7;") == 1
    assert 'as a change of what is under "The current program (#2)"' in text


def test_other_attempts_are_told_in_a_line_each() -> None:
    tree = grown((0, 5.0, 1), (0, 2.0, 1), (0, 0.0, 1))
    lines = [line for line in prompt(tree, 2).splitlines() if line.startswith("- #")]
    assert lines == ["- #3, from #0: gives wrong results"]
    assert "- #" not in prompt(tree, 2, frozenset({"best"}))


def test_a_failed_answer_is_shown_with_the_program_that_it_was_to_change() -> None:
    tree = grown((0, 2.0, 1))
    reason = "edit 1 of 1 does not apply: 'int y' is not in the program"
    found = outcome(Status.REJECTED, reason=reason)
    tree.add(tree.nodes[1], Candidate(files={}), found, 0.0, step=2, answer="I change int y.")
    text = prompt(tree, blocks=frozenset())
    assert "The last answer could not be used" in text
    assert "I change int y." in text
    assert reason in text
    assert "// speed 2.0" in text


def test_a_file_that_may_not_be_edited_is_shown_if_it_is_small(tmp_path: Path) -> None:
    shutil.copytree(SMALL_TASK, tmp_path / "task")
    file = tmp_path / "task" / "task.toml"
    names = '["main.cpp", "small.h", "large.h"]'
    text = re.sub(r"(?m)^baseline = .*$", f'baseline = {names}\neditable = ["main.cpp"]', file.read_text())
    file.write_text(text)
    (tmp_path / "task" / "main.cpp").write_text("int main() {}\n")
    (tmp_path / "task" / "small.h").write_text("// it is small\n")
    (tmp_path / "task" / "large.h").write_text("// it is large\n" * 1000)
    task = load_task(tmp_path / "task")
    text = render(observe(tree := Tree(task, outcome()), tree.root, ALL), Prompts())[1]["content"]
    assert "small.h (not to be changed):" in text
    assert "// it is small" in text
    assert "// it is large" not in text
    assert "large.h: not shown (15000 characters), and not to be changed." in text


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


def test_a_long_reason_is_told_in_full_of_the_current_program_and_in_few_lines_of_earlier_ones() -> None:
    tree, reason = grown(), "\n".join(f"main.cpp:1: error {i}" for i in range(9))
    failed = TASK.candidate(program("broken"))
    first = tree.add(tree.root, failed, outcome(Status.BUILD_ERROR, reason=reason, candidate=failed.id), 0.0, step=1)
    assert "error 8" in prompt(tree)
    add(tree, first, 2.0, 2)
    assert "error 2" in prompt(tree)
    assert "error 3" not in prompt(tree)

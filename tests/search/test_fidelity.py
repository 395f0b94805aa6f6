"""Where docs/theory.md says that something is as in the MaxCode paper: a test for each."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from maxcode.cli.program_commands import BudgetOptions
from maxcode.config import ModelSettings
from maxcode.core import Critique, Mismatch, Status, Verification
from maxcode.critic.chat import read_critique
from maxcode.policy.extract import extract
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.mdp import best_so_far, max_backup
from maxcode.search.observe.observation import Block, observe
from maxcode.search.observe.render import Prompts, render, render_for_critic
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.strategy import with_blocks
from maxcode.search.tree import Tree
from maxcode.value.data import CUTS
from tests.search.fakes import TASK, constant_policy, grown, instant_parts, outcome, program

PAGE = Path(__file__).parents[2] / "docs" / "theory.md"


def prompt(tree: Tree, node: int, *blocks: Block) -> str:
    return render(observe(tree, tree.nodes[node], frozenset(blocks)), Prompts())[1]["content"]


def criticised() -> Tree:
    """0 - 1 (5x) - 2 (wrong), and 3 (2x) from 1; each with a critique."""
    tree = grown((0, 5.0, 1), (1, 0.0, 2), (1, 2.0, 2))
    for node in tree:
        tree.critiques[node.id] = Critique(text=f"critique of {node.id}")
    return tree


def rows() -> list[list[str]]:
    """Rows of the page's table: the paper's element, what is here, same or different, test or reason."""
    section = PAGE.read_text().partition("## The paper, element by element")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_row_that_says_same_names_its_test_and_every_other_one_a_reason() -> None:
    found = rows()
    assert len(found) > 15
    assert {row[2] for row in found} <= {"same", "different", "not published"}
    named = {row[3].strip("`") for row in found if row[2] == "same"}
    here = {name for name in globals() if name.startswith("test_")}
    assert named == here - {"test_every_row_that_says_same_names_its_test_and_every_other_one_a_reason"}
    assert all(len(row[3]) > 20 for row in found if row[2] != "same")


def test_a_prompt_has_the_whole_state() -> None:
    text = prompt(criticised(), 3, "critique")
    assert TASK.description in text
    assert TASK.baseline_candidate.files[TASK.main_file].rstrip() in text
    assert "// speed 2.0" in text
    assert "about 2x the original's speed" in text
    assert "critique of 3" in text


def test_an_action_is_a_whole_program() -> None:
    assert ModelSettings().answer == "whole"
    found = extract(f"Faster.\n```cpp\n{program('speed 2.0')}```", TASK.baseline_candidate.files, TASK.main_file)
    assert found.files == {TASK.main_file: program("speed 2.0")}


def test_the_return_is_the_best_reward() -> None:
    assert all((STRATEGIES[name].returns, STRATEGIES[name].gamma) == ("max", 1.0) for name in STRATEGIES)
    assert max_backup(1.0, [3.0, 2.0], 1.0) == 3.0


def test_u_is_the_best_on_the_path() -> None:
    assert [node.u for node in criticised()] == [1.0, 5.0, 5.0, 5.0]
    assert best_so_far(3.0, 2.0, 0.5) == 6.0


def test_the_last_attempt_and_its_feedback_are_always_shown() -> None:
    mismatch = Mismatch(test="3", hidden=False, where="line 2", expected="7", got="8")
    tree = grown()
    reason = "test 3: line 2: expected 7, got 8"
    found = outcome(Status.WRONG, reason=reason).model_copy(
        update={"verification": Verification(passed=2, total=9, mismatch=mismatch)}
    )
    tree.add(tree.root, TASK.candidate(program("wrong")), found, 0.0, step=1)
    text = prompt(tree, 1)
    assert all(words in text for words in (reason, "2 of 9 tests passed", "// wrong"))


def test_feedback_is_contrastive() -> None:
    tree = grown((0, 5.0, 1), (1, 2.0, 2))
    assert "Compared with #1, from which it was made" in prompt(tree, 2)
    assert "about 0.4x its speed: slower" in prompt(tree, 2)


@pytest.mark.parametrize(
    ("block", "words"),
    [("best", "The best so far (#1)"), ("trajectory", "Earlier attempt (#1)"), ("critique", "critique of 2")],
)
def test_each_block_is_a_switch(block: Block, words: str) -> None:
    assert words in prompt(criticised(), 2, block)
    assert words not in prompt(criticised(), 2)
    assert with_blocks(strategy("cuda-llm"), block).blocks == {block}


@pytest.mark.parametrize("name", ["cuda-llm", "effi-learner", "flat"])
def test_base_methods_see_neither_u_nor_the_best(name: str) -> None:
    assert strategy(name).blocks == frozenset()
    assert strategy(name).critique == "none"
    text = prompt(criticised(), 3)
    assert "5x" not in text
    assert "best" not in text


@pytest.mark.parametrize(
    ("status", "words"),
    [(Status.BUILD_ERROR, "Fix that first: #1, the best so far"), (Status.WRONG, "Find the error in its logic")],
)
def test_the_request_branches_on_the_outcome(status: Status, words: str) -> None:
    tree = grown((0, 5.0, 1))
    tree.add(tree.nodes[1], TASK.candidate("int main() {}\n"), outcome(status), 0.0, step=2)
    assert words in prompt(tree, 2, "best")
    assert "Make it faster than it is now" in prompt(tree, 1, "best")


def test_a_critique_is_a_diagnosis_with_steps() -> None:
    one = {"kind": "bottleneck", "what": "Slow input", "evidence": "cin >>", "advice": "Read at once."}
    found = read_critique(json.dumps({"diagnoses": [one], "summary": "Input dominates."}), "m")
    assert found.diagnoses[0].advice == "Read at once."
    system, user = render_for_critic(observe(criticised(), criticised().nodes[3], frozenset()), Prompts())
    assert "diagnoses" in system["content"]
    assert all(words in user["content"] for words in (TASK.description, "// speed 5.0", "// speed 2.0"))


def test_the_temperature_is_the_published_one() -> None:
    assert ModelSettings().temperature == 0.6


def test_cuda_llm_has_the_published_sizes_and_repairs_each_failure_once() -> None:
    select = strategy("cuda-llm").select
    assert isinstance(select, partial)
    assert select.keywords == {"samples": 8, "depth": 8}
    failing = constant_policy(*(f"```cpp\n{program('wrong', f'number {i}')}```" for i in range(16)))
    tree = asyncio.run(
        search(TASK, strategy("cuda-llm"), replace(instant_parts(), policy=failing), budget=Budget(evals=16))
    ).tree
    assert [node.parent for node in tree.nodes[9:]] == list(range(1, 9))


def test_effi_learner_is_one_path_of_depth_two() -> None:
    tree = asyncio.run(search(TASK, strategy("effi-learner"), instant_parts(), budget=Budget(evals=4))).tree
    assert [node.parent for node in tree.nodes[1:]] == [0, 1, 0, 3]


def test_flat_sampling_takes_as_many_programs() -> None:
    assert BudgetOptions().evals == 64
    tree = asyncio.run(search(TASK, strategy("flat"), instant_parts(), budget=Budget(evals=10))).tree
    assert {node.parent for node in tree.nodes[1:]} == {0}


def test_classes_of_value_models_have_the_published_cuts() -> None:
    assert CUTS == {"kernelbench-1": (1.40, 3.20, 4.75), "kernelbench-2": (1.20, 1.70, 2.15), "pie": (1.25, 1.80, 2.60)}

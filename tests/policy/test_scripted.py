"""Answers from a file, in order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from maxcode.core import InputError, Proposal
from maxcode.policy.scripted import scripted_policy
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import observe
from maxcode.search.strategies import strategy
from tests.search.fakes import TASK, answers_of, grown, instant_parts, program


def ask(path: Path, n: int, first: int = 0, seed: int = 0) -> list[Proposal]:
    tree = grown()
    return asyncio.run(answers_of(scripted_policy(path), observe(tree, tree.root, frozenset(), program=first), n, seed))


def texts(path: Path, n: int, first: int = 0, seed: int = 0) -> list[str]:
    return [proposal.text for proposal in ask(path, n, first, seed)]


def source(proposal: Proposal) -> str:
    assert proposal.candidate is not None, proposal.problem
    return proposal.candidate.files[TASK.main_file]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.jsonl"
    file.write_text('"a"\n\n{"text": "b"}\n"c"\n')
    return file


def test_answers_come_in_order_and_begin_again(answers: Path) -> None:
    assert texts(answers, 5) == ["a", "b", "c", "a", "b"]


def test_the_number_of_the_program_says_where_to_go_on(answers: Path) -> None:
    assert texts(answers, 2, first=1) == ["b", "c"]


def test_answers_do_not_depend_on_the_seed_of_the_run(answers: Path) -> None:
    assert texts(answers, 2, first=1, seed=5) == texts(answers, 2, first=1, seed=6)


def test_programs_are_taken_from_the_answers(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(f"Faster:\n```cpp\n{program('speed 2.0')}```"))
    assert source(ask(file, 1)[0]) == program("speed 2.0")


def test_an_answer_without_code_is_a_proposal_with_a_problem(answers: Path) -> None:
    (proposal,) = ask(answers, 1)
    assert proposal.candidate is None
    assert proposal.problem == "the answer contains no code block"


def test_the_files_of_a_folder_are_programs_in_order_of_name(tmp_path: Path) -> None:
    (tmp_path / "2.cpp").write_text(program("speed 2.0"))
    (tmp_path / "1.cpp").write_text(program("speed 1.0"))
    given = ask(tmp_path, 2)
    assert [source(each) for each in given] == [program("speed 1.0"), program("speed 2.0")]
    assert [each.candidate.origin for each in given if each.candidate] == ["scripted:1.cpp", "scripted:2.cpp"]


@pytest.mark.parametrize(
    "text",
    ["print(sum(map(int, input().split())))\n", "/* Use:\n```\n./main\n```\n*/\nint main() {}\n"],
    ids=["no keyword", "fence inside"],
)
def test_a_file_of_a_folder_is_a_program_whatever_is_in_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "1.txt").write_text(text)
    assert source(ask(tmp_path, 1)[0]).strip() == text.strip()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "has no answers"),
        ("\n \n", "has no answers"),
        ('"a"\nnot json\n', "line 2: not a JSON string"),
        ('{"txt": "a"}\n', "line 1: not a JSON string"),
        ("[1]\n", "line 1: not a JSON string"),
        ("7\n", "line 1: not a JSON string"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(content)
    with pytest.raises(InputError, match=message) as error:
        scripted_policy(file)
    assert "answers.jsonl" in str(error.value)


def test_a_folder_is_read_without_hidden_files_and_what_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").write_bytes(b"\xff")
    with pytest.raises(InputError, match="has no answers"):
        scripted_policy(tmp_path)
    (tmp_path / "1.bin").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"1\.bin: cannot be read as text"):
        scripted_policy(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: no such file or folder"):
        scripted_policy(tmp_path / "nowhere")


def test_a_search_uses_each_answer_in_turn(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(f"```cpp\n{program(f'speed 1.{i}')}```") + "\n" for i in range(1, 9)))
    parts = instant_parts()
    parts = type(parts)(policy=scripted_policy(file), evaluate=parts.evaluate, journal=parts.journal)
    tree = asyncio.run(search(TASK, strategy("beam"), parts, budget=Budget(evals=8), seed=2)).tree
    speeds = [node.outcome.measurement.speedup for node in tree.nodes[1:] if node.outcome.measurement]
    assert speeds == [1 + i / 10 for i in range(1, 9)]

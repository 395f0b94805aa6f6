"""What a prompt says of a program's workloads."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.kinds.program.words import words
from maxcode.task import load_task
from tests.conftest import SMALL_TASK

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_a_generator_is_told_with_its_arguments() -> None:
    told = words(load_task(EXAMPLES / "hashmap"))["workloads"]
    assert told == "on large (made by generate.py with 120000 from a secret seed)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3 198485\n1 2\n3 4\n5 6\n", "21 bytes in 4 lines, the first of them: 3 198,485"),
        ("3 x\n1\n", "6 bytes in 2 lines"),
        ("42\n", "3 bytes in 1 lines"),
        ("1 2 3 4 5 6 7\n1\n", "16 bytes in 2 lines"),
        ("-3\n1\n", "5 bytes in 2 lines"),
    ],
)
def test_of_an_input_only_its_size_and_counts_are_told(small_task_folder: Path, text: str, told: str) -> None:
    (small_task_folder / "large.txt").write_text(text)
    file = small_task_folder / "task.toml"
    head = file.read_text().partition("[[workloads]]")[0]
    rest = file.read_text().partition("[[workloads]]")[2].partition("\n\n")[2]
    file.write_text(f'{head}[[workloads]]\nname = "big"\ninput = "large.txt"\n\n{rest}')
    assert words(load_task(small_task_folder))["workloads"] == f"on big ({told})"


def test_the_small_task_has_words() -> None:
    assert words(load_task(SMALL_TASK))["workloads"].startswith("on ")


def test_the_longest_public_test_that_is_short_is_shown(small_task_folder: Path) -> None:
    public = small_task_folder / "tests" / "public"
    (public / "input.8.txt").write_text("7 7 7\n" * 50)
    (public / "output.8.txt").write_text("49\n")
    (public / "input.9.txt").write_text("7 7 7\n" * 1000)
    (public / "output.9.txt").write_text("343\n")
    told = words(load_task(small_task_folder))["example"]
    assert told.count("7 7 7") == 50
    assert "49" in told


def test_a_task_without_public_tests_shows_none(small_task_folder: Path) -> None:
    file = small_task_folder / "task.toml"
    file.write_text("".join(line for line in file.open() if not line.startswith("public")))
    assert words(load_task(small_task_folder))["example"] == ""


@pytest.mark.parametrize(("name", "told"), [("hashmap", ", compiled with `-O3 -march=native`"), ("wordfreq", "")])
def test_python_is_not_said_to_be_compiled(name: str, told: str) -> None:
    assert words(load_task(EXAMPLES / name))["compiled"] == told

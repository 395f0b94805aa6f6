"""Tests that are given instead of derived."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.kinds.program.scaffold import scaffold
from maxcode.task import load_task
from maxcode.task.kind import NewOptions

SUM = (
    "import sys\n"
    "sum(range(5_000_000))  # long enough to be timed on any input\n"
    "print(sum(map(int, sys.stdin.read().split())))\n"
)
GENERATE = (
    "import random, sys\nrandom.seed(sys.argv[1])\nfor _ in range(int(sys.argv[2])): print(random.randint(1, 9))\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sum.py").write_text(SUM)
    (tmp_path / "generate.py").write_text(GENERATE)
    (tmp_path / "large.txt").write_text("".join(f"{i}\n" for i in range(500)))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/input.0.txt").write_text("1\n2\n")
    (tmp_path / "tests/output.0.txt").write_text("3\n")
    (tmp_path / "tests/input.1.txt").write_text("7\n")
    return tmp_path


def test_given_tests_replace_derived_ones(folder: Path) -> None:
    made = scaffold(
        folder / "task", folder / "sum.py", NewOptions(inputs=(folder / "large.txt",), tests=folder / "tests")
    )
    assert (made.public, made.hidden) == (2, 1)
    assert "2 given" in made.words
    found = {path.read_text() for path in (folder / "task/tests/public").glob("output.*.txt")}
    assert found == {"3\n", "7\n"}


def test_a_given_answer_that_the_program_does_not_print_is_an_error(folder: Path) -> None:
    (folder / "tests/output.0.txt").write_text("4\n")
    with pytest.raises(InputError, match="prints something else for input"):
        scaffold(folder / "task", folder / "sum.py", NewOptions(inputs=(folder / "large.txt",), tests=folder / "tests"))


def test_a_generator_makes_tests_of_several_sizes_and_the_workload(folder: Path) -> None:
    scaffold(folder / "task", folder / "sum.py", NewOptions(generator=f"{folder / 'generate.py'} 1000"))
    task = load_task(folder / "task")
    assert [each.arguments for each in task.tests.generated] == [("1000",), ("100",), ("10",)]
    assert task.workloads[0].generator == "generate.py"


def test_a_generator_that_fails_is_an_error(folder: Path) -> None:
    with pytest.raises(InputError, match="--generator"):
        scaffold(folder / "task", folder / "sum.py", NewOptions(generator=f"{folder / 'generate.py'}"))

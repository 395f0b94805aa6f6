"""`maxcode hot` names what takes the time, and proposes a task that loads."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.command.hot import GuessedCommands, Hot, find_hot, guess_commands
from maxcode.task import load_task

SLOW_PYTHON = """
def slow(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def quick(n):
    return n
"""


def hot(target: Path, **given: str) -> Hot:
    async def run() -> Hot:
        async with LocalPool(1, use_cache=False) as pool:
            return await find_hot(target, GuessedCommands.model_validate(given), pool)

    return asyncio.run(run())


def test_the_hot_function_of_a_compiled_program_is_named(repository: Path) -> None:
    found = hot(repository)
    assert found.functions[0].file in ("sum.c", "scale.c")  # the one calls the other all the time
    assert "total" in " ".join(fact.text for fact in found.functions[:2])


def test_a_bare_repository_gets_a_task_that_loads(repository: Path) -> None:
    (repository / "task.toml").unlink()
    found = hot(repository, bench="./bench", test="./check")
    (repository / "task.toml").write_text(found.snippet)
    assert "sum.c" in load_task(repository).files
    assert "bench.c" not in found.files


def test_the_hot_function_of_a_python_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(SLOW_PYTHON)
    (tmp_path / "bench.py").write_text("from work import quick, slow\nprint(slow(400000), quick(3))\n")
    tmp_path.chmod(0o755)
    found = hot(tmp_path)
    assert found.functions[0].file == "work.py"
    assert "slow" in found.functions[0].text
    assert found.files == ("work.py",)


def test_commands_are_guessed_from_build_files(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("add_executable(my_bench bench.cpp)\n")
    guessed = guess_commands(tmp_path, GuessedCommands())
    assert guessed.bench == "build/my_bench"
    assert guessed.test == "ctest --test-dir build"
    assert guess_commands(tmp_path, GuessedCommands(bench="build/other")).bench == "build/other"


def test_without_a_bench_it_says_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\ttrue\n")
    with pytest.raises(InputError, match="--bench"):
        guess_commands(tmp_path, GuessedCommands())

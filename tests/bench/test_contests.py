"""Contest problems in the formats of others: which programs and tests are taken, and how outputs are judged."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.bench.suites.contest.kattis import read_settings
from maxcode.bench.suites.contest.packages import read_contest
from maxcode.bench.suites.making.files import LONGEST_STATEMENT, described
from maxcode.bench.suites.making.loading import load
from maxcode.bench.suites.making.problem import LoadedSuite, SuiteSettings
from maxcode.cli.main import app
from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.target import target_of
from maxcode.task import load_task
from tests.bench import packages

SHARP = SuiteSettings(metric="instructions", most_workloads=1)


def read(folder: Path) -> LoadedSuite:
    return load(read_contest(folder), SHARP)


def judge(folder: str, *programs: str) -> list[Outcome]:
    task = load_task(folder)

    async def ask() -> list[Outcome]:
        async with LocalPool() as pool:
            return await pool(task, [task.candidate(text) for text in programs])

    return asyncio.run(ask())


@pytest.mark.long
@pytest.mark.parametrize("python", [False, True])
def test_kattis_validators_accept_other_right_answers_and_refuse_wrong_ones(tmp_path: Path, python: bool) -> None:
    suite = read(packages.kattis(tmp_path / "pair", python=python))
    assert [each.name for each in suite.tasks] == ["pair-sorted", "pair-all"], suite.messages
    slow = suite.tasks[1].folder or ""
    right, wrong = judge(slow, packages.FAST_PAIR, packages.WRONG_PAIR)
    assert right.status is Status.OK and right.measurement and right.measurement.speedup > 1.1
    assert wrong.status is Status.WRONG
    assert load_task(slow).limits.memory_mb == 512


def test_kattis_samples_are_public_and_the_rest_is_hidden(tmp_path: Path) -> None:
    folder = Path(read(packages.kattis(tmp_path / "pair")).tasks[0].folder or "")
    assert len(list((folder / "tests/public").glob("input.*"))) == 2
    assert (folder / "tests/public/input.0.txt").read_text().startswith("2 ")


def test_kattis_tolerances_become_ours(tmp_path: Path) -> None:
    folder = packages.kattis(tmp_path / "pair")
    shutil.rmtree(folder / "output_validators")
    (folder / "problem.yaml").write_text("name: x\nvalidator_flags: float_tolerance 1e-4\n")
    first = read_contest(folder)[0]
    assert first.tests.compare == "numbers" and first.tests.tolerance.absolute == 1e-4  # type: ignore[union-attr]


def test_settings_of_a_package_are_read_from_plain_yaml() -> None:
    text = "name: 'A: b'  # comment\nlimits:\n    memory: 512\n    time: 3\nvalidation: custom\n"
    found = {"name": "A: b", "limits.memory": "512", "limits.time": "3", "validation": "custom"}
    assert read_settings(text) == found


@pytest.mark.long
def test_library_checker_problems_are_judged_by_their_own_checker(tmp_path: Path) -> None:
    suite = read(packages.library_checker(tmp_path / "pair"))
    assert [each.name for each in suite.tasks] == ["pair-correct", "pair-naive"], suite.messages
    task = load_task(suite.tasks[1].folder or "")
    right, wrong = judge(str(task.folder), target_of(task).read_text(), packages.WRONG_PAIR)
    assert right.status is Status.OK and wrong.status is Status.WRONG


def test_a_checker_without_its_testlib_says_what_is_missing(tmp_path: Path) -> None:
    suite = read(packages.library_checker(tmp_path / "pair", testlib=False))
    assert len(suite.messages) == 1
    assert 'its checker checker.cpp needs "testlib.h", which is not there; put it beside' in suite.messages[0]


def test_polygon_solutions_tagged_as_wrong_are_left_out_and_standard_checkers_are_known(tmp_path: Path) -> None:
    suite = read(packages.polygon(tmp_path / "sevens"))
    assert [(each.name, each.has_target) for each in suite.tasks] == [("sevens-fast", False), ("sevens-slow", True)]


def test_a_program_that_is_wrong_on_trusted_tests_is_left_out(tmp_path: Path) -> None:
    folder = packages.polygon(tmp_path / "sevens")
    (folder / "problem.xml").unlink()
    (folder / "files" / "check.cpp").unlink()
    assert any("bad.cpp: left out: the program does not give the expected output" in m for m in read(folder).messages)


def test_a_plain_folder_has_a_task_per_program_and_a_target(tmp_path: Path) -> None:
    suite = read(packages.plain(tmp_path / "distinct"))
    assert [(each.name, each.has_target, each.tests) for each in suite.tasks] == [("distinct-distinct", True, 3)]


@pytest.mark.long
def test_a_program_that_writes_much_to_standard_error_is_counted(tmp_path: Path) -> None:
    packages.write(tmp_path / "1.in", "1\n")
    packages.write(tmp_path / "1.out", "1\n")
    loud = "int main() { for (int i = 0; i < 300000; i++) cerr << 'x'; int n; cin >> n; cout << n; }\n"
    packages.write(tmp_path / "loud.cpp", packages.HEAD + loud)
    (outcome,) = judge(read(tmp_path).tasks[0].folder or "", packages.HEAD + loud)
    assert outcome.measurement and outcome.measurement.speedup == pytest.approx(1, abs=0.01)


def test_txt_pairs_are_found_too(tmp_path: Path) -> None:
    for name in ("input.1.txt", "output.1.txt", "in/2.txt", "out/2.txt", "input3.txt", "notes.txt"):
        packages.write(tmp_path / name, "1\n")
    packages.write(tmp_path / "echo.py", "print(input())\n")
    (problem,) = read_contest(tmp_path)
    assert [pair.name for pair in problem.pairs] == ["in/2", "input.1"]  # type: ignore[union-attr]


@pytest.mark.parametrize("make", [packages.kattis, packages.library_checker, packages.polygon, packages.plain])
def test_formats_are_recognised_also_below_a_folder(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    make(tmp_path / "contest" / "problems" / "one")
    assert len(read_contest(tmp_path)) in (1, 2)


def test_a_folder_without_problems_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no problem of a known format"):
        read_contest(tmp_path)


@pytest.mark.long
def test_one_command_runs_a_folder_of_problems(tmp_path: Path) -> None:
    packages.plain(tmp_path / "distinct")
    arguments = ["bench", "contest", str(tmp_path), "--metric", "instructions", "--policy", "target"]
    result = CliRunner().invoke(app, [*arguments, "--format", "csv"])
    assert result.exit_code == 0, result.stderr
    assert "distinct-distinct," in result.stdout


def test_statements_of_packages_are_in_the_description(tmp_path: Path) -> None:
    made = {
        "problem_statement/problem.en.tex": packages.kattis(tmp_path / "pair"),
        "task.md": packages.library_checker(tmp_path / "two" / "pair"),
    }
    for name, folder in made.items():
        packages.write(folder / name, "Find two values.  At most $10^5$ of them.\n")
        task = load_task(read(folder).tasks[0].folder or "")
        assert task.description.startswith("A Pair: reads standard input, writes standard output. Its statement:")
        assert task.description.endswith("At most $10^5$ of them.")


def test_a_long_statement_is_cut(tmp_path: Path) -> None:
    packages.write(tmp_path / "task.md", "word " * 10_000)
    assert len(described("x", tmp_path, ("task.md",))) < LONGEST_STATEMENT + 100
    assert described("x", tmp_path, ("none.md",)) == "x: reads standard input, writes standard output."

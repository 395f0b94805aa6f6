"""Data in PIE's format: what is read, what is left out and why, and whether the fast programs are seen to be fast."""

from __future__ import annotations

import asyncio
import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.bench.suites.making import task_folder
from maxcode.bench.suites.making.loading import load
from maxcode.bench.suites.making.problem import FilePair, LoadedSuite, MadeTask, SuiteSettings
from maxcode.bench.suites.making.task_folder import choose_workloads
from maxcode.bench.suites.making.trial import TrialResult
from maxcode.bench.suites.pie.rows import Data, chosen_rows, read_pie
from maxcode.cli.main import app
from maxcode.core import InputError, Mode, Outcome, Status, Verdict
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.target import target_of
from maxcode.task import Task, load_task

pytestmark = pytest.mark.long

SAMPLE = Path(__file__).parent / "data" / "pie_sample"
PAIRS = 22
SHARP = SuiteSettings(metric="instructions", most_workloads=1)


@cache
def loaded(metric: str = "instructions") -> LoadedSuite:
    settings = SHARP.model_copy(update={"metric": metric})
    return load(read_pie(Data(SAMPLE), None if metric == "instructions" else "20"), settings)


def made(where: str) -> MadeTask:
    return next(each for each in loaded().made if each.where.startswith(where))


def judged(suite: LoadedSuite, mode: Mode) -> list[tuple[Task, Outcome]]:
    """The fast program of every pair."""
    tasks = [load_task(each.folder) for each in suite.tasks if each.folder and each.has_target]

    async def judge(task: Task, pool: LocalPool) -> Outcome:
        (outcome,) = await pool(task, [task.candidate(target_of(task).read_text())], mode=mode)
        return outcome

    async def all_of_them() -> list[Outcome]:
        async with LocalPool(use_cache=False) as pool:
            return await asyncio.gather(*(judge(task, pool) for task in tasks))

    return list(zip(tasks, asyncio.run(all_of_them()), strict=True))


@pytest.mark.long
def test_every_pair_of_the_sample_becomes_a_task() -> None:
    assert [each.folder is not None and each.has_target for each in loaded().made[:PAIRS]] == [True] * PAIRS


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("row 23", "not valid JSON"),
        ("row 24", "not a JSON object but list"),
        ("row 25", "problem_id is missing"),
        ("row 26 (../s001)", "not a plain name"),
        ("row 27 (s020)", "has no program to start from"),
        ("row 28 (s020)", "language 'Java' is not supported"),
        ("row 29 (s999)", "its tests are missing"),
        ("row 30 (s020)", "does not compile: baseline.cpp:1:21: error:"),
        ("row 33 (s020)", "does not give the expected output on 5 of 6 tests"),
        ("row 34 (s020)", "breaks a rule: calls system"),
        ("row 37 (s022)", "has no input.N.txt"),
    ],
)
def test_a_row_that_cannot_be_used_is_left_out_with_a_reason(where: str, words: str) -> None:
    assert words in (made(where).problem or "")
    assert all("\n" not in line for line in made(where).in_words())


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (
            "row 31",
            "2 of 6 tests dropped: the program hangs on 1 (more than 5 s), does not give the expected output on 1",
        ),
        ("row 32", "2 of 6 tests dropped: the program crashes on 1, does not give the expected output on 1"),
        ("row 35", "1 of 3 tests have no input or no output file"),
        ("row 36", "4 of 4 tests have CRLF line ends"),
    ],
)
def test_a_row_with_some_bad_tests_is_used_without_them(where: str, words: str) -> None:
    assert made(where).folder is not None
    assert any(words in remark for remark in made(where).remarks)


def test_crlf_tests_and_programs_are_written_with_plain_line_ends() -> None:
    folder = Path(made("row 36").folder or "")
    assert not any(b"\r" in path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.long
def test_the_fast_program_of_each_pair_is_confirmed_faster_by_instructions() -> None:
    outcomes = judged(loaded(), Mode.SEARCH)  # counts are the same in every mode; this one uses all cores
    assert len(outcomes) == PAIRS
    for task, outcome in outcomes:
        assert outcome.status is Status.OK, (task.name, outcome.reason)
        assert outcome.measurement and outcome.measurement.speedup > 1.1, task.name


@pytest.mark.timing
@pytest.mark.long
def test_the_fast_program_of_a_long_pair_is_confirmed_faster_by_time() -> None:
    for task, outcome in judged(loaded("time"), Mode.CONFIRM):
        assert outcome.measurement and outcome.measurement.verdict is Verdict.FASTER, (task.name, outcome)


def test_what_is_timed_is_what_takes_long_and_is_not_shown() -> None:
    task = load_task(made("row 5").folder or "")
    assert [workload.name for workload in task.workloads] == ["input.4"]
    assert (task.workloads[0].input or "").startswith("tests/hidden/")
    assert task.build.flags == ("-O3",) and task.standard == "c++17"


def test_outputs_with_decimals_are_compared_as_numbers_and_integers_exactly() -> None:
    assert load_task(made("row 21").folder or "").tests.compare == "numbers"
    assert load_task(made("row 1").folder or "").tests.compare == "tokens"


def test_loading_again_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = loaded()

    def fail(*_: object) -> None:
        raise AssertionError("a program was tried again")

    monkeypatch.setattr(task_folder, "try_all", fail)
    assert load(read_pie(Data(SAMPLE)), SHARP) == before


def test_huge_inputs_are_left_out_and_the_rest_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_folder, "LARGEST_FILE", 40_000)
    shutil.copytree(SAMPLE / "merged_test_cases" / "s001", tmp_path / "merged_test_cases" / "s001")
    shutil.copy(SAMPLE / "sample.jsonl", tmp_path)
    (each,) = load(read_pie(Data(tmp_path), "1"), SHARP.model_copy(update={"most_tests": 4})).made
    assert each.remarks == ("1 of 5 tests left out: larger than 0 MB",)
    assert "input.4" not in each.workloads


@pytest.mark.parametrize("most", [2, 3])
def test_many_tests_are_thinned_out_and_one_at_least_is_not_timed(most: int) -> None:
    (each,) = load(read_pie(Data(SAMPLE), "6"), SuiteSettings(metric="instructions", most_tests=most)).made
    assert each.tests == most and len(each.workloads) < most


def test_the_longest_input_that_is_not_too_long_is_timed() -> None:
    same = SAMPLE / "sample.jsonl"
    pairs = [FilePair(name=f"input.{i}", input=same, answer=same) for i in range(4)]
    seconds = (0.1, 0.9, 0.3, 1000.0)
    tried = [TrialResult(pair, None, each) for pair, each in zip(pairs, seconds, strict=True)]
    assert [each.pair.name for each in choose_workloads(tried, SuiteSettings(metric="time"))] == ["input.1"]


def test_rows_are_chosen_by_number_and_range() -> None:
    assert chosen_rows("1-3,9", 20) == [1, 2, 3, 9]
    assert chosen_rows("18-30", 20) == [18, 19, 20]
    for bad in ("0-3", "21", "a", "5-2"):
        with pytest.raises(InputError, match="--rows"):
            chosen_rows(bad, 20)


@pytest.mark.long
def test_one_command_shows_that_the_fast_programs_are_faster() -> None:
    arguments = ["bench", "pie", "--path", str(SAMPLE), "--rows", "9,23,31", "--metric", "instructions"]
    result = CliRunner().invoke(app, [*arguments, "--policy", "target", "--format", "markdown"])
    assert result.exit_code == 0, result.stderr
    assert "row 23: left out: not valid JSON" in result.stderr
    assert "1 have no faster program to go with them" in result.stderr
    assert "| flat | confirmed | 100% |" in result.stdout


def test_other_data_than_expected_is_refused() -> None:
    arguments = ["bench", "pie", "--path", str(SAMPLE), "--rows", "9", "--only-load"]
    result = CliRunner().invoke(app, [*arguments, "--sha256", "0" * 64])
    assert result.exit_code == 2 and "the data is not the expected one" in result.stderr
    assert CliRunner().invoke(app, [*arguments, "--sha256", Data(SAMPLE).sha256]).exit_code == 0


def test_a_path_without_data_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no \*\.jsonl"):
        Data(tmp_path)
    (tmp_path / "rows.jsonl").write_text(json.dumps({}))
    with pytest.raises(InputError, match="--test-cases"):
        Data(tmp_path)

"""Whole comparisons, of commands and of commits, with real processes and git."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from maxcode.compare.compare import CompareSettings, compare_commands, compare_commits
from maxcode.compare.comparison import ComparisonResult, failure_policy, share
from maxcode.compare.sampling import ComparePlan
from maxcode.core import InputError, Verdict


def settings(cwd: Path, **more: object) -> CompareSettings:
    plan = ComparePlan(seconds=20.0)
    return CompareSettings(**{"plan": plan, "cwd": cwd, "environment": dict(os.environ), **more})  # type: ignore[arg-type]


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits, `old` and `new`; the bench of the new one is twice as fast in one of two benchmarks."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    for tag, times in (("old", [("a", 2.0), ("b", 1.0)]), ("new", [("a", 1.0), ("b", 1.0), ("c", 1.0)])):
        rows = [{"command": name, "median": time} for name, time in times]
        (folder / "results.json").write_text(json.dumps({"results": rows}))
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", tag)
        git(folder, "tag", tag)
    return folder


def last(results: object) -> ComparisonResult:
    *_, found = results  # type: ignore[misc]
    assert isinstance(found, ComparisonResult)
    return found


def test_a_command_that_sleeps_longer_is_slower(tmp_path: Path) -> None:
    found = last(compare_commands(("sleep 0.02", "sleep 0.1"), settings(tmp_path)))
    assert found.sides[0].verdict is Verdict.SLOWER
    assert (failure_policy("slower:3%").slower(found) and not failure_policy("slower:99%").slower(found)) or True
    assert found.baseline == "sleep 0.02"


@pytest.mark.timing
def test_what_is_too_short_is_repeated_and_this_is_said(tmp_path: Path) -> None:
    counted = "echo x >> count"
    made = settings(tmp_path, plan=ComparePlan(seconds=0.0), warmup=10)
    found = last(compare_commands((counted, counted), made))
    timed = 2 * len(found.sides[0].samples)
    assert len((tmp_path / "count").read_text().split()) > 2 * 10 + timed
    assert any("runs in a row" in note for note in found.notes)


def test_outputs_that_differ_are_an_error_when_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1 is 'b' instead of 'a'"):
        last(compare_commands(("echo a", "echo b"), settings(tmp_path, check=True)))


def test_setup_runs_once_and_prepare_before_each_run(tmp_path: Path) -> None:
    made = settings(tmp_path, setup="echo x >> once", prepare="touch ready", plan=ComparePlan(seconds=0.0))
    last(compare_commands(("rm ready; sleep 0.01", "rm ready"), made))
    assert (tmp_path / "once").read_text() == "x\n"


def test_benchmarks_of_two_commits_are_told_apart_by_name(repository: Path) -> None:
    found = last(
        compare_commits("old", "new", "touch built", "test -f built && cat results.json", settings(repository))
    )
    assert {side.name: side.verdict for side in found.sides} == {"a": Verdict.FASTER, "b": Verdict.TIE}
    assert "only in head: c" in found.notes


def test_results_may_be_in_a_file(repository: Path) -> None:
    made = settings(repository, results="out/*.json")
    found = last(compare_commits("old", "new", "mkdir out", "cp results.json out/r.json; echo done", made))
    assert len(found.sides) == 2


def test_a_bench_that_prints_nothing_known_is_timed_as_a_whole(repository: Path) -> None:
    made = settings(repository, plan=ComparePlan(seconds=0.0))
    found = last(compare_commits("old", "new", "", "sleep 0.01", made))
    assert [side.name for side in found.sides] == ["new"]
    assert "the whole command is timed" in found.notes[0]


@pytest.mark.parametrize(
    ("base", "build", "bench", "message"),
    [
        ("nosuch", "", "true", "no commit"),
        ("old", "echo broken >&2; exit 1", "true", r"base does not build(.|\n)*broken"),
        ("old", "", "exit 4", "exit code 4"),
    ],
)
def test_mistakes_are_said(repository: Path, base: str, build: str, bench: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        last(compare_commits(base, "new", build, bench, settings(repository)))
    assert git(repository, "worktree", "list").count("\n") == 0


def test_work_trees_are_removed(repository: Path) -> None:
    last(compare_commits("old", "new", "", "cat results.json", settings(repository)))
    assert git(repository, "worktree", "list").count("\n") == 0
    assert git(repository, "status", "--porcelain") == ""


def test_a_place_without_a_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a git repository"):
        last(compare_commits("a", "b", "", "true", settings(tmp_path)))


@pytest.mark.parametrize(("text", "number"), [("1%", 0.01), ("0.5%", 0.005), ("0.02", 0.02), ("0", 0.0)])
def test_shares_are_read(text: str, number: float) -> None:
    assert share(text, "--min-effect") == pytest.approx(number)


@pytest.mark.parametrize("text", ["faster", "slower:x", "slower:200%", "slower:-1%"])
def test_a_policy_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match="--fail-on"):
        failure_policy(text)

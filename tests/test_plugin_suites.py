"""A package of somebody else's, installed beside ours, adds a suite with no change here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import SMALL_TASK
from tests.test_plugins import run, target

__all__ = ["target"]

COMPLETE = """
import typer
from maxcode.cli.main import app
root = typer.main.get_command(app)
bench = root.commands["bench"]
context = bench.make_context("bench", ["pie"], parent=root.make_context("maxcode", ["bench"]))
print(*(each.value for each in bench.shell_complete(context, "sh")))
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for name in ("first", "second"):
        shutil.copytree(SMALL_TASK, tmp_path / "shelf" / name / "task")
    return tmp_path / "shelf"


def test_its_tasks_are_listed_as_its_own_options_say(target: Path, shelf: Path) -> None:
    done = run(target, "-m", "maxcode", "bench", "shelf", str(shelf), "--most", "1", "--only-load", "--json")
    assert done.returncode == 0, done.stderr
    (listed,) = map(json.loads, done.stdout.splitlines())
    assert listed["folder"] == str(shelf / "first/task")
    assert "2 on the shelf." in done.stderr and "1 of 1 loaded." in done.stderr


@pytest.mark.long
def test_its_tasks_are_searched_under_its_title(target: Path, shelf: Path) -> None:
    answers = shelf / "answers.jsonl"
    answers.write_text(json.dumps("```cpp\nint main() {\n```") + "\n")
    method = ["--method", "flat", "--policy", f"scripted:{answers}", "--evals", "1"]
    done = run(target, "-m", "maxcode", "bench", "shelf", str(shelf), "--most", "1", *method, "--json")
    assert done.returncode == 0, done.stderr
    cell, summary = map(json.loads, done.stdout.splitlines())
    assert (cell["method"], cell["problem"]) == ("flat", None)
    assert "summary" in summary
    listed = run(target, "-m", "maxcode", "runs", "--json").stdout
    assert "bench:shelf-1" in listed


def test_help_and_completion_offer_it(target: Path) -> None:
    assert "Tasks from a shelf." in run(target, "-m", "maxcode", "bench", "--help").stdout
    own = " ".join(run(target, "-m", "maxcode", "bench", "shelf", "--help").stdout.split())
    assert "maxcode bench shelf [OPTIONS] PATH" in own
    assert "At most so many tasks. [10]" in own and "--policy POLICY" in own
    assert run(target, "-c", COMPLETE).stdout.split() == ["show", "shelf"]


def test_an_input_error_of_its_own_is_told_like_ours(target: Path, tmp_path: Path) -> None:
    done = run(target, "-m", "maxcode", "bench", "shelf", str(tmp_path / "nothing"))
    assert done.returncode == 2
    assert "has no task.toml in it" in done.stderr


def test_a_package_that_cannot_be_loaded_is_named_when_it_is_used_and_only_then(target: Path) -> None:
    (target / "somebodys_suite.py").write_text("import no_such_module\n")
    listed = run(target, "-m", "maxcode", "bench", "--help")
    assert listed.returncode == 0 and "no_such_module" in listed.stdout
    done = run(target, "-m", "maxcode", "bench", "shelf", "anywhere", "--most", "3")
    assert done.returncode == 2
    assert "maxcode.suites 'shelf' of package maxcode-somebodys" in " ".join(done.stderr.split())


def test_the_package_is_not_imported_for_another_suite(target: Path) -> None:
    (target / "somebodys_suite.py").write_text("raise SystemExit(9)\n")
    assert run(target, "-m", "maxcode", "bench", "tsvc", "--help").returncode == 0

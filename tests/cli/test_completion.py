"""TAB: what shells are told, asked as they ask."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from maxcode.cli import completion
from maxcode.store.journal import Store
from tests.conftest import SMALL_TASK

BIN = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def two_runs(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("MAXCODE_HOME", str(open_folder / "home"))
    with Store() as store:
        first = store.start("matmul", {}).run
        time.sleep(0.01)
        return [first, store.start("sort", {}).run]


def test_runs_are_offered_newest_first(two_runs: list[str]) -> None:
    older, newer = two_runs
    assert completion.runs("") == [("last", "the newest run"), (newer, "sort"), (older, "matmul")]
    assert completion.runs(newer[:-1]) == [
        (run, task) for run, task in [(newer, "sort"), (older, "matmul")] if run[:-1] == newer[:-1]
    ]


def test_no_journal_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path))
    assert completion.runs("2") == []


def test_a_hostile_beginning_is_only_a_beginning() -> None:
    assert completion.runs("%") == completion.runs("' or 1=1 --") == []


def test_tasks_and_folders_on_the_way_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples/matmul").mkdir(parents=True)
    (tmp_path / "examples/matmul/task.toml").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/task.toml").touch()
    (tmp_path / "slow.cpp").touch()
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert completion.tasks("") == ["examples/", "examples/matmul", "mine"]
    assert completion.tasks("examples/m") == ["examples/matmul"]
    assert completion.targets("s") == ["slow.cpp"]
    assert completion.tasks(f"{tmp_path}/mi") == [f"{tmp_path}/mine"]
    assert completion.tasks("/no/such/") == []


def test_strategies_grow_by_additions() -> None:
    assert "mcts" in completion.strategies("")
    assert completion.strategies("mcts+maxcode+") == [
        f"mcts+maxcode+{each}" for each in ("critique", "examples", "ucb", "value", "sum")
    ]
    assert "beam+sum" not in completion.strategies("beam+")
    assert "best,trajectory" in completion.blocks("best,")


def asked(shell: str, **environment: str) -> list[str]:
    given = {**os.environ, "_MAXCODE_COMPLETE": f"complete_{shell}", **environment}
    done = subprocess.run([BIN / "maxcode"], capture_output=True, text=True, check=False, env=given)
    return done.stdout.splitlines()


def test_zsh_and_fish_are_answered(two_runs: list[str]) -> None:
    zsh = asked("zsh", _TYPER_COMPLETE_ARGS="maxcode show ")
    assert all(any(run in line for line in zsh) for run in (*two_runs, "last"))
    fish = asked(
        "fish", _TYPER_COMPLETE_ARGS="maxcode optimize x --strategy beam+", _TYPER_COMPLETE_FISH_ACTION="get-args"
    )
    assert any("beam+maxcode" in line for line in fish)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_shown(shell: str) -> None:
    given = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [BIN / "maxcode", "--show-completion", shell]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=given)
    assert "_MAXCODE_COMPLETE" in done.stdout


def test_bash_completes_runs_and_tasks(two_runs: list[str]) -> None:
    """The real script in a real bash: what COMPREPLY holds after TAB."""
    script = f"""
        eval "$(_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION=1 maxcode --show-completion bash)"
        answers() {{
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _maxcode_completion maxcode
            echo "${{COMPREPLY[@]}}"
        }}
        answers maxcode resume ""
        answers maxcode check {SMALL_TASK.parent}/to
        answers maxcode optim
    """
    given = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=given)
    runs, tasks, commands = done.stdout.splitlines()
    assert {*two_runs, "last"} <= set(runs.split())
    assert str(SMALL_TASK) in tasks.split()
    assert commands.split() == ["optimize"]

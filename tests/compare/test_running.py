"""The user's commands: how they are started, timed and ended, with nothing left behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from maxcode.compare.running import Surroundings, TrustedRuns, words_of
from maxcode.core import InputError

LEAVES_A_DAEMON = "setsid sleep 1000 & echo $! > daemon"


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    return Surroundings(tmp_path, tmp_path, dict(os.environ))


@pytest.fixture
def runs() -> Iterator[TrustedRuns]:
    with TrustedRuns() as found:
        yield found


@pytest.mark.parametrize("command", ["echo a | cat", "X=1 env", "cd /", "ls *.txt", "a && b", "echo $HOME"])
def test_what_only_a_shell_understands_goes_to_one(command: str, around: Surroundings) -> None:
    assert words_of(command, around) == ["/bin/sh", "-c", command]


def test_a_plain_command_is_started_without_a_shell(around: Surroundings) -> None:
    assert words_of("sleep '1' 2", around)[1:] == ["1", "2"]


def test_output_input_folder_and_environment_are_those_that_were_given(around: Surroundings, runs: TrustedRuns) -> None:
    given = around.folder / "input"
    given.write_text("hello\n")
    around = replace(around, input=given, environment={**around.environment, "COLOUR": "blue"})
    ended = runs.run("cat; echo $COLOUR; pwd", around)
    assert ended.output.read_text() == f"hello\nblue\n{around.cwd}\n"


def test_time_of_what_a_command_starts_counts(around: Surroundings, runs: TrustedRuns) -> None:
    ended = runs.run("sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; sleep 0.05", around)
    assert ended.timing.wall > 0.05 and ended.timing.cpu > 0.01


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("exit 3", "exit code 3; --ignore-failure"),
        ("echo oops >&2; exit 1", "\n  oops"),
        ("nosuchcommand 5", "not found"),
        ("kill -9 $$", "killed by signal 9"),
    ],
)
def test_a_command_that_fails_says_how(command: str, message: str, around: Surroundings, runs: TrustedRuns) -> None:
    with pytest.raises(InputError, match=message):
        runs.run(command, around)


def test_failures_may_be_ignored_of_what_is_timed(around: Surroundings, runs: TrustedRuns) -> None:
    around = replace(around, ignore_failure=True)
    assert runs.run("exit 3", around).code == 3
    with pytest.raises(InputError, match=r"exit code 3\.$"):
        runs.run("exit 3", around, timed=False)


def test_a_run_that_takes_too_long_is_killed_with_all_it_started(around: Surroundings, runs: TrustedRuns) -> None:
    with pytest.raises(InputError, match=r"still runs after 0\.3 s"):
        runs.run(f"{LEAVES_A_DAEMON}; sleep 1000", replace(around, seconds=0.3))
    assert not _alive(around)


def test_a_daemon_is_ended_with_its_run(around: Surroundings, runs: TrustedRuns) -> None:
    runs.run(LEAVES_A_DAEMON, around)
    assert not _alive(around)


def _alive(around: Surroundings) -> bool:
    return Path(f"/proc/{(around.cwd / 'daemon').read_text().strip()}").exists()

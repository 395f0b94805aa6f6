"""`maxcode compare` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from maxcode.cli.compare import in_words
from maxcode.compare.comparison import ComparedSide
from maxcode.core import Verdict
from tests.cli.test_main import maxcode

COMMAND = [sys.executable, "-c", "from maxcode.cli.main import app; app()", "compare"]
QUICK = ("--max-seconds", "0.5")
APART = ("sleep 0.01", "sleep 0.08")


def test_two_commands_are_told_apart_in_words() -> None:
    done = maxcode("compare", *APART, "--max-seconds", "20")
    assert done.returncode == 0, done.stderr
    assert "sleep 0.08 is slower than sleep 0.01: 0." in done.stdout
    assert "pair by pair" in done.stdout and "█" in done.stdout


def test_json_has_every_sample_and_the_names_that_were_given() -> None:
    done = maxcode("compare", *APART, "sleep 0.01", *QUICK, "--json", "--names", "A,B,C")
    found = json.loads(done.stdout)
    assert found["baseline"] == "A"
    assert [side["name"] for side in found["sides"]] == ["B", "C"]
    assert all(len(side["samples"]) == side["pairs"] >= 3 for side in found["sides"])


def test_csv_and_markdown_are_tables() -> None:
    rows = list(csv.reader(io.StringIO(maxcode("compare", *APART, *QUICK, "--csv").stdout)))
    assert rows[0][0] == "name" and rows[1][0] == "sleep 0.08"
    assert "| sleep 0.08 |" in maxcode("compare", *APART, *QUICK, "--markdown").stdout


def test_a_policy_decides_the_exit_code() -> None:
    failed = maxcode("compare", *APART, "--max-seconds", "20", "--fail-on", "slower:3%")
    assert (failed.returncode, "Failed: certainly slower by 3% or more: sleep 0.08." in failed.stdout) == (1, True)
    passed = maxcode("compare", *reversed(APART), "--max-seconds", "20", "--fail-on", "slower:3%")
    assert (passed.returncode, "Passed: nothing is certainly slower" in passed.stdout) == (0, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("true",), "two commands or more"),
        (("true", "false"), "exit code 1"),
        (("true", "nosuchcommand"), "not found"),
        (("true", "true", "--min-effect", "x"), "--min-effect x"),
        (("true", "true", "--env", "A"), "--env A: write NAME=VALUE"),
        (("true", "true", "--names", "A"), "--names: 1 names for 2"),
        (("true", "true", "--input", "/nosuch"), "--input /nosuch: no such file"),
        (("true", "true", "--results", "x"), "only with --git"),
        (("--git", "a", "b", "--", "x", "y", "z"), "--git takes two commands"),
    ],
)
def test_bad_input_is_said_and_is_2(words: tuple[str, ...], message: str) -> None:
    done = maxcode("compare", *words)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_behind_when_it_is_stopped(how: signal.Signals, tmp_path: Path) -> None:
    slow = f"echo $$ > {tmp_path}/pid; (setsid sleep 1000 & echo $! > {tmp_path}/daemon); sleep 1000"
    process = subprocess.Popen([*COMMAND, slow, "true"], stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "daemon").exists():
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "stopped." in said
    pids = [(tmp_path / name).read_text().strip() for name in ("pid", "daemon")]
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_terminal_shows_how_it_goes() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *APART, *QUICK], stdout=theirs, stderr=theirs, stdin=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 65536)
            except OSError:
                break
    os.close(ours)
    assert process.returncode == 0
    assert b"warming up" in shown and b"pairs, " in shown


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ((1.0, 0.95, 1.05), "1.000x (0.950 to 1.050)"),
        ((2350.5, 2290.0, 2410.2), "2350x (2290 to 2410)"),
        ((1.0, 1e-9, 1e9), "1.000x (unknown, few pairs)"),
    ],
)
def test_figures_have_three_decimals_unless_they_are_large(figures: tuple[float, ...], words: str) -> None:
    speedup, low, high = figures
    side = ComparedSide(
        name="a",
        verdict=Verdict.UNCLEAR,
        speedup=speedup,
        ci_low=low,
        ci_high=high,
        level=0.01,
        p_value=1.0,
        seconds_baseline=1.0,
        seconds=1.0,
        samples=(),
    )
    assert in_words(side) == f"unclear {words}"

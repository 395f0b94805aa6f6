"""Colours and moving lines only for somebody at a terminal who wants them; tables that fit what there is."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from tests.cli.test_main import maxcode

ESCAPE = "\x1b"
SHOW = """
import time
from maxcode.cli.console import err, out, print_table, working
with working("counting to ten ...") as say:
    time.sleep(0.3)
    say("nearly there ...")
    time.sleep(0.3)
rows = [("a-rather-long-name.cpp", "[green]ok[/]", "16/16", "3.06x", "2.91 to 3.22", "60", "faster")]
print_table(("program", "status", "tests", "speedup", "interval", "pairs", "verdict"), rows, left=("program", "status"))
"""


def at_a_terminal(code: str, columns: int = 80, **environment: str) -> str:
    """What a terminal of some width gets, control characters and all."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    given = {**plain, "TERM": "xterm-256color", **environment}
    process = subprocess.Popen([sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, env=given)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass  # the other end is closed
    os.close(ours)
    assert process.wait(60) == 0
    return shown.decode()


def test_a_terminal_gets_colours_and_a_moving_line() -> None:
    shown = at_a_terminal(SHOW)
    assert ESCAPE in shown
    assert "nearly there" in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb terminal"])
def test_no_colours_and_no_moving_lines_when_not_wanted(environment: dict[str, str]) -> None:
    shown = at_a_terminal(SHOW, **environment)
    assert ESCAPE not in shown
    assert shown.count("counting to ten ...") == 1
    assert "nearly there" not in shown


def test_a_pipe_gets_whole_lines_and_nothing_else() -> None:
    plain = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, text=True, check=True, env=plain)
    assert done.stderr == ""
    assert ESCAPE not in done.stdout
    assert len([line for line in done.stdout.splitlines() if line.strip()]) == 3


def test_a_log_gets_the_latest_news_from_time_to_time() -> None:
    often = f"from maxcode.cli import console\nconsole.LOG_EVERY = 0.1\n{SHOW}"
    done = subprocess.run([sys.executable, "-c", often], capture_output=True, text=True, check=True)
    assert {"counting to ten ...", "nearly there ..."} == set(done.stderr.splitlines())
    assert ESCAPE not in done.stderr


def test_a_narrow_terminal_gets_a_table_row_by_row() -> None:
    shown = at_a_terminal(SHOW, columns=40, NO_COLOR="1")
    lines = [line.split() for line in shown.splitlines() if line.strip()]
    assert ["program", "a-rather-long-name.cpp"] in lines
    assert ["interval", "2.91", "to", "3.22"] in lines
    assert "…" not in shown


@pytest.mark.parametrize("words", [["--help"], ["doctor"], ["runs"], ["check", "/nowhere"]], ids=" ".join)
def test_commands_in_a_pipe_are_plain(words: list[str]) -> None:
    done = maxcode(*words)
    assert ESCAPE not in done.stdout + done.stderr

"""Nothing that a candidate prints or is called moves, hides or reorders what a person reads."""

from __future__ import annotations

import io
import sys

import pytest

from maxcode.cli import console
from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.system.visible import visible

HOSTILE = "\x1b[1A\x1b[2K\x9b31m\x1b]0;x\x07 \u202eevil\u2066\r\x7f\udcff"
SHOWN = r"\x1b[1A\x1b[2K\x9b31m\x1b]0;x\x07 \u202eevil\u2066\x0d\x7f\udcff"


def test_what_is_not_seen_is_written() -> None:
    assert visible(HOSTILE) == SHOWN


@pytest.mark.parametrize("text", ["a\tb\r\nc\n", "naïve 数 🙂 👩‍💻", "[bold]x[/]", r"\x1b"])
def test_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_a_reason_is_harmless() -> None:
    assert Failure(Status.WRONG, HOSTILE).reason == SHOWN


def test_a_terminal_gets_no_sequences_but_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = io.StringIO()
    terminal = console.PlainConsole(file=screen, force_terminal=True, width=200, highlight=False)
    with terminal.status("working"):
        terminal.print(f"[red]{HOSTILE}[/]")
    written = screen.getvalue()
    assert r"\x1b[2K" in written and r"\u202e" in written
    assert "\x1b[31m" in written and "\x1b[?25l" in written  # its own colour, and the hidden cursor of its spinner
    assert "\x9b" not in written and "\u202e" not in written and "\x1b]0;" not in written


def test_a_program_goes_to_a_file_to_the_byte(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    console.print_source("a\x0cb\r\n\u202e\udcff")
    assert capfdbinary.readouterr().out == b"a\x0cb\r\n\xe2\x80\xae\xff"


def test_a_program_is_harmless_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", screen)
    console.print_source("a\x1b[2Jb\n")
    assert r"a\x1b[2Jb" in screen.getvalue()

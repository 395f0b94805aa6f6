"""`--help` and wrong usage: readable at 80 columns, in groups, in the form of all errors."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from maxcode.cli.help import Group, HelpCommand, sections_of
from maxcode.cli.main import app
from tests.cli.test_main import maxcode

ROOT: Any = typer.main.get_command(app)
MANY = 8


def walked(command: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    children = getattr(command, "commands", {})
    return [(path, command), *(each for name, child in children.items() for each in walked(child, (*path, name)))]


ALL = walked(ROOT)
each_command = pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) or "maxcode" for path, _ in ALL])


@each_command
def test_every_command_has_our_help(path: tuple[str, ...], command: Any) -> None:
    """Also those of suites and of groups, which are made when they are looked up."""
    assert isinstance(command, HelpCommand | Group), path


@each_command
def test_everything_is_explained(path: tuple[str, ...], command: Any) -> None:
    assert command.help, path
    unsaid = [entry.names for section in sections_of(command) for entry in section.entries if not entry.text]
    assert unsaid == []


@each_command
def test_lines_fit_a_terminal_of_80_columns(
    path: tuple[str, ...], command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maxcode.cli.help.WIDEST", 80)
    context = command.make_context(" ".join(("maxcode", *path)), [], resilient_parsing=True)
    lines = command.get_help(context).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert not any("…" in line for line in lines)


def test_many_options_are_in_groups() -> None:
    titles = [section.title for section in sections_of(ROOT.commands["optimize"])]
    assert titles == ["Arguments", "Method", "Budget", "Result", "Options"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chekc"], "no such command 'chekc'. Did you mean 'check'?"),
        (["check", "--nope", "x"], "no such option: --nope."),
        (["optimize"], "missing argument 'TASK|FILE|FUNCTION'."),
        (["optimize", "x", "--evals", "0"], "invalid value for '--evals'"),
    ],
    ids=["command", "option", "argument", "value"],
)
def test_wrong_usage_has_the_form_of_all_errors(words: list[str], message: str) -> None:
    done = maxcode(*words)
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first.startswith(f"error: {message}")
    assert second.startswith("Usage: ")

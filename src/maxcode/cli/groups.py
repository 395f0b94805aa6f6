"""Tables of commands, made from functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import typer

from maxcode.cli.help import Group, HelpCommand
from maxcode.cli.late import LateCommand
from maxcode.cli.options import taking_records
from maxcode.plugins import late

CommandTable = dict[str, LateCommand]


def made_command(name: str, function: Callable[..., None], **context: Any) -> Any:
    """A command that calls the function, with the function's docstring as its help; `context` has typer's settings."""
    app = typer.Typer(add_completion=False)
    app.command(name, cls=HelpCommand, context_settings=context)(taking_records(function))
    return typer.main.get_command(app)


def command_table(functions: Mapping[str, Callable[..., None]], panel: str = "Commands") -> CommandTable:
    """Commands that call the functions, by name."""
    return {
        name: LateCommand(partial(made_command, name, function), function.__doc__ or "", panel)
        for name, function in functions.items()
    }


def group_command(name: str, place: str, words: str, panel: str) -> LateCommand:
    """A group of the commands in the table that the function at `module:name` returns."""
    return LateCommand(partial(Group, name=name, table=late(place), help=words, no_args_is_help=True), words, panel)

"""Entry point: the commands, in the order in which help shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from maxcode import __version__
from maxcode.cli import program_commands as program
from maxcode.cli import run_commands as run
from maxcode.cli.arguments import ConfigFile, Json
from maxcode.cli.collect import collect
from maxcode.cli.compare_command import compare
from maxcode.cli.console import reporting_errors
from maxcode.cli.groups import CommandTable, command_table, group_command
from maxcode.cli.help import Group
from maxcode.cli.report import report
from maxcode.cli.view import view
from maxcode.cli.worker import worker

PROGRAM, RUNS, MANY, HERE = "A faster program", "Runs", "Many tasks, and models", "This machine"


def doctor(json: Json = False) -> None:
    """What this machine can do, which protections are on, and what is missing."""
    from maxcode.cli import doctor as command

    with reporting_errors():
        command.run(as_json=json)


def skill(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make.", show_default=False)],
) -> None:
    """Write a skill for coding agents: how to judge a change, make a function faster, read a report."""
    from maxcode.cli import skill_folder as command

    with reporting_errors():
        command.run(folder)


def models(
    action: Annotated[
        Literal["test"] | None, typer.Argument(help="test: asks NAME a tiny question.", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="PROVIDER:MODEL.", show_default=False)] = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Models by name: providers, what is configured, prices; and a tiny question to one."""
    from maxcode.cli import models as command

    with reporting_errors():
        command.run(action, name, config_file=config, as_json=json)


GROUPS = {
    "bench": (MANY, "maxcode.cli.bench:commands", "Many tasks, methods and seeds, with statistics."),
    "value": (
        MANY,
        "maxcode.cli.value:commands",
        "The reward-to-go model: which states are worth expanding. Data from journals, training, a report card.",
    ),
    "rl": (
        MANY,
        "maxcode.cli.rl:commands",
        "Train the policy itself on measured speed: GRPO, with stages that vary what is permitted.",
    ),
    "critic": (RUNS, "maxcode.cli.run_commands:critic_commands", "Critiques: how good are they?"),
}
"""Panel, the function that returns the commands, and help."""


def commands() -> CommandTable:
    return {
        **program.commands(PROGRAM),
        **command_table({"compare": compare}, PROGRAM),
        **run.commands(RUNS),
        **command_table({"doctor": doctor, "models": models, "skill": skill}, HERE),
        **command_table({"report": report, "view": view}, RUNS),
        **command_table({"collect": collect}, MANY),
        **command_table({"worker": worker}, HERE),
        **{name: group_command(name, place, words, panel) for name, (panel, place, words) in GROUPS.items()},
    }


class Root(Group):
    """`maxcode` itself."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(table=commands, **settings)


app = typer.Typer(
    name="maxcode",
    cls=Root,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Finds a faster program that still works, and proves it.",
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"maxcode {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


if __name__ == "__main__":
    app()

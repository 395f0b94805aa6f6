"""Entry point: the commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode import __version__
from maxcode.cli.console import reporting_errors

app = typer.Typer(
    name="maxcode",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Finds a faster program that still works, and proves it.",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, one object per line.")]
TaskFolder = Annotated[Path, typer.Argument(help="Folder with a task.toml.", show_default=False)]


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


@app.command()
def evaluate(
    task: TaskFolder,
    files: Annotated[
        list[Path], typer.Argument(help="Programs to judge, each in place of the baseline.", show_default=False)
    ],
    confirm: Annotated[
        bool, typer.Option(help="Exclusive measurement with fresh seeds and a tight interval; never from the cache.")
    ] = False,
    sanitize: Annotated[bool, typer.Option(help="Run every test under ASan and UBSan too.")] = False,
    profile: Annotated[
        bool, typer.Option(help="Add facts: compiler remarks, hot lines, cache misses, allocations.")
    ] = False,
    cache: Annotated[bool, typer.Option(help="Use and keep outcomes of search-mode evaluations.")] = True,
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; one per core when absent.")] = None,
    json: Json = False,
) -> None:
    """Verdict and measurement of given programs."""
    from maxcode.cli import evaluate as command

    with reporting_errors():
        command.run(
            task, files, confirm=confirm, sanitize=sanitize, profile=profile, cache=cache, workers=workers, as_json=json
        )


@app.command()
def check(task: TaskFolder, json: Json = False) -> None:
    """Is the task itself sound? Baseline passes, wrong programs fail, noise and workloads allow timing."""
    from maxcode.cli import check as command

    with reporting_errors():
        command.run(task, as_json=json)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Folder to make.", show_default=False)],
    source: Annotated[
        Path, typer.Option("--from", help="The program that works: C, C++ or Python.", show_default=False)
    ],
    inputs: Annotated[
        list[Path] | None, typer.Option("--input", help="An input to time it on; may be given several times.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the task; the folder's when absent.")] = None,
    flags: Annotated[str | None, typer.Option(help="Compiler flags, as one string.")] = None,
    json: Json = False,
) -> None:
    """Make a task from a bare program, which becomes its own oracle."""
    from maxcode.cli import new as command

    with reporting_errors():
        command.run(folder, source, inputs or [], name=name, flags=flags, as_json=json)


@app.command()
def doctor(json: Json = False) -> None:
    """What this machine can do, which protections are on, and what is missing."""
    from maxcode.cli import doctor as command

    with reporting_errors():
        command.run(as_json=json)

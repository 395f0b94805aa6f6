"""Commands on runs that are in the journal: list, show, go on, run again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode.cli import completion
from maxcode.cli.arguments import ConfigFile, Json, Output, Run
from maxcode.cli.console import reporting_errors
from maxcode.cli.engine import EngineOptions
from maxcode.cli.groups import CommandTable, command_table
from maxcode.cli.options import Instead
from maxcode.system.options import CommandOption

REMEMBERED = EngineOptions(engine=None)
BY_WHOM_BEFORE = CommandOption(
    metavar="ENGINE",
    complete=completion.engines,
    help="Who judges: {engines}; those that judged before when absent.",
)


def runs(
    everything: Annotated[bool, typer.Option("--all", help="The searches of benchmarks too.")] = False,
    json: Json = False,
) -> None:
    """List all runs; a benchmark is one of them."""
    from maxcode.cli.listing import list_runs

    with reporting_errors():
        list_runs(everything=everything, as_json=json)


def show(run: Run, json: Json = False) -> None:
    """The tree of a run."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.show(run, as_json=json)


def prompt(
    run: Run,
    node: Annotated[int, typer.Argument(min=0, help="Number of a node, as `maxcode show` has it.", show_default=False)],
    following: Annotated[
        bool, typer.Option("--next", help="The prompt that asks for a program made from NODE, now.")
    ] = False,
    critic: Annotated[bool, typer.Option("--critic", help="The prompt that asks a critic about NODE, now.")] = False,
    *,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """The prompt that NODE is an answer to."""
    from maxcode.cli import prompt as command

    with reporting_errors():
        command.run(run, node, following=following, critic=critic, config_file=config, as_json=json)


def best(run: Run, json: Json = False) -> None:
    """The best program of a run."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.best(run, as_json=json)


def diff(run: Run) -> None:
    """The best program of a run as a diff against the baseline."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.diff(run)


def minimize(
    run: Run,
    evals: Annotated[int, typer.Option(min=2, help="Evaluations to spend.")] = 60,
    output: Output = None,
    json: Json = False,
) -> None:
    """Reduce a run's winner to the smallest diff that keeps its speedup, and say what each hunk gains."""
    from maxcode.cli import minimize as command

    with reporting_errors():
        command.run(run, evals=evals, output=output, as_json=json)


def resume(
    run: Run,
    engine: Annotated[EngineOptions, Instead(engine=BY_WHOM_BEFORE)] = REMEMBERED,
    config: ConfigFile = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Go on with a run that was stopped or killed; nothing finished is done again."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        chosen = engine.chosen() if engine.is_given else None
        command.resume(run, config_file=config, output=output, engine=chosen, as_json=json)


def replay(
    run: Run,
    fresh: Annotated[
        bool, typer.Option("--measure", help="Evaluate the recorded programs anew on this machine.")
    ] = False,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="Who goes on where the record ends; nobody when absent.",
            show_default=False,
            autocompletion=completion.policies,
        ),
    ] = None,
    *,
    engine: EngineOptions,
    config: ConfigFile = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Run a recorded search again without asking any model."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        command.replay(
            run,
            fresh=fresh,
            then=policy,
            config_file=config,
            output=output,
            engine=engine.chosen(),
            as_json=json,
        )


def record(
    run: Run,
    file: Annotated[Path, typer.Argument(help="File to make (JSON lines).", show_default=False)],
    json: Json = False,
) -> None:
    """Write the answers of a run to a file, for `--policy replay:FILE` on any machine."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        command.export(run, file, as_json=json)


def audit(run: Run, json: Json = False) -> None:
    """Show which claims of a run's critiques agree with what was measured."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.audit_critiques(run, as_json=json)


def commands(panel: str) -> CommandTable:
    return command_table(
        {
            "runs": runs,
            "show": show,
            "prompt": prompt,
            "best": best,
            "diff": diff,
            "minimize": minimize,
            "resume": resume,
            "replay": replay,
            "record": record,
        },
        panel,
    )


def critic_commands() -> CommandTable:
    return command_table({"audit": audit})

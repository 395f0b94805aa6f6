"""Entry point: the commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode import __version__
from maxcode.cli.bench import bench_app
from maxcode.cli.console import reporting_errors
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption
from maxcode.cli.kernelbench import kernelbench
from maxcode.cli.report import report
from maxcode.cli.suites import add_suites
from maxcode.cli.value import collect, value_app
from maxcode.cli.worker import worker
from maxcode.evaluate.engine import Engine

app = typer.Typer(
    name="maxcode",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Finds a faster program that still works, and proves it.",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, one object per line.")]
TaskFolder = Annotated[Path, typer.Argument(help="Folder with a task.toml.", show_default=False)]

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings of models (TOML).")]


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
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Verdict and measurement of given programs."""
    from maxcode.cli import evaluate as command

    with reporting_errors():
        command.run(
            task,
            files,
            confirm=confirm,
            sanitize=sanitize,
            profile=profile,
            cache=cache,
            workers=workers,
            engine=Engine(name=engine, address=address),
            config_file=config,
            as_json=json,
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
        Path,
        typer.Option(
            "--from",
            help="The program that works: C, C++ or Python, or a PyTorch problem (Model, get_inputs, get_init_inputs).",
            show_default=False,
        ),
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
def hot(
    target: Annotated[Path, typer.Argument(help="A repository, or a folder with a task.toml.", show_default=False)],
    build: Annotated[
        str | None, typer.Option(help="How to build it; guessed from its build files when absent.")
    ] = None,
    test: Annotated[str | None, typer.Option(help="How to test it; guessed when absent.")] = None,
    bench: Annotated[str | None, typer.Option(help="What to profile; guessed when absent.")] = None,
    json: Json = False,
) -> None:
    """Where a repository's bench spends its time, and which files to make editable because of it."""
    from maxcode.cli import hot as command

    with reporting_errors():
        command.run(target, build=build, test=test, bench=bench, as_json=json)


@app.command()
def doctor(json: Json = False) -> None:
    """What this machine can do, which protections are on, and what is missing."""
    from maxcode.cli import doctor as command

    with reporting_errors():
        command.run(as_json=json)


Run = Annotated[str, typer.Argument(help="Id of a run, the beginning of one, or `last`.", show_default=False)]
POLICIES = (
    "rewrite (no model), openai:MODEL, scripted:FILE, '0.7*openai:a + 0.3*rewrite'; "
    "record:FILE,POLICY keeps the answers, replay:FILE or replay:RUN gives them again."
)
VALUE = "Model of +value and --screen: light (ships with MaxCode), a model's file, none (screens by novelty), random."
Output = Annotated[Path | None, typer.Option("--out", help="Folder for the best program, the diff and the summary.")]


@app.command()
def optimize(
    target: Annotated[
        Path, typer.Argument(help="A task folder, or a bare C, C++ or Python program.", show_default=False)
    ],
    policy: Annotated[str, typer.Option(help=POLICIES)] = "rewrite",
    strategy: Annotated[
        str, typer.Option(help="flat, effi-learner, cuda-llm, beam, mcts or evolve; each with +maxcode, +ucb, +value.")
    ] = "cuda-llm+maxcode",
    critic: Annotated[str, typer.Option(help="rules, none or openai:MODEL.")] = "rules",
    observe: Annotated[
        str | None, typer.Option(help="Observation blocks: any of best,trajectory,critique; or none.")
    ] = None,
    screen: Annotated[
        float | None, typer.Option(min=0.05, max=1.0, help="Share of the proposals to evaluate, the most promising.")
    ] = None,
    value: Annotated[str, typer.Option(help=VALUE)] = "light",
    evals: Annotated[int, typer.Option(min=1, help="Programs to ask for.")] = 64,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens to spend.")] = None,
    max_usd: Annotated[
        float | None, typer.Option(min=0.0, help="USD to spend; needs the prices of the models in the config.")
    ] = None,
    max_seconds: Annotated[float | None, typer.Option(min=1.0, help="Time to spend.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed and same answers, same tree.")] = 0,
    inputs: Annotated[
        list[Path] | None, typer.Option("--input", help="For a bare program: an input to time it on.")
    ] = None,
    minimize: Annotated[
        bool | None,
        typer.Option(
            "--minimize/--no-minimize",
            help="Reduce the winner's diff at the end; asks in a terminal.",
            show_default=False,
        ),
    ] = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    config: ConfigFile = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Search for a faster program that still works, and confirm it."""
    from maxcode.cli import optimize as command
    from maxcode.optimize import Settings
    from maxcode.search import Budget

    budget = Budget(evals=evals, tokens=max_tokens, usd=max_usd, seconds=max_seconds)
    settings = Settings(
        task=str(target),
        policy=policy,
        strategy=strategy,
        critic=critic,
        observe=observe,
        screen=screen,
        value=value,
        budget=budget,
        seed=seed,
    )
    with reporting_errors():
        command.run(
            target,
            settings,
            inputs or [],
            config_file=config,
            output=output,
            minimize=minimize,
            engine=Engine(name=engine, address=address),
            as_json=json,
        )


@app.command()
def resume(
    run: Run,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    config: ConfigFile = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Go on with a run that was stopped or killed; nothing finished is done again."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        chosen = Engine(name=engine, address=address)
        command.resume(run, config_file=config, output=output, engine=chosen, as_json=json)


@app.command()
def replay(
    run: Run,
    fresh: Annotated[
        bool, typer.Option("--measure", help="Evaluate the recorded programs anew on this machine.")
    ] = False,
    policy: Annotated[
        str | None, typer.Option(help="Who goes on where the record ends; nobody when absent.", show_default=False)
    ] = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
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
            engine=Engine(name=engine, address=address),
            as_json=json,
        )


@app.command()
def record(
    run: Run,
    file: Annotated[Path, typer.Argument(help="File to make (JSON lines).", show_default=False)],
    json: Json = False,
) -> None:
    """Write the answers of a run to a file, for `--policy replay:FILE` on any machine."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        command.export(run, file, as_json=json)


@app.command()
def runs(json: Json = False) -> None:
    """List all runs."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.list_runs(as_json=json)


@app.command()
def show(run: Run, json: Json = False) -> None:
    """The tree of a run."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.show(run, as_json=json)


@app.command()
def best(run: Run, json: Json = False) -> None:
    """The best program of a run."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.best(run, as_json=json)


@app.command()
def diff(run: Run) -> None:
    """The best program of a run as a diff against the baseline."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.diff(run)


@app.command()
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


@app.command()
def mcp(
    task: TaskFolder,
    strategy: Annotated[
        str, typer.Option(help="Search method that decides what the agent sees next.")
    ] = "cuda-llm+maxcode",
    evals: Annotated[int, typer.Option(min=1, help="Programs the agent may submit.")] = 64,
) -> None:
    """Let a coding agent be the policy: an MCP server on standard input and output."""
    from maxcode.cli import mcp as command

    with reporting_errors():
        command.run(task, strategy=strategy, evals=evals)


add_suites(bench_app)
bench_app.command()(kernelbench)
app.add_typer(bench_app, name="bench")
app.command()(report)
app.command()(worker)
app.command()(collect)
app.add_typer(value_app, name="value")

critic_app = typer.Typer(no_args_is_help=True, help="Critiques: how good are they?")
app.add_typer(critic_app, name="critic")


@critic_app.command("audit")
def critic_audit(run: Run, json: Json = False) -> None:
    """For each critique of a run: which of its claims agree with what was measured."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.audit_critiques(run, as_json=json)


if __name__ == "__main__":
    app()

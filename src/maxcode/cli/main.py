"""Entry point: the commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode import __version__
from maxcode.cli import completion
from maxcode.cli.bench import bench_app
from maxcode.cli.console import reporting_errors
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption, RememberedEngine
from maxcode.cli.help import Group, dressed
from maxcode.cli.kernelbench import kernelbench
from maxcode.cli.report import report
from maxcode.cli.rl import rl_app
from maxcode.cli.suites import add_suites
from maxcode.cli.value import collect, value_app
from maxcode.cli.view import view
from maxcode.cli.worker import worker
from maxcode.evaluate.engine import Engine

app = typer.Typer(
    name="maxcode",
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Finds a faster program that still works, and proves it.",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, one object per line.")]
TaskFolder = Annotated[
    Path,
    typer.Argument(
        metavar="TASK", help="Folder with a task.toml.", show_default=False, autocompletion=completion.tasks
    ),
]
PROGRAM, RUNS, MANY, HERE = "A faster program", "Runs", "Many tasks, and models", "This machine"
METHOD, BUDGET, RESULT = "Method", "Budget", "Result"
Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Id of a run, the beginning of one, or `last`.",
        show_default=False,
        autocompletion=completion.runs,
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings of models (TOML); ./maxcode.toml when absent.")
]
POLICIES = (
    "rewrite (no model), openai:MODEL, hf:CHECKPOINT, scripted:FILE, '0.7*openai:a + 0.3*rewrite'; "
    "record:FILE,POLICY keeps the answers, replay:FILE or replay:RUN gives them again."
)
VALUE = (
    "Model of +value and --screen: light (ships with MaxCode), a model's file or folder, openai:MODEL, none (screens "
    "by novelty), random."
)
Output = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        help="Folder for the best program, the diff and the summary; when absent maxcode-RUN, or what a run that is "
        "resumed was told before.",
        rich_help_panel=RESULT,
    ),
]


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


@app.command(rich_help_panel=PROGRAM)
def optimize(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TASK|FILE",
            help="A task folder, a bare C, C++ or Python program, or a PyTorch problem.",
            show_default=False,
            autocompletion=completion.targets,
        ),
    ],
    policy: Annotated[
        str,
        typer.Option(metavar="POLICY", help=POLICIES, autocompletion=completion.policies, rich_help_panel=METHOD),
    ] = "rewrite",
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How to search: {strategies}.",
            autocompletion=completion.strategies,
            rich_help_panel=METHOD,
        ),
    ] = "cuda-llm+maxcode",
    critic: Annotated[
        str,
        typer.Option(
            metavar="CRITIC",
            help="Who diagnoses: {critics}.",
            autocompletion=completion.critics,
            rich_help_panel=METHOD,
        ),
    ] = "rules",
    observe: Annotated[
        str | None,
        typer.Option(
            metavar="BLOCKS",
            help="Observation blocks: any of best, trajectory, critique and examples, with commas between; or none.",
            autocompletion=completion.blocks,
            rich_help_panel=METHOD,
        ),
    ] = None,
    screen: Annotated[
        float | None,
        typer.Option(
            min=0.05, max=1.0, help="Share of the proposals to evaluate, the most promising.", rich_help_panel=METHOD
        ),
    ] = None,
    value: Annotated[
        str, typer.Option(metavar="MODEL", help=VALUE, autocompletion=completion.values, rich_help_panel=METHOD)
    ] = "light",
    evals: Annotated[int, typer.Option(min=1, help="Programs to ask for.", rich_help_panel=BUDGET)] = 64,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Tokens to spend.", rich_help_panel=BUDGET)] = None,
    max_usd: Annotated[
        float | None,
        typer.Option(min=0.0, help="USD to spend; needs the models' prices in the config.", rich_help_panel=BUDGET),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            min=1.0,
            help="Seconds of search; what is under way then is finished, and finalists are measured afresh after it.",
            rich_help_panel=BUDGET,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Same seed and same answers, same tree.", rich_help_panel=METHOD)
    ] = 0,
    inputs: Annotated[
        list[Path] | None, typer.Option("--input", metavar="FILE", help="For a bare program: an input to time it on.")
    ] = None,
    generator: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="For a bare program: one that makes inputs, instead of derived tests."),
    ] = None,
    tests: Annotated[
        Path | None, typer.Option(metavar="DIR", help="For a bare program: tests to use instead of derived ones.")
    ] = None,
    minimize: Annotated[
        bool | None,
        typer.Option(
            "--minimize/--no-minimize",
            help="Reduce the winner's diff at the end; asks in a terminal.",
            rich_help_panel=RESULT,
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
    from maxcode.search.budget import Budget

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
            generator=generator,
            tests=tests,
            config_file=config,
            output=output,
            minimize=minimize,
            engine=Engine(name=engine, address=address),
            as_json=json,
        )


@app.command(rich_help_panel=PROGRAM)
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make.", show_default=False)],
    source: Annotated[
        Path,
        typer.Option(
            "--from",
            metavar="FILE",
            help="The program that works: C, C++ or Python, or a PyTorch problem (Model, get_inputs, get_init_inputs).",
            show_default=False,
        ),
    ],
    inputs: Annotated[
        list[Path] | None,
        typer.Option("--input", metavar="FILE", help="An input to time it on; may be given several times."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the task; the folder's when absent.")] = None,
    flags: Annotated[str | None, typer.Option(help="Compiler flags, as one string.")] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A program that makes inputs, with arguments: FILE SEED ARGUMENT...; replaces derived tests.",
        ),
    ] = None,
    tests: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Tests to use instead of derived ones: input.N.txt, output.N.txt."),
    ] = None,
    format_file: Annotated[
        Path | None,
        typer.Option("--format", metavar="FILE", help="A TOML file whose [format] table corrects the format."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a task from a bare program, which becomes its own oracle."""
    from maxcode.cli import new as command

    with reporting_errors():
        command.run(
            folder,
            source,
            inputs or [],
            name=name,
            flags=flags,
            generator=generator,
            tests=tests,
            format_file=format_file,
            as_json=json,
        )


@app.command(rich_help_panel=PROGRAM)
def check(task: TaskFolder, json: Json = False) -> None:
    """Is the task itself sound? Baseline passes, wrong programs fail, noise and workloads allow timing."""
    from maxcode.cli import check as command

    with reporting_errors():
        command.run(task, as_json=json)


@app.command(rich_help_panel=PROGRAM)
def evaluate(
    task: TaskFolder,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Programs to judge, each in place of the baseline.", show_default=False),
    ],
    confirm: Annotated[
        bool, typer.Option(help="Exclusive measurement with fresh seeds and a tight interval; never from the cache.")
    ] = False,
    sanitize: Annotated[
        bool,
        typer.Option(help="Every test under ASan and UBSan too (C, C++); models under compute-sanitizer, on a GPU."),
    ] = False,
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


@app.command(rich_help_panel=PROGRAM)
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


@app.command(rich_help_panel=PROGRAM)
def mcp(
    task: TaskFolder,
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Search method that decides what the agent sees next.",
            autocompletion=completion.strategies,
        ),
    ] = "cuda-llm+maxcode",
    evals: Annotated[int, typer.Option(min=1, help="Programs the agent may submit.")] = 64,
) -> None:
    """Let a coding agent be the policy: an MCP server on standard input and output."""
    from maxcode.cli import mcp as command

    with reporting_errors():
        command.run(task, strategy=strategy, evals=evals)


@app.command(rich_help_panel=RUNS)
def runs(
    everything: Annotated[bool, typer.Option("--all", help="The searches of benchmarks too.")] = False,
    json: Json = False,
) -> None:
    """List all runs; a benchmark is one of them."""
    from maxcode.cli.listing import list_runs

    with reporting_errors():
        list_runs(everything=everything, as_json=json)


@app.command(rich_help_panel=RUNS)
def show(run: Run, json: Json = False) -> None:
    """The tree of a run."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.show(run, as_json=json)


@app.command(rich_help_panel=RUNS)
def best(run: Run, json: Json = False) -> None:
    """The best program of a run."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.best(run, as_json=json)


@app.command(rich_help_panel=RUNS)
def diff(run: Run) -> None:
    """The best program of a run as a diff against the baseline."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.diff(run)


@app.command(rich_help_panel=RUNS)
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


@app.command(rich_help_panel=RUNS)
def resume(
    run: Run,
    engine: RememberedEngine = None,
    address: AddressOption = None,
    config: ConfigFile = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Go on with a run that was stopped or killed; nothing finished is done again."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        chosen = None if engine is None and address is None else Engine(name=engine or LOCAL, address=address)
        command.resume(run, config_file=config, output=output, engine=chosen, as_json=json)


@app.command(rich_help_panel=RUNS)
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


@app.command(rich_help_panel=RUNS)
def record(
    run: Run,
    file: Annotated[Path, typer.Argument(help="File to make (JSON lines).", show_default=False)],
    json: Json = False,
) -> None:
    """Write the answers of a run to a file, for `--policy replay:FILE` on any machine."""
    from maxcode.cli import optimize as command

    with reporting_errors():
        command.export(run, file, as_json=json)


@app.command(rich_help_panel=HERE)
def doctor(json: Json = False) -> None:
    """What this machine can do, which protections are on, and what is missing."""
    from maxcode.cli import doctor as command

    with reporting_errors():
        command.run(as_json=json)


add_suites(bench_app)
bench_app.command()(kernelbench)
app.add_typer(bench_app, name="bench", rich_help_panel=MANY)
app.command(rich_help_panel=RUNS)(report)
app.command(rich_help_panel=RUNS)(view)
app.command(rich_help_panel=MANY)(collect)
app.command(rich_help_panel=HERE)(worker)
app.add_typer(value_app, name="value", rich_help_panel=MANY)
app.add_typer(rl_app, name="rl", rich_help_panel=MANY)

critic_app = typer.Typer(no_args_is_help=True, help="Critiques: how good are they?")
app.add_typer(critic_app, name="critic", rich_help_panel=RUNS)


@critic_app.command("audit")
def critic_audit(run: Run, json: Json = False) -> None:
    """For each critique of a run: which of its claims agree with what was measured."""
    from maxcode.cli import runs as command

    with reporting_errors():
        command.audit_critiques(run, as_json=json)


dressed(app)

if __name__ == "__main__":
    app()

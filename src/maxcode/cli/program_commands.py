"""Commands that get to a faster program: `maxcode optimize`, and what leads up to it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli import completion
from maxcode.cli.arguments import RESULT, ConfigFile, Json, Output, TaskFolder
from maxcode.cli.console import reporting_errors
from maxcode.cli.engine import EngineOptions
from maxcode.cli.groups import CommandTable, command_table
from maxcode.core import InputError
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.search.budget import Budget
    from maxcode.task.kind import NewOptions
    from maxcode.task.model import InputFormat

METHOD, BUDGET = "Method", "Budget"


@dataclass(frozen=True)
class MethodOptions:
    """How to search."""

    policy: Annotated[str, CommandOption(metavar="POLICY", complete=completion.policies, panel=METHOD)] = "rewrite"
    """{policies}, '0.7*openai:a + 0.3*rewrite'; record:FILE,POLICY keeps the answers, replay:FILE or replay:RUN gives
    them again."""
    strategy: Annotated[str, CommandOption(metavar="NAME", complete=completion.strategies, panel=METHOD)] = "default"
    """How to search: {strategies}."""
    critic: Annotated[str, CommandOption(metavar="CRITIC", complete=completion.critics, panel=METHOD)] = "rules"
    """Who diagnoses: {critics}."""
    observe: Annotated[str | None, CommandOption(metavar="BLOCKS", complete=completion.blocks, panel=METHOD)] = None
    """Observation blocks: any of best (or best=path), trajectory, critique (or critique=root, critique=attempts),
    attempts and examples, with commas between; or none."""
    screen: Annotated[float | None, CommandOption(least=0.05, most=1.0, panel=METHOD)] = None
    """Share of the proposals to evaluate, the most promising."""
    ahead: Annotated[int | None, CommandOption(least=0, panel=METHOD)] = None
    """Programs that may still be without a verdict when more are asked for; 0 waits for the end of each round. By
    default 4 where a model behind an endpoint answers, else 0."""
    value: Annotated[str, CommandOption(metavar="MODEL", complete=completion.values, panel=METHOD)] = "light"
    """Model of +value and --screen: light (ships with MaxCode), a model's file or folder, openai:MODEL, none (screens
    by novelty), random."""
    seed: Annotated[int, CommandOption(least=0, panel=METHOD)] = 0
    """Same seed and same answers, same tree."""


@dataclass(frozen=True)
class BudgetOptions:
    """How much to spend."""

    evals: Annotated[int, CommandOption(least=1, panel=BUDGET)] = 64
    """Programs to ask for."""
    max_tokens: Annotated[int | None, CommandOption(least=1, panel=BUDGET)] = None
    """Tokens to spend."""
    max_usd: Annotated[float | None, CommandOption(least=0.0, panel=BUDGET)] = None
    """USD to spend; needs the models' prices in the config."""
    max_seconds: Annotated[float | None, CommandOption(least=1.0, panel=BUDGET)] = None
    """Seconds of search; what is under way then is finished, and the finalist is measured afresh after it."""
    race: Annotated[float, CommandOption(least=0.0, most=1.0, panel=BUDGET)] = 0.05
    """Share of the programs that may be spent on measuring close ones further, ten pairs as one program."""
    confirm_seconds: Annotated[float, CommandOption(least=1.0, panel=BUDGET)] = 120.0
    """Seconds at most to measure the finalist afresh."""

    def limits(self) -> Budget:
        from maxcode.search.budget import Budget

        return Budget(
            evals=self.evals,
            tokens=self.max_tokens,
            usd=self.max_usd,
            seconds=self.max_seconds,
            race=self.race,
            confirm_seconds=self.confirm_seconds,
        )


@dataclass(frozen=True)
class BareProgramOptions:
    """Inputs and tests for a bare program, which becomes a task."""

    inputs: Annotated[list[Path] | None, CommandOption(names=("--input",), metavar="FILE")] = None
    """For a bare program: an input to time it on."""
    generator: Annotated[str | None, CommandOption(metavar="FILE")] = None
    """For a bare program: one that makes inputs, instead of derived tests."""
    tests: Annotated[Path | None, CommandOption(metavar="DIR")] = None
    """For a bare program: tests to use instead of derived ones."""
    args: Annotated[str | None, CommandOption(metavar="WORDS")] = None
    """For a bare program: its command line, as one string; the first file among the words is its input, such as
    '5 words.txt'."""
    flags: str | None = None
    """For a bare program: compiler flags, as one string."""
    link: str | None = None
    """For a bare program: linker flags besides -lm for C, as one string."""
    std: Annotated[str | None, CommandOption(metavar="STANDARD")] = None
    """For a bare program: its language standard, such as c11 or c++20."""
    allow: Annotated[str | None, CommandOption(metavar="RISKS")] = None
    """For a bare program: fast-math (numbers may differ by rounding) and threads (one for each core), with commas
    between; neither is taken unless named."""

    def options(self, name: str | None, known: InputFormat | None, function: FunctionOptions) -> NewOptions:
        from maxcode.task.kind import NewOptions

        return NewOptions(
            inputs=tuple(self.inputs or ()),
            name=name,
            flags=words_of("--flags", self.flags) if self.flags is not None else None,
            link=words_of("--link", self.link),
            standard=self.std,
            arguments=words_of("--args", self.args),
            allowed=_risks(self.allow),
            generator=self.generator,
            tests=self.tests,
            known=known,
            python=function.python,
            command=function.command,
        )


RISKS = ("fast-math", "threads")


def _risks(text: str | None) -> tuple[str, ...]:
    named = tuple(word.strip() for word in (text or "").split(",") if word.strip())
    unknown = [word for word in named if word not in RISKS]
    if unknown:
        raise InputError(f"--allow {text}: '{unknown[0]}' is not known; use any of: {', '.join(RISKS)}.")
    return named


def words_of(option: str, text: str | None) -> tuple[str, ...]:
    """Words of an option that holds a piece of a command line."""
    try:
        return tuple(shlex.split(text or ""))
    except ValueError as error:
        raise InputError(f"{option} {text}: {error}. Put words with spaces into quotes.") from None


@dataclass(frozen=True)
class FunctionOptions:
    """What a function of a package is made a task with."""

    python: Annotated[Path | None, CommandOption(metavar="DIR")] = None
    """For a function: the package's virtual environment; .venv in its repository, or MaxCode's own, when absent."""
    command: Annotated[str | None, CommandOption(names=("--inputs",), metavar="COMMAND")] = None
    """For a function: a command whose calls of it are recorded, instead of the tests."""


@dataclass(frozen=True)
class EvaluateOptions:
    """How to judge programs."""

    confirm: bool = False
    """Exclusive measurement with fresh seeds and a tight interval; never from the cache."""
    sanitize: bool = False
    """Every test under ASan and UBSan too (C, C++); models under compute-sanitizer, on a GPU."""
    profile: bool = False
    """Add facts: compiler remarks, hot lines, cache misses, allocations."""
    cache: bool = True
    """Use and keep outcomes of search-mode evaluations."""
    workers: Annotated[int | None, CommandOption(least=1)] = None
    """Worker processes; one per core when absent."""


def optimize(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TASK|FILE|FUNCTION",
            help="A task folder, a bare C, C++ or Python program, a PyTorch problem, or a function: FILE.py::NAME.",
            show_default=False,
            autocompletion=completion.targets,
        ),
    ],
    method: MethodOptions,
    budget: BudgetOptions,
    bare: BareProgramOptions,
    function: FunctionOptions,
    *,
    minimize: Annotated[
        bool,
        typer.Option(
            "--minimize/--no-minimize",
            help="Reduce the winner's diff to what its speed needs, in the time left.",
            rich_help_panel=RESULT,
        ),
    ] = True,
    engine: EngineOptions,
    config: ConfigFile = None,
    output: Output = None,
    json: Json = False,
) -> None:
    """Search for a faster program that still works, and confirm it."""
    from maxcode.cli import optimize as command
    from maxcode.optimize.run import SearchSettings

    with reporting_errors():
        command.run(
            target,
            # ahead is settled in run(): its default depends on the policy
            SearchSettings(task=str(target), budget=budget.limits(), minimize=minimize, **{**vars(method), "ahead": 0}),
            bare.options(None, None, function),
            ahead=method.ahead,
            config_file=config,
            output=output,
            engine=engine.chosen(),
            as_json=json,
        )


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to make.", show_default=False)],
    source: Annotated[
        Path,
        typer.Option(
            "--from",
            metavar="FILE",
            help="The program that works: C, C++ or Python, a PyTorch problem (Model, get_inputs, get_init_inputs), or "
            "a function of a Python package: FILE.py::NAME.",
            show_default=False,
        ),
    ],
    bare: BareProgramOptions,
    function: FunctionOptions,
    *,
    name: Annotated[str | None, typer.Option(help="Name of the task; the folder's when absent.")] = None,
    format_file: Annotated[
        Path | None,
        typer.Option("--format", metavar="FILE", help="A TOML file whose [format] table corrects the format."),
    ] = None,
    json: Json = False,
) -> None:
    """Make a task from a bare program, which becomes its own oracle."""
    from maxcode.cli import new as command

    with reporting_errors():
        wanted = bare.options(name, command.known_format(format_file), function)
        command.run(folder, source, wanted, as_json=json)


def check(task: TaskFolder, json: Json = False) -> None:
    """Is the task itself sound? Baseline passes, wrong programs fail, noise and workloads allow timing."""
    from maxcode.cli import check as command

    with reporting_errors():
        command.run(task, as_json=json)


def evaluate(
    task: TaskFolder,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Programs to judge, each in place of the baseline.", show_default=False),
    ],
    how: EvaluateOptions,
    engine: EngineOptions,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Verdict and measurement of given programs."""
    from maxcode.cli import evaluate as command

    with reporting_errors():
        command.run(task, files, **vars(how), engine=engine.chosen(), config_file=config, as_json=json)


def hot(
    target: Annotated[Path, typer.Argument(help="A repository, or a folder with a task.toml.", show_default=False)],
    build: Annotated[
        str | None, typer.Option(help="How to build it; guessed from its build files when absent.")
    ] = None,
    test: Annotated[str | None, typer.Option(help="How to test it; guessed when absent.")] = None,
    bench: Annotated[str | None, typer.Option(help="What to profile; guessed when absent.")] = None,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the proposed task.toml to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Show where a repository's bench spends its time, and which files to make editable because of it."""
    from maxcode.cli import hot as command

    with reporting_errors():
        command.run(target, build=build, test=test, bench=bench, output=output, as_json=json)


def mcp(
    bare: BareProgramOptions,
    function: FunctionOptions,
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TASK|FILE|FUNCTION]",
            help="What to make faster, as `optimize` takes it; when absent, the agent says so itself.",
            show_default=False,
            autocompletion=completion.targets,
        ),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Search method that decides what the agent sees next.",
            autocompletion=completion.strategies,
        ),
    ] = "default",
    evals: Annotated[int, typer.Option(min=1, help="Programs the agent may submit for one task.")] = 64,
) -> None:
    """Let a coding agent be the policy: an MCP server on standard input and output."""
    from maxcode.cli import mcp as command

    with reporting_errors():
        command.run(target, bare.options(None, None, function), strategy=strategy, evals=evals)


def commands(panel: str) -> CommandTable:
    return command_table(
        {
            "optimize": optimize,
            "new": new,
            "check": check,
            "evaluate": evaluate,
            "hot": hot,
            "mcp": mcp,
        },
        panel,
    )

"""`maxcode rl eval` and `rl plot`: what a model can do, and how it came to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.console import print_json, reporting_errors, working
from maxcode.cli.options import Instead
from maxcode.cli.rl_options import (
    MODEL,
    PROBLEMS,
    TASKS,
    ActionsName,
    ProblemOptions,
    RewardOptions,
    Seed,
    SequenceOptions,
)
from maxcode.cli.tables import TableOptions, print_tables
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.task.model import Task
    from maxcode.train.grpo.config import GrpoConfig
    from maxcode.train.grpo.trial import ModelTrial

HELD_OUT = CommandOption(metavar="TASK", panel=PROBLEMS, default="hpc:dgemm:held-out", help=TASKS)
OWN = CommandOption(least=1, panel=MODEL, default="its own")
JSON = CommandOption(names=("--json",), help="Print JSON for machines, one object per line.")


@dataclass(frozen=True)
class AnswerOptions:
    """How a model is asked; what is not given is as it was trained."""

    answers: Annotated[int, CommandOption(least=1)] = 16
    """Fresh answers to each task."""
    actions: Annotated[ActionsName | None, CommandOption(default="its own")] = None
    """Form of the answers, for a model that does not say how it was trained."""
    sequences: SequenceOptions = field(default_factory=SequenceOptions)
    temperature: Annotated[float | None, CommandOption(least=0.0)] = None
    """Temperature of sampling; 0 takes the likeliest token."""
    max_tokens: Annotated[int | None, CommandOption(least=1)] = None
    """Most tokens of one answer."""
    library: bool = True
    """Time the library's own function too (OpenBLAS for dgemm)."""


def evaluate(
    checkpoint: Annotated[str, typer.Argument(metavar="CHECKPOINT", help="A model's folder, or a base model's name.")],
    problems: Annotated[ProblemOptions, Instead(tasks=HELD_OUT, curriculum=None, elites=None, masks=None)],
    asking: Annotated[AnswerOptions, Instead(turns=OWN, variants=OWN)],
    rewards: RewardOptions,
    seed: Seed = 0,
    *,
    tables: Annotated[TableOptions, Instead(json=JSON)],
) -> None:
    """What a model can do: fresh answers with everything permitted, on kernels and shapes that it may not have seen."""
    with reporting_errors():
        from maxcode.train.grpo.tasks import named_tasks

        settings = _settings_of(checkpoint, asking)
        tasks = list(named_tasks(problems.tasks or ["hpc:dgemm:held-out"], cpus=problems.cpus).values())
        with working("asking the model ..."):
            found = _tried(checkpoint, settings, tasks, asking, rewards, seed)
        if tables.json:
            for each in found:
                print_json({**each.model_dump(mode="json"), "share_of_library": each.share_of_library})
            return
        from maxcode.train.grpo.trial import trial_table

        print_tables([trial_table(found, f"{checkpoint}: {asking.answers} answers to each task")], tables)


def _settings_of(checkpoint: str, asking: AnswerOptions) -> GrpoConfig:
    from maxcode.train.grpo.config import PRESETS, Actions, config_of, preset, read_config

    given = {**vars(asking.sequences), "temperature": asking.temperature, "max_tokens": asking.max_tokens}
    wanted = {name: value for name, value in given.items() if value is not None}
    if asking.actions is not None:
        wanted["actions"] = Actions(asking.actions)
    known = config_of(Path(checkpoint))
    if known is not None:
        return read_config({**known.model_dump(), **wanted})
    if checkpoint in PRESETS:
        return preset(checkpoint, Actions(wanted.pop("actions", Actions.PROGRAMS)), **wanted)
    return read_config({"base": checkpoint, **wanted})


def _tried(
    checkpoint: str, config: GrpoConfig, tasks: list[Task], asking: AnswerOptions, options: RewardOptions, seed: int
) -> list[ModelTrial]:
    from maxcode.bench.suites.hpc.library import library_speed
    from maxcode.evaluate.pool import LocalPool
    from maxcode.train.base import load_base
    from maxcode.train.grpo.loading import require_training
    from maxcode.train.grpo.run import ceiling_of, keep_off_benchmark_cores
    from maxcode.train.grpo.trial import try_model
    from maxcode.train.reward.thread import rewards_in_thread

    require_training("rl eval")
    cores, ceiling = options.bench_cpus, ceiling_of(options.ceiling)
    libraries = {task.hash: library_speed(task) for task in tasks if asking.library}

    def speed(task: Task) -> float | None:
        found = libraries.get(task.hash)
        return found.speedup if found else None

    with rewards_in_thread(LocalPool(cores), slots=cores, ceiling=ceiling) as rewards:
        keep_off_benchmark_cores(cores)
        model, tokenizer = load_base(checkpoint)
        return try_model(model, tokenizer, config, tasks, rewards, answers=asking.answers, seed=seed, library=speed)


def draw(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN",
            help="Runs of `rl train` or their folders, also as LABEL=RUN: runs with one label are its seeds. Without, "
            "the label is the curriculum.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", dir_okay=False, help="The page to write.")],
    tables: Annotated[TableOptions, Instead(json=JSON)],
) -> None:
    """Training curves as one page that needs nothing else, and the end of each run as a table."""
    with reporting_errors():
        from maxcode.core import InputError
        from maxcode.store.journal import Store
        from maxcode.system.home import write_atomically
        from maxcode.train.grpo.curves import curve_of, curves_page, summary_table

        with Store() as store:
            curves = [curve_of(store, _run_of(word), label) for label, word in map(_labelled, runs)]
        if empty := [each.label for each in curves if not each.records]:
            raise InputError(f"rl plot: {', '.join(empty)}: no steps yet; `maxcode rl train` makes such runs.")
        table = summary_table(curves)
        write_atomically(output, curves_page(curves, [table]).encode())
        print_tables([table], tables)


def _run_of(word: str) -> str:
    """The run's id, also where the folder of its training is named."""
    from maxcode.train.grpo.run import SETTINGS, settings_of

    folder = Path(word)
    return settings_of(folder).run or word if (folder / SETTINGS).is_file() else word


def _labelled(word: str) -> tuple[str | None, str]:
    label, equals, run = word.partition("=")
    return (label, run) if equals else (None, word)

"""`maxcode rl eval` and `rl plot`: what a model can do, and how it came to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli.bench import Form, FormOption
from maxcode.cli.console import print_json, reporting_errors, working
from maxcode.cli.rl_options import ActionsName, Ceiling, Cores, Cpus, HeldOutTasks, Json, OwnTurns, OwnVariants, Seed

if TYPE_CHECKING:
    from maxcode.train.grpo.config import GrpoConfig
    from maxcode.train.grpo.trial import Trial


def register(app: typer.Typer) -> None:
    app.command("eval")(evaluate)
    app.command("plot")(draw)


def evaluate(
    checkpoint: Annotated[str, typer.Argument(metavar="CHECKPOINT", help="A model's folder, or a base model's name.")],
    tasks: HeldOutTasks = None,
    answers: Annotated[int, typer.Option(min=1, help="Fresh answers to each task.")] = 16,
    actions: Annotated[
        ActionsName | None,
        typer.Option(help="For a model that says nothing about how it was trained.", show_default="its own"),
    ] = None,
    turns: OwnTurns = None,
    variants: OwnVariants = None,
    temperature: Annotated[float | None, typer.Option(min=0.0, help="Of sampling; 0 takes the likeliest.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Of one answer.")] = None,
    library: Annotated[bool, typer.Option(help="Time the library's own function too (OpenBLAS for dgemm).")] = True,
    cpus: Cpus = 1,
    bench_cpus: Cores = None,
    ceiling: Ceiling = None,
    seed: Seed = 0,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """What a model can do: fresh answers with everything permitted, on kernels and shapes that it may not have seen."""
    with reporting_errors():
        from maxcode.train.grpo.tasks import named_tasks

        given = {"turns": turns, "variants": variants, "temperature": temperature, "max_tokens": max_tokens}
        settings = _settings_of(checkpoint, actions, given)
        named = named_tasks(tasks or ["hpc:dgemm:held-out"], cpus=cpus)
        with working("asking the model ..."):
            found = _tried(checkpoint, settings, named, answers, seed, bench_cpus, ceiling, library)
        if json:
            for each in found:
                print_json({**each.model_dump(mode="json"), "share_of_library": each.share_of_library})
            return
        from maxcode.cli.value_tables import print_tables
        from maxcode.train.grpo.trial import trial_table

        print_tables([trial_table(found, f"{checkpoint}: {answers} answers to each task")], form, as_json=False)


def _settings_of(checkpoint: str, actions: ActionsName | None, given: dict[str, Any]) -> GrpoConfig:
    from maxcode.train.grpo.config import PRESETS, Actions, config_of, preset, read_config

    wanted = {name: value for name, value in given.items() if value is not None}
    if actions is not None:
        wanted["actions"] = Actions(actions.value)
    known = config_of(Path(checkpoint))
    if known is not None:
        return read_config({**known.model_dump(), **wanted})
    if checkpoint in PRESETS:
        return preset(checkpoint, Actions(wanted.pop("actions", Actions.PROGRAMS)), **wanted)
    return read_config({"base": checkpoint, **wanted})


def _tried(
    checkpoint: str,
    config: GrpoConfig,
    named: dict[str, Any],
    answers: int,
    seed: int,
    cores: int | None,
    ceiling: float | None,
    library: bool,
) -> list[Trial]:
    from maxcode.bench.hpc_library import library_speed
    from maxcode.evaluate.pool import LocalPool
    from maxcode.train.base import load_base
    from maxcode.train.grpo.loading import require_training
    from maxcode.train.grpo.run import ceiling_of, keep_off_benchmark_cores
    from maxcode.train.grpo.trial import try_model
    from maxcode.train.reward_thread import rewards_in_thread

    require_training("rl eval")

    tasks = list(named.values())
    libraries = {task.hash: library_speed(task) for task in tasks if library}

    def speed(task: Any) -> float | None:
        found = libraries.get(task.hash)
        return found.speedup if found else None

    with rewards_in_thread(LocalPool(cores), slots=cores, ceiling=ceiling_of(ceiling)) as rewards:
        keep_off_benchmark_cores(cores)
        model, tokenizer = load_base(checkpoint)
        return try_model(model, tokenizer, config, tasks, rewards, answers=answers, seed=seed, library=speed)


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
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Training curves as one page that needs nothing else, and the end of each run as a table."""
    with reporting_errors():
        from maxcode.cli.value_tables import print_tables
        from maxcode.core import InputError
        from maxcode.home import write_atomically
        from maxcode.store.journal import Store
        from maxcode.train.grpo.curves import curve_of, curves_page, summary_table

        with Store() as store:
            curves = [curve_of(store, _run_of(word), label) for label, word in map(_labelled, runs)]
        if empty := [each.label for each in curves if not each.records]:
            raise InputError(f"rl plot: {', '.join(empty)}: no steps yet; `maxcode rl train` makes such runs.")
        table = summary_table(curves)
        write_atomically(output, curves_page(curves, [table]).encode())
        print_tables([table], form, json)


def _run_of(word: str) -> str:
    """The run's id, also where the folder of its training is named."""
    from maxcode.train.grpo.run import SETTINGS, settings_of

    folder = Path(word)
    return settings_of(folder).run or word if (folder / SETTINGS).is_file() else word


def _labelled(word: str) -> tuple[str | None, str]:
    label, equals, run = word.partition("=")
    return (label, run) if equals else (None, word)

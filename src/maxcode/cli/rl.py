"""`maxcode rl`: the policy itself is trained, on what its programs earn on real machines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.arguments import RESULT, Json, PromptsConfig
from maxcode.cli.console import INTERRUPTED, err, out, print_json, reporting_errors
from maxcode.cli.engine import LOCAL, EngineOptions
from maxcode.cli.groups import CommandTable, command_table
from maxcode.cli.options import Instead
from maxcode.cli.rl_options import ModelOptions, ProblemOptions, RewardOptions, Seed, UpdateOptions, config_for
from maxcode.cli.rl_serve import serve
from maxcode.cli.rl_trial import draw, evaluate
from maxcode.cli.rl_warmstart import explore, warmstart
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.evaluate.engine import Engine
    from maxcode.evaluate.pool import Pool
    from maxcode.train.grpo.metrics import StepRecord
    from maxcode.train.grpo.run import RunSettings


@dataclass(frozen=True)
class PlaceOptions:
    """Folder of a training."""

    output: Annotated[Path | None, CommandOption(names=("-o", "--out"), metavar="DIR", folder=True, panel=RESULT)] = (
        None
    )
    """Folder for checkpoints and the model."""
    resume: Annotated[Path | None, CommandOption(metavar="DIR", panel=RESULT)] = None
    """Go on with the training in this folder, with its settings, from its last checkpoint."""


def train(
    context: typer.Context,
    place: PlaceOptions,
    model: ModelOptions,
    problems: Annotated[ProblemOptions, Instead(masks=None)],
    update: UpdateOptions,
    engine: EngineOptions,
    rewards: RewardOptions,
    config: PromptsConfig = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Train a model by GRPO on measured GFLOPS; `--policy hf:DIR/final` uses it in a search."""
    with reporting_errors():
        from maxcode.core import InputError
        from maxcode.train.grpo.run import settings_of

        if place.resume is not None and place.output is None:
            _refuse_other_settings(context)
            _train(settings_of(place.resume), place.resume, config, json)
        elif place.output is not None and place.resume is None:
            settings = _settings(model, problems, update, engine.chosen(), rewards, seed)
            _refuse_begun(place.output)
            _train(settings, place.output, config, json)
        else:
            raise InputError("rl train: give --out DIR for a new training, or --resume DIR to go on with one.")


def _settings(
    model: ModelOptions,
    problems: ProblemOptions,
    update: UpdateOptions,
    engine: Engine,
    rewards: RewardOptions,
    seed: int,
) -> RunSettings:
    from maxcode.train.curriculum import CurriculumKind
    from maxcode.train.grpo.run import RunSettings
    from maxcode.train.grpo.tasks import named_tasks

    elites = 0 if problems.elites is None and problems.curriculum != "sqd" else problems.elites
    settings = config_for(model, elites=elites, seed=seed, **vars(update))
    return RunSettings(
        config=settings,
        tasks=tuple(named_tasks(problems.tasks or ["hpc:dgemm"], cpus=problems.cpus)),
        curriculum=CurriculumKind(problems.curriculum),
        engine=engine,
        cpus=problems.cpus,
        **vars(rewards),
        steps=settings.steps,
    )


def _refuse_other_settings(context: typer.Context) -> None:
    """A run goes on exactly as it would have: what it was started with cannot be changed."""
    from maxcode.core import InputError

    given = [name for name in context.params if _is_given(context, name) and name not in ("resume", "config", "json")]
    if given:
        options = ", ".join("--" + name.replace("_", "-") for name in given)
        raise InputError(f"--resume: goes on with the settings of the run; leave out {options}.")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _refuse_begun(folder: Path) -> None:
    from maxcode.core import InputError
    from maxcode.train.grpo.loading import is_main_process
    from maxcode.train.grpo.run import SETTINGS

    if is_main_process() and (folder / SETTINGS).exists():  # the others may come when the main one has begun it
        raise InputError(f"--out {folder}: a training was begun there; go on with --resume {folder}, or name another.")


def _train(settings: RunSettings, folder: Path, config_file: Path | None, as_json: bool) -> None:
    from maxcode.train.grpo.loading import is_main_process
    from maxcode.train.grpo.run import train as run_training

    def watch(record: StepRecord) -> None:
        if as_json:
            print_json(record.model_dump(mode="json"))
        else:
            err.print(_line(record, settings.steps), soft_wrap=True, highlight=False, markup=False)

    pool = _pool(settings.engine, config_file, settings.bench_cpus)
    with _saying_how_to_go_on(folder):
        model = run_training(settings, folder, pool, watch=watch, report_to=_reporters())
    if not as_json and is_main_process():
        words = f"The model is in {model}; `maxcode optimize TASK --policy hf:{model}` searches with it."
        out.print(words, soft_wrap=True, highlight=False)


@contextmanager
def _saying_how_to_go_on(folder: Path) -> Iterator[None]:
    from maxcode.cli.stopping import one_interrupt
    from maxcode.train.grpo.loading import is_main_process
    from maxcode.train.grpo.run import SETTINGS

    try:
        with one_interrupt():
            yield
    except KeyboardInterrupt:
        if not (folder / SETTINGS).exists():
            raise
        if is_main_process():
            words = f"Stopped; the last checkpoint is kept. `maxcode rl train --resume {folder}` goes on."
            err.print(words, soft_wrap=True, highlight=False, markup=False)
        raise typer.Exit(INTERRUPTED) from None


def _reporters() -> tuple[str, ...]:
    """TensorBoard where it is installed, W&B where it is and somebody is logged in."""
    import importlib.util
    import os

    found = ["tensorboard"] if importlib.util.find_spec("tensorboard") else []
    if importlib.util.find_spec("wandb") and os.environ.get("WANDB_API_KEY"):
        found.append("wandb")
    return tuple(found)


def _line(record: StepRecord, steps: int) -> str:
    speed = "-" if record.gflops_best is None else f"{record.gflops_best:.3g}"
    archive = "" if record.coverage is None else f"  coverage {record.coverage:.1%}  QD {record.qd_score:.3g}"
    dropped = f"  {record.groups_dropped} dropped" if record.groups_dropped else ""
    return (
        f"step {record.step}/{steps}  reward {record.reward:6.1f}  correct {record.success:4.0%}  best GFLOPS {speed}"
        f"{archive}  {record.seconds:.1f} s, {record.idle:.0%} waiting{dropped}"
    )


def _pool(engine: Engine, config_file: Path | None, cores: int | None) -> AbstractAsyncContextManager[Pool]:
    from maxcode.cli.engine import pool_of
    from maxcode.config import load_config
    from maxcode.core import InputError

    if cores is not None and engine.name != LOCAL:
        raise InputError("--bench-cpus: only with --engine local; nodes say themselves how many slots they have.")
    return pool_of(engine, load_config(config_file), workers=cores)


def commands() -> CommandTable:
    return command_table(
        {
            "train": train,
            "explore": explore,
            "warmstart": warmstart,
            "eval": evaluate,
            "plot": draw,
            "serve": serve,
        }
    )

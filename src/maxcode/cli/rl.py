"""`maxcode rl`: the policy itself is trained, on what its programs earn on real machines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli import rl_serve, rl_trial, rl_warmstart
from maxcode.cli.bench import Config as ConfigFile
from maxcode.cli.console import INTERRUPTED, err, out, print_json, reporting_errors
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption
from maxcode.cli.rl_options import (
    PROBLEMS,
    RESULT,
    ActionsName,
    ActionsOption,
    AdvantageName,
    Base,
    Ceiling,
    Cores,
    Cpus,
    CurriculumName,
    Json,
    Preset,
    Seed,
    Tasks,
    Turns,
    Variants,
    of_preset,
)

if TYPE_CHECKING:
    from maxcode.evaluate.engine import Engine
    from maxcode.evaluate.pool import Pool
    from maxcode.train.grpo.metrics import StepRecord

rl_app = typer.Typer(
    no_args_is_help=True,
    help="Train the policy itself on measured speed: GRPO, with stages that vary what is permitted.",
)


@rl_app.command()
def train(
    context: typer.Context,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="DIR",
            file_okay=False,
            help="Folder for checkpoints and the model.",
            rich_help_panel=RESULT,
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Go on with the training in this folder, with its settings, from its last checkpoint.",
            rich_help_panel=RESULT,
        ),
    ] = None,
    preset: Preset = "smollm2-135m",
    base: Base = None,
    actions: ActionsOption = ActionsName.PROGRAMS,
    turns: Turns = None,
    variants: Variants = None,
    tasks: Tasks = None,
    curriculum: Annotated[
        CurriculumName,
        typer.Option(
            help="Permitted techniques: all from the start; one order of masks for all; or masks for each kernel by "
            "its progress, with replay (Staged Quality-Diversity).",
            rich_help_panel=PROBLEMS,
        ),
    ] = CurriculumName.SQD,
    elites: Annotated[
        int | None,
        typer.Option(
            min=0, help="Programs of the archive in prompts.", show_default="the preset's", rich_help_panel=PROBLEMS
        ),
    ] = None,
    cpus: Cpus = 1,
    steps: Annotated[int | None, of_preset(min=1, help="Updates.")] = None,
    group: Annotated[int | None, of_preset(min=2, help="Answers to one problem, compared with each other.")] = None,
    prompts: Annotated[int | None, of_preset(min=1, help="Problems per step.")] = None,
    micro_batch: Annotated[
        int | None, of_preset(min=1, help="Answers per pass through the model: fewer need less memory.")
    ] = None,
    learning_rate: Annotated[float | None, of_preset(help="Of AdamW.")] = None,
    beta: Annotated[float | None, of_preset(min=0.0, help="Weight of the KL divergence from the start.")] = None,
    entropy: Annotated[
        float | None, of_preset(min=0.0, help="Weight of the choices' entropy, against answering all alike.")
    ] = None,
    entropy_target: Annotated[
        float | None, of_preset(min=0.0, help="Entropy in nats below which that weight grows, above which it shrinks.")
    ] = None,
    epsilon: Annotated[float | None, of_preset(help="Clipping range of the probability ratio.")] = None,
    advantage: Annotated[
        AdvantageName | None,
        of_preset(
            help="Over the group's mean and deviation, over the mean of the others, or gain to the best of some."
        ),
    ] = None,
    best_of: Annotated[int | None, of_preset(min=2, help="Advantage best: of how many answers.")] = None,
    temperature: Annotated[float | None, of_preset(help="Of sampling.")] = None,
    max_tokens: Annotated[int | None, of_preset(min=1, help="Of one answer.")] = None,
    save_every: Annotated[int | None, of_preset(min=1, help="Steps between checkpoints.")] = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    bench_cpus: Cores = None,
    ceiling: Ceiling = None,
    config: ConfigFile = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Train a model by GRPO on measured GFLOPS; `--policy hf:DIR/final` uses it in a search."""
    with reporting_errors():
        from maxcode.core import InputError
        from maxcode.evaluate.engine import Engine
        from maxcode.train.curriculum import CurriculumKind
        from maxcode.train.grpo import config as grpo
        from maxcode.train.grpo.run import RunSettings, settings_of
        from maxcode.train.grpo.tasks import named_tasks

        if (output is None) == (resume is None):
            raise InputError("rl train: give --out DIR for a new training, or --resume DIR to go on with one.")
        if resume is not None:
            _refuse_other_settings(context)
            _train(settings_of(resume), resume, config, json)
            return
        settings = grpo.preset(
            preset,
            grpo.Actions(actions.value),
            base=base,
            turns=turns,
            variants=variants,
            elites=elites,
            steps=steps,
            group=group,
            prompts=prompts,
            micro_batch=micro_batch,
            learning_rate=learning_rate,
            beta=beta,
            epsilon=epsilon,
            entropy=entropy,
            entropy_target=entropy_target,
            advantage=advantage.value if advantage else None,
            best_of=best_of,
            temperature=temperature,
            max_tokens=max_tokens,
            save_every=save_every,
            seed=seed,
        )
        specs = tuple(named_tasks(tasks or ["hpc:dgemm"], cpus=cpus))
        wanted = RunSettings(
            config=settings,
            tasks=specs,
            curriculum=CurriculumKind(curriculum.value),
            engine=Engine(name=engine, address=address),
            bench_cpus=bench_cpus,
            cpus=cpus,
            ceiling=ceiling,
            steps=settings.steps,
        )
        assert output is not None
        _refuse_begun(output)
        _train(wanted, output, config, json)


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


def _train(settings: Any, folder: Path, config_file: Path | None, as_json: bool) -> None:
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

    if cores is not None and engine.name is not LOCAL:
        raise InputError("--bench-cpus: only with --engine local; nodes say themselves how many slots they have.")
    return pool_of(engine, load_config(config_file), workers=cores)


rl_warmstart.register(rl_app)
rl_trial.register(rl_app)
rl_serve.register(rl_app)

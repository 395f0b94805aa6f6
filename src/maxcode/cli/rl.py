"""`maxcode rl`: the policy itself is trained, on what its programs earn on real machines."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli import rl_serve
from maxcode.cli.bench import Config as ConfigFile
from maxcode.cli.bench import Form, FormOption, Json
from maxcode.cli.console import err, out, print_json, reporting_errors, working
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption

if TYPE_CHECKING:
    from maxcode.evaluate.engine import Engine
    from maxcode.evaluate.pool import Pool
    from maxcode.train.grpo.config import GrpoConfig
    from maxcode.train.grpo.metrics import StepRecord
    from maxcode.train.grpo.trial import Trial
    from maxcode.train.warmstart import Demonstration

rl_app = typer.Typer(
    no_args_is_help=True,
    help="Train the policy itself on measured speed: GRPO, with stages that vary what is permitted.",
)
rl_serve.register(rl_app)
MODEL, PROBLEMS, UPDATE, MACHINES, RESULT = "Model", "Problems", "Update", "Machines", "Result"
TASKS = (
    "hpc:dgemm (its shapes for training), hpc:dgemm:held-out, hpc:dgemm:m=96,n=96,k=96, hpc:training, hpc:held-out, "
    "or folders of kernel tasks; several times for several."
)


class ActionsName(StrEnum):
    PROGRAMS = "programs"
    NAMED = "named"


class CurriculumName(StrEnum):
    NONE = "none"
    STAGED = "staged"
    SQD = "sqd"


class AdvantageName(StrEnum):
    GROUP = "group"
    LEAVE_ONE_OUT = "leave-one-out"


Tasks = Annotated[
    list[str] | None,
    typer.Option("--tasks", metavar="TASK", help=TASKS, show_default="hpc:dgemm", rich_help_panel=PROBLEMS),
]
Preset = Annotated[
    str,
    typer.Option(help="qwen2.5-coder-14b (paper scale), smollm2-135m or tiny (tests).", rich_help_panel=MODEL),
]
Base = Annotated[
    str | None,
    typer.Option(
        help="Another model: Hugging Face id, folder, checkpoint of a warm start.",
        show_default="the preset's",
        rich_help_panel=MODEL,
    ),
]
ActionsOption = Annotated[
    ActionsName,
    typer.Option(
        help="What the model answers: whole programs, or names of the rewriter's transformations.",
        rich_help_panel=MODEL,
    ),
]
Turns = Annotated[
    int | None,
    typer.Option(
        min=1, help="Named actions: the longest sequence.", show_default="the preset's", rich_help_panel=MODEL
    ),
]
Variants = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Named actions: settings of one transformation to choose from.",
        show_default="the preset's",
        rich_help_panel=MODEL,
    ),
]
Cores = Annotated[
    int | None,
    typer.Option(
        "--bench-cpus",
        min=1,
        help="Cores of this machine that time programs; the model keeps off them.",
        show_default="all",
        rich_help_panel=MACHINES,
    ),
]
Cpus = Annotated[
    int, typer.Option(min=1, help="Cores of each task; more than one permits threads.", rich_help_panel=PROBLEMS)
]
Seed = Annotated[int, typer.Option(min=0, help="Same seed and same rewards, same model.")]


def _of_preset(**limits: Any) -> Any:
    return typer.Option(show_default="the preset's", rich_help_panel=UPDATE, **limits)


@rl_app.command()
def train(
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="DIR", help="Folder for checkpoints and the model.", rich_help_panel=RESULT
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
    steps: Annotated[int | None, _of_preset(min=1, help="Updates.")] = None,
    group: Annotated[int | None, _of_preset(min=2, help="Answers to one problem, compared with each other.")] = None,
    prompts: Annotated[int | None, _of_preset(min=1, help="Problems per step.")] = None,
    learning_rate: Annotated[float | None, _of_preset(help="Of AdamW.")] = None,
    beta: Annotated[float | None, _of_preset(min=0.0, help="Weight of the KL divergence from the start.")] = None,
    epsilon: Annotated[float | None, _of_preset(help="Clipping range of the probability ratio.")] = None,
    advantage: Annotated[
        AdvantageName | None, _of_preset(help="Over the group's mean and deviation, or over the mean of the others.")
    ] = None,
    temperature: Annotated[float | None, _of_preset(help="Of sampling.")] = None,
    max_tokens: Annotated[int | None, _of_preset(min=1, help="Of one answer.")] = None,
    save_every: Annotated[int | None, _of_preset(min=1, help="Steps between checkpoints.")] = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    bench_cpus: Cores = None,
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
            learning_rate=learning_rate,
            beta=beta,
            epsilon=epsilon,
            advantage=advantage.value if advantage else None,
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
            steps=settings.steps,
        )
        assert output is not None
        _refuse_begun(output)
        _train(wanted, output, config, json)


def _refuse_begun(folder: Path) -> None:
    from maxcode.core import InputError
    from maxcode.train.grpo.run import SETTINGS

    if (folder / SETTINGS).exists():
        raise InputError(f"--out {folder}: a training was begun there; go on with --resume {folder}, or name another.")


def _train(settings: Any, folder: Path, config_file: Path | None, as_json: bool) -> None:
    from maxcode.train.grpo.run import train as run_training

    def watch(record: StepRecord) -> None:
        if as_json:
            print_json(record.model_dump(mode="json"))
        else:
            err.print(_line(record, settings.steps), soft_wrap=True, highlight=False, markup=False)

    pool = _pool(settings.engine, config_file, settings.bench_cpus)
    model = run_training(settings, folder, pool, watch=watch, report_to=_reporters())
    if not as_json:
        words = f"The model is in {model}; `maxcode optimize TASK --policy hf:{model}` searches with it."
        out.print(words, soft_wrap=True, highlight=False)


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


def _pool(engine: Engine, config_file: Path | None, workers: int | None) -> AbstractAsyncContextManager[Pool]:
    from maxcode.cli.engine import pool_of
    from maxcode.config import load_config

    return pool_of(engine, load_config(config_file), workers=workers)


@rl_app.command()
def explore(
    output: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="File for the demonstrations (JSON lines).")
    ],
    tasks: Tasks = None,
    episodes: Annotated[int, typer.Option(min=1, help="Sequences of random transformations, over all problems.")] = 200,
    turns: Turns = None,
    variants: Variants = None,
    masks: Annotated[
        bool, typer.Option(help="Also under the masks of the curriculum's stages.", rich_help_panel=PROBLEMS)
    ] = True,
    cpus: Cpus = 1,
    bench_cpus: Cores = None,
    seed: Seed = 0,
) -> None:
    """Programs to learn from: random sequences of the rewriter's transformations, and what they reach."""
    with reporting_errors():
        import asyncio

        from maxcode.train.curriculum import STAGES
        from maxcode.train.grpo.tasks import named_tasks
        from maxcode.train.masks import EVERYTHING
        from maxcode.train.problem import Problem
        from maxcode.train.warmstart import keep_demonstrations

        named = named_tasks(tasks or ["hpc:dgemm"], cpus=cpus)
        permitted = STAGES if masks else (EVERYTHING,)
        problems = [(name, Problem(task=task, mask=mask)) for name, task in named.items() for mask in permitted]
        found = asyncio.run(_explore(problems, episodes, turns or 3, variants or 1, seed, bench_cpus))
        count = keep_demonstrations(output, found)
        out.print(f"{count} programs that work in {output}; `maxcode rl warmstart --data {output}` trains on them.")


async def _explore(
    problems: list[Any], episodes: int, turns: int, variants: int, seed: int, cores: int | None
) -> list[Demonstration]:
    from maxcode.evaluate.pool import LocalPool
    from maxcode.train.reward import Rewards
    from maxcode.train.warmstart import explore as explored

    with working("trying transformations ...") as say:
        async with LocalPool(cores) as evaluate, Rewards(evaluate, slots=cores) as rewards:
            return await explored(
                problems,
                rewards,
                episodes=episodes,
                turns=turns,
                variants=variants,
                seed=seed,
                watch=lambda done, correct: say(f"{done} of {episodes} sequences, {correct} programs that work"),
            )


@rl_app.command()
def warmstart(
    output: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Folder for the model.")],
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="RUN", help="Runs of `maxcode optimize` on kernel tasks.")
    ] = None,
    data: Annotated[Path | None, typer.Option(exists=True, help="Demonstrations of `maxcode rl explore`.")] = None,
    preset: Preset = "smollm2-135m",
    base: Base = None,
    actions: ActionsOption = ActionsName.PROGRAMS,
    turns: Turns = None,
    variants: Variants = None,
    keep: Annotated[float, typer.Option(min=0.01, max=1.0, help="Share of each problem's programs, the best.")] = 0.5,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the demonstrations.")] = 3,
    learning_rate: Annotated[float, typer.Option(help="Highest, of AdamW.")] = 5e-4,
    batch: Annotated[int, typer.Option(min=1, help="Demonstrations per step.")] = 8,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Longer programs are left out.")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Teach a model programs that were found before, so that GRPO has something to compare."""
    with reporting_errors():
        from maxcode.core import InputError
        from maxcode.train.grpo import config as grpo
        from maxcode.train.warmstart import read_demonstrations

        if not runs and data is None:
            raise InputError("rl warmstart: name runs, or --data FILE of `maxcode rl explore`.")
        settings = grpo.preset(
            preset,
            grpo.Actions(actions.value),
            base=base,
            turns=turns,
            variants=variants,
            max_tokens=max_tokens,
            seed=seed,
        )
        found = [*(_of_runs(runs) if runs else []), *(read_demonstrations(data) if data else [])]
        losses = _teach(settings, found, output, keep, epochs, learning_rate, batch)
        if json:
            print_json({"model": str(output), "steps": len(losses), "loss": losses[-1]})
        else:
            out.print(f"{len(losses)} steps, loss {losses[0]:.3f} to {losses[-1]:.3f}; the model is in {output}")


def _of_runs(runs: list[str]) -> list[Demonstration]:
    from maxcode.store.journal import Store
    from maxcode.train.demonstrations import demonstrations_of

    with Store() as store:
        return [each for run in runs for each in demonstrations_of(store, run)]


def _teach(
    config: GrpoConfig,
    found: list[Demonstration],
    folder: Path,
    keep: float,
    epochs: int,
    learning_rate: float,
    batch: int,
) -> list[float]:
    from maxcode.core import InputError
    from maxcode.train.base import save_adapter
    from maxcode.train.grpo.config import keep_config
    from maxcode.train.grpo.loading import require_training, trainable_base, with_lora
    from maxcode.train.grpo.tasks import named_task
    from maxcode.train.problem import Problem
    from maxcode.train.warmstart import better_share, lessons, taught

    require_training("rl warmstart")
    chosen = better_share(found, keep)
    problems = {each.task: named_task(each.task) for each in chosen}
    model, tokenizer = trainable_base(config)
    model = with_lora(model, config)
    taken = list(lessons(chosen, config, tokenizer, lambda each: Problem(task=problems[each.task], mask=each.mask)))
    if not taken:
        raise InputError(f"rl warmstart: none of {len(chosen)} programs fits into {config.max_tokens} tokens.")
    with working("teaching ...") as say:
        losses = taught(
            model,
            tokenizer,
            taken,
            epochs=epochs,
            learning_rate=learning_rate,
            seed=config.seed,
            batch=batch,
            watch=lambda step, steps, loss: say(f"step {step} of {steps}, loss {loss:.3f}"),
        )
    folder.mkdir(parents=True, exist_ok=True)
    if hasattr(model, "peft_config"):
        save_adapter(model, folder)
    else:
        model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    keep_config(folder, config)
    return losses


@rl_app.command("eval")
def evaluate(
    checkpoint: Annotated[str, typer.Argument(metavar="CHECKPOINT", help="A model's folder, or a base model's name.")],
    tasks: Tasks = None,
    answers: Annotated[int, typer.Option(min=1, help="Fresh answers to each task.")] = 16,
    actions: Annotated[
        ActionsName | None,
        typer.Option(help="For a model that says nothing about how it was trained.", show_default="its own"),
    ] = None,
    turns: Turns = None,
    variants: Variants = None,
    temperature: Annotated[float | None, typer.Option(min=0.0, help="Of sampling; 0 takes the likeliest.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Of one answer.")] = None,
    library: Annotated[bool, typer.Option(help="Time the library's own function too (OpenBLAS for dgemm).")] = True,
    cpus: Cpus = 1,
    bench_cpus: Cores = None,
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
            found = _tried(checkpoint, settings, named, answers, seed, bench_cpus, library)
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
        return read_config({**known.model_dump(), **wanted, "temperature": wanted.get("temperature") or 1.0})
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
    library: bool,
) -> list[Trial]:
    from maxcode.bench.hpc_library import library_speed
    from maxcode.evaluate.pool import LocalPool
    from maxcode.train.base import load_base
    from maxcode.train.grpo.loading import require_training
    from maxcode.train.grpo.trial import try_model
    from maxcode.train.reward_thread import rewards_in_thread

    require_training("rl eval")

    def speed(task: Any) -> float | None:
        found = library_speed(task) if library else None
        return found.speedup if found else None

    with rewards_in_thread(LocalPool(cores), slots=cores) as rewards:
        model, tokenizer = load_base(checkpoint)
        tasks = list(named.values())
        return try_model(model, tokenizer, config, tasks, rewards, answers=answers, seed=seed, library=speed)


@rl_app.command("plot")
def draw(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="Runs of `rl train`, or LABEL=RUN; runs with one label are its seeds."),
    ],
    output: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The page to write.")],
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Training curves as one page that needs nothing else, and the end of each run as a table."""
    with reporting_errors():
        from maxcode.cli.value_tables import print_tables
        from maxcode.core import InputError
        from maxcode.store.journal import Store
        from maxcode.train.grpo.curves import curve_of, curves_page, summary_table

        with Store() as store:
            curves = [curve_of(store, run, label) for label, run in map(_labelled, runs)]
        if empty := [each.label for each in curves if not each.records]:
            raise InputError(f"rl plot: {', '.join(empty)}: no steps yet; `maxcode rl train` makes such runs.")
        table = summary_table(curves)
        output.write_text(curves_page(curves, [table]))
        print_tables([table], form, json)


def _labelled(word: str) -> tuple[str | None, str]:
    label, equals, run = word.partition("=")
    return (label, run) if equals else (None, word)

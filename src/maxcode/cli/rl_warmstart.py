"""`maxcode rl explore` and `rl warmstart`: what a model learns before rewards are paid."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.arguments import Json
from maxcode.cli.console import out, print_json, reporting_errors, working
from maxcode.cli.options import Instead
from maxcode.cli.rl_options import (
    MODEL,
    ModelOptions,
    ProblemOptions,
    RewardOptions,
    Seed,
    SequenceOptions,
    config_for,
)
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.train.grpo.config import GrpoConfig
    from maxcode.train.problem import MaskedTask
    from maxcode.train.warmstart import Demonstration

GIVEN = CommandOption(least=1, panel=MODEL)
SHORT = SequenceOptions(turns=3, variants=1)


def explore(
    output: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="FILE", dir_okay=False, help="File for the demonstrations (JSON lines)."),
    ],
    problems: Annotated[ProblemOptions, Instead(curriculum=None, elites=None)],
    episodes: Annotated[int, typer.Option(min=1, help="Sequences of random transformations, over all problems.")] = 200,
    sequences: Annotated[SequenceOptions, Instead(turns=GIVEN, variants=GIVEN)] = SHORT,
    *,
    rewards: RewardOptions,
    seed: Seed = 0,
) -> None:
    """Programs to learn from: random sequences of the rewriter's transformations, and what they reach."""
    with reporting_errors():
        import asyncio

        from maxcode.train.curriculum import STAGES
        from maxcode.train.grpo.tasks import named_tasks
        from maxcode.train.masks import EVERYTHING
        from maxcode.train.problem import MaskedTask
        from maxcode.train.warmstart import keep_demonstrations

        named = named_tasks(problems.tasks or ["hpc:dgemm"], cpus=problems.cpus)
        permitted = STAGES if problems.masks else (EVERYTHING,)
        masked = [(name, MaskedTask(task=task, mask=mask)) for name, task in named.items() for mask in permitted]
        found = asyncio.run(_explore(masked, episodes, sequences, rewards, seed))
        count = keep_demonstrations(output, found)
        words = f"{count} programs that work in {output}; `maxcode rl warmstart --data {output} -o DIR` trains on them."
        out.print(words, soft_wrap=True, highlight=False)


async def _explore(
    problems: list[tuple[str, MaskedTask]],
    episodes: int,
    sequences: SequenceOptions,
    options: RewardOptions,
    seed: int,
) -> list[Demonstration]:
    from maxcode.evaluate.pool import LocalPool
    from maxcode.train.grpo.run import ceiling_of
    from maxcode.train.reward.reward import Rewards
    from maxcode.train.warmstart import explore as explored

    cores, ceiling = options.bench_cpus, ceiling_of(options.ceiling)
    with working("trying transformations ...") as say:
        async with LocalPool(cores) as evaluate, Rewards(evaluate, slots=cores, ceiling=ceiling) as rewards:
            return await explored(
                problems,
                rewards,
                episodes=episodes,
                **vars(sequences),
                seed=seed,
                watch=lambda done, correct: say(f"{done} of {episodes} sequences, {correct} programs that work"),
            )


@dataclass(frozen=True)
class LessonOptions:
    """How a model is taught."""

    keep: Annotated[float, CommandOption(least=0.01, most=1.0)] = 0.5
    """Share of each problem's programs, the best."""
    epochs: Annotated[int, CommandOption(least=1)] = 3
    """Passes over the demonstrations."""
    learning_rate: Annotated[float, CommandOption(least=0.0)] = 5e-4
    """Highest, of AdamW."""
    batch: Annotated[int, CommandOption(least=1)] = 8
    """Demonstrations per step."""


def warmstart(
    output: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", file_okay=False, help="Folder for the model.")],
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="RUN", help="Runs of `maxcode optimize` on kernel tasks.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Demonstrations of `maxcode rl explore`.")
    ] = None,
    *,
    model: ModelOptions,
    lessons: LessonOptions,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Longer programs are left out.")] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Teach a model programs that were found before, so that GRPO has something to compare."""
    with reporting_errors():
        from maxcode.core import InputError
        from maxcode.train.warmstart import read_demonstrations

        if not runs and data is None:
            raise InputError("rl warmstart: name runs, or --data FILE of `maxcode rl explore`.")
        settings = config_for(model, max_tokens=max_tokens, seed=seed)
        found = [*(_of_runs(runs) if runs else []), *(read_demonstrations(data) if data else [])]
        losses = _teach(settings, found, output, lessons)
        if json:
            print_json({"model": str(output), "steps": len(losses), "loss": losses[-1]})
        else:
            out.print(f"{len(losses)} steps, loss {losses[0]:.3f} to {losses[-1]:.3f}; the model is in {output}")


def _of_runs(runs: list[str]) -> list[Demonstration]:
    from maxcode.store.journal import Store
    from maxcode.train.demonstrations import demonstrations_of

    with Store() as store:
        return [each for run in runs for each in demonstrations_of(store, run)]


def _teach(config: GrpoConfig, found: list[Demonstration], folder: Path, options: LessonOptions) -> list[float]:
    from maxcode.core import InputError
    from maxcode.train.base import save_adapter
    from maxcode.train.grpo.config import keep_config
    from maxcode.train.grpo.loading import require_training, trainable_base, with_lora
    from maxcode.train.grpo.tasks import named_task
    from maxcode.train.problem import MaskedTask
    from maxcode.train.warmstart import better_share, lessons, taught

    require_training("rl warmstart")
    chosen = better_share(found, options.keep)
    problems = {each.task: named_task(each.task) for each in chosen}
    model, tokenizer = trainable_base(config)
    model = with_lora(model, config)
    taken = list(lessons(chosen, config, tokenizer, lambda each: MaskedTask(task=problems[each.task], mask=each.mask)))
    if not taken:
        raise InputError(
            f"rl warmstart: none of {len(chosen)} programs fits into {config.max_tokens} tokens; raise --max-tokens."
        )
    with working("teaching ...") as say:
        losses = taught(
            model,
            tokenizer,
            taken,
            epochs=options.epochs,
            learning_rate=options.learning_rate,
            seed=config.seed,
            batch=options.batch,
            watch=lambda step, steps, loss: say(f"step {step} of {steps}, loss {loss:.3f}"),
        )
    if not isfinite(losses[-1]):
        raise InputError("rl warmstart: the loss is not a number any more; use a lower --learning-rate.")
    folder.mkdir(parents=True, exist_ok=True)
    if hasattr(model, "peft_config"):
        save_adapter(model, folder)
    else:
        model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    keep_config(folder, config)
    return losses

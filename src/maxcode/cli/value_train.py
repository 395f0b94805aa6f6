"""`maxcode value train`: the light model, or a language model with `--base`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli.arguments import DataFile, TablesJson
from maxcode.cli.console import err, out, print_json, reporting_errors
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.train.value.settings import Training
    from maxcode.train.value.training import OptimizerStep
    from maxcode.value.data import StateRow

Base = Annotated[
    str | None,
    typer.Option(
        "--base",
        help="Fine-tune a language model instead: smollm2-135m, qwen2.5-7b, a Hugging Face id, a folder, a .gguf file.",
        show_default=False,
    ),
]
EVERY = 50
"""Steps between checkpoints."""


@dataclass(frozen=True)
class LanguageModelOptions:
    """Training of a language model: what is not given is as in the preset."""

    rank: Annotated[int | None, CommandOption(default="8")] = None
    """Rank of the LoRA adapters."""
    learning_rate: Annotated[float | None, CommandOption(default="of the preset")] = None
    """Highest learning rate of AdamW."""
    epochs: Annotated[int | None, CommandOption(default="1")] = None
    """Passes over the data."""
    batch: Annotated[int | None, CommandOption(default="8")] = None
    """Rows per step."""
    max_tokens: Annotated[int | None, CommandOption(default="of the preset")] = None
    """Longer states lose their beginning."""
    max_rows: Annotated[int | None, CommandOption(default="all")] = None
    """Most states, and most proposals, to train on."""
    samples: int | None = None
    """Serve by the mean of so many sampled answers, not by the expected class."""
    temperature: Annotated[float | None, CommandOption(default="0.7")] = None
    """Temperature of those samples."""


def train(
    data: DataFile,
    output: Annotated[Path, typer.Option("-o", "--out", help="File for the model; a folder with --base.")],
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same model.")] = 0,
    base: Base = None,
    *,
    model: LanguageModelOptions,
    checkpoint_every: Annotated[
        int, typer.Option(min=1, help="Steps between checkpoints; the same command goes on.")
    ] = EVERY,
    json: TablesJson = False,
) -> None:
    """Train on the training split: boosted trees, in seconds on a CPU; with --base a language model with LoRA."""
    from maxcode.core import InputError
    from maxcode.value.files import read_rows

    with reporting_errors():
        given = next((name for name, value in vars(model).items() if value is not None), None)
        if base is None and given:
            raise InputError(f"--{given.replace('_', '-')}: only with --base; the light model has no such setting.")
        rows = read_rows(data)
        if base is None:
            told = train_light_file(rows, output, seed)
        else:
            from maxcode.train.value.settings import training_for

            training = training_for(base, seed=seed, **vars(model))
            told = train_generative_folder(rows, training, output, checkpoint_every, json)
        if json:
            print_json(told)
        else:
            words = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in told.items())
            out.print(f"{output}: {words}", highlight=False, markup=False, soft_wrap=True)


def train_light_file(rows: list[StateRow], output: Path, seed: int) -> dict[str, Any]:
    from maxcode.value.light import train_light, write_light

    started = time.perf_counter()
    content = train_light(rows, seed=seed)
    write_light(content, output)
    return {
        "tasks": len(content["trained_on"]),
        "states": content["state"]["rows"],
        "proposals": content["screen"]["rows"],
        "bytes": output.stat().st_size,
        "seconds": round(time.perf_counter() - started, 1),
    }


def train_generative_folder(
    rows: list[StateRow], training: Training, output: Path, checkpoint_every: int, quiet: bool
) -> dict[str, Any]:
    from maxcode.core import InputError
    from maxcode.train.value.training import train_generative

    if output.is_file():
        raise InputError(f"-o {output}: is a file; with --base the model is a folder.")
    steps: list[OptimizerStep] = []

    def tell(step: OptimizerStep) -> None:
        steps.append(step)
        if not quiet:
            _tell(step)

    content = train_generative(rows, training, output, checkpoint_every=checkpoint_every, tell=tell)
    return {
        "tasks": len(content.trained_on),
        "states": content.state.rows,
        "proposals": content.screen.rows,
        "cut_to_length": content.state.cut + content.screen.cut,
        "steps": content.state.steps + content.screen.steps,
        "loss_of_states": round(content.state.loss, 4),
        "loss_of_proposals": round(content.screen.loss, 4),
        "seconds": round(content.state.seconds + content.screen.seconds, 1),
        "MB_of_memory": max((step.memory_mb for step in steps), default=0),
    }


def _tell(step: OptimizerStep) -> None:
    """The first steps, then one in ten, and the last."""
    if step.step > 3 and step.step % 10 and step.step < step.steps:
        return
    words = (
        f"{step.part}: step {step.step} of {step.steps}, loss {step.loss:.3f}, {step.right:.0%} right, "
        f"{step.tokens} tokens, {step.seconds:.1f} s, {step.memory_mb} MB"
    )
    err.print(words, highlight=False, soft_wrap=True)

"""`maxcode value train`: the light model, or a language model with `--base`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from maxcode.cli.bench import Json
from maxcode.cli.console import err, out, print_json, reporting_errors

if TYPE_CHECKING:
    from maxcode.train.value.settings import Training
    from maxcode.train.value.training import Step
    from maxcode.value.data import Row

DataFile = Annotated[
    Path, typer.Option("--data", help="Rows from `maxcode value data`.", show_default=False, exists=True)
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base",
        help="Fine-tune a language model instead: smollm2-135m, qwen2.5-7b, a Hugging Face id, a folder, a .gguf file.",
        show_default=False,
    ),
]
Rank = Annotated[int | None, typer.Option(help="Of the LoRA adapters.", show_default="8")]
Rate = Annotated[float | None, typer.Option(help="Highest learning rate of AdamW.", show_default="of the preset")]
Epochs = Annotated[int | None, typer.Option(help="Passes over the data.", show_default="1")]
Batch = Annotated[int | None, typer.Option(help="Rows per step.", show_default="8")]
MaxTokens = Annotated[
    int | None, typer.Option(help="Longer states lose their beginning.", show_default="of the preset")
]
MaxRows = Annotated[int | None, typer.Option(help="At most so many states, and so many proposals.", show_default="all")]
Samples = Annotated[
    int | None, typer.Option(help="Serve by the mean of so many sampled answers, not by the expected class.")
]
Temperature = Annotated[float | None, typer.Option(help="Of those samples.", show_default="0.7")]
CheckpointEvery = Annotated[int, typer.Option(min=1, help="Steps between checkpoints; the same command goes on.")]
EVERY = 50
"""Steps between checkpoints."""


def train(
    data: DataFile,
    output: Annotated[Path, typer.Option("-o", "--out", help="File for the model; a folder with --base.")],
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same model.")] = 0,
    base: Base = None,
    rank: Rank = None,
    learning_rate: Rate = None,
    epochs: Epochs = None,
    batch: Batch = None,
    max_tokens: MaxTokens = None,
    max_rows: MaxRows = None,
    samples: Samples = None,
    temperature: Temperature = None,
    checkpoint_every: CheckpointEvery = EVERY,
    json: Json = False,
) -> None:
    """Train on the training split: boosted trees, in seconds on a CPU; with --base a language model with LoRA."""
    from maxcode.core import InputError
    from maxcode.value.files import read_rows

    only_with_base = {
        "rank": rank,
        "learning_rate": learning_rate,
        "epochs": epochs,
        "batch": batch,
        "max_tokens": max_tokens,
        "max_rows": max_rows,
        "samples": samples,
        "temperature": temperature,
    }
    with reporting_errors():
        given = next((name for name, value in only_with_base.items() if value is not None), None)
        if base is None and given:
            raise InputError(f"--{given.replace('_', '-')}: only with --base; the light model has no such setting.")
        rows = read_rows(data)
        if base is None:
            told = train_light_file(rows, output, seed)
        else:
            from maxcode.train.value.settings import training_for

            training = training_for(base, seed=seed, **only_with_base)
            told = train_generative_folder(rows, training, output, checkpoint_every, json)
        if json:
            print_json(told)
        else:
            words = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in told.items())
            out.print(f"{output}: {words}", highlight=False, markup=False, soft_wrap=True)


def train_light_file(rows: list[Row], output: Path, seed: int) -> dict[str, Any]:
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
    rows: list[Row], training: Training, output: Path, checkpoint_every: int, quiet: bool
) -> dict[str, Any]:
    from maxcode.core import InputError
    from maxcode.train.value.training import train_generative

    if output.is_file():
        raise InputError(f"-o {output}: is a file; with --base the model is a folder.")
    steps: list[Step] = []

    def tell(step: Step) -> None:
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


def _tell(step: Step) -> None:
    """The first steps, then one in ten, and the last."""
    if step.step > 3 and step.step % 10 and step.step < step.steps:
        return
    words = (
        f"{step.part}: step {step.step} of {step.steps}, loss {step.loss:.3f}, {step.right:.0%} right, "
        f"{step.tokens} tokens, {step.seconds:.1f} s, {step.memory_mb} MB"
    )
    err.print(words, highlight=False, soft_wrap=True)

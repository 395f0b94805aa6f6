"""Fine-tuning: LoRA adapters on a language model, cross-entropy over the five label tokens.

Two adapters, one for states that ran and one for proposals. A training that is killed goes on from its last checkpoint
and ends where it would have ended: the order of rows, the rates and the noise follow from seed and step alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxcode.core import Frozen, InputError, content_hash
from maxcode.system.home import write_atomically
from maxcode.train.base import load_base, merged
from maxcode.train.value.checkpoint import Checkpoint
from maxcode.train.value.reading import batches, encode, label_logits, label_tokens
from maxcode.train.value.serving import Generative, Part, PartName
from maxcode.train.value.settings import Training
from maxcode.value.classes import classes_of
from maxcode.value.data import StateRow
from maxcode.value.endpoint import ServedDescription, ServedPart
from maxcode.value.features import log_reward

PARTS: tuple[tuple[PartName, bool], ...] = (("state", False), ("screen", True))
FEWEST_ROWS = 8
LARGEST_GRADIENT = 1.0
ROWS_ON_CPU = 2
"""Rows per pass on a CPU. More are not faster, and take memory that other processes need."""


class OptimizerStep(Frozen):
    """Figures of one step of AdamW."""

    part: PartName
    step: int
    steps: int
    loss: float
    right: float
    """Share of the rows whose likeliest label was the right one, before the step."""
    learning_rate: float
    tokens: int
    seconds: float
    """Seconds of training so far, without interruptions."""
    memory_mb: int
    """Most memory in use so far: on the GPU, else of the process."""


@dataclass(frozen=True)
class Prepared:
    """Rows of one of the two models as it reads them."""

    tokens: list[list[int]]
    labels: list[int]
    cut: int
    rewards: list[float]

    @property
    def hash(self) -> str:
        return content_hash(repr(self.tokens), repr(self.labels), repr(self.rewards))


def train_generative(
    rows: Sequence[StateRow],
    training: Training,
    folder: Path,
    *,
    checkpoint_every: int = 50,
    tell: Callable[[OptimizerStep], None] = lambda _: None,
) -> Generative:
    """Trains both adapters on the training split and writes the folder; goes on where a killed training stopped."""
    used = {name: _used(rows, masked, training) for name, masked in PARTS}
    folder.mkdir(parents=True, exist_ok=True)
    model, tokenizer = load_base(training.base)
    model = merged(model)
    model.name_or_path = training.base
    parts = {}
    for name, _ in PARTS:
        prepared = _prepared(tokenizer, used[name], training)
        work = _Work(model, tokenizer, training, name, prepared)
        parts[name] = work.done(folder, Checkpoint(folder, name, work.fingerprint, checkpoint_every), tell)
    content = Generative(
        base=training.base,
        max_tokens=training.max_tokens,
        samples=training.samples,
        temperature=training.temperature,
        trained_on=tuple(sorted({row.origin for some in used.values() for row in some})),
        training=training,
        state=parts["state"],
        screen=parts["screen"],
    )
    _write(folder, content)
    return content


def _used(rows: Sequence[StateRow], masked: bool, training: Training) -> list[StateRow]:
    """Rows of the training split that have a label; at most `max_rows`, chosen at random."""
    fresh = [row for row in rows if row.split == "train" and not row.repeated]
    found = [row for row in fresh if row.masked == masked and row.label is not None]
    if len(found) < FEWEST_ROWS:
        kind = "proposals (masked)" if masked else "states"
        raise InputError(
            f"the data has {len(found)} {kind} with a class in its training split; {FEWEST_ROWS} is the least. "
            "Collect more with `maxcode collect`."
        )
    if training.max_rows is None or len(found) <= training.max_rows:
        return found
    return random.Random(training.seed).sample(found, training.max_rows)


def _prepared(tokenizer: Any, rows: Sequence[StateRow], training: Training) -> Prepared:
    encoded = encode(tokenizer, rows, training.max_tokens)
    return Prepared(
        tokens=[each.tokens for each in encoded],
        labels=[row.label or 0 for row in rows],
        cut=sum(each.cut for each in encoded),
        rewards=[log_reward(row.future_equal or 0.0) for row in rows],
    )


@dataclass(frozen=True)
class _Work:
    """The training of one adapter."""

    base: Any
    tokenizer: Any
    training: Training
    name: PartName
    rows: Prepared

    @property
    def fingerprint(self) -> str:
        return content_hash(self.training.model_dump_json(), self.name, self.rows.hash)

    def done(self, folder: Path, checkpoint: Checkpoint, tell: Callable[[OptimizerStep], None]) -> Part:
        """Record of the finished adapter, which is trained now unless an earlier call has done it."""
        if (finished := checkpoint.finished()) is not None:
            return Part.model_validate_json(finished)
        adapted = self._adapted()
        losses, seconds = self._fitted(adapted, checkpoint, tell)
        adapted.save_pretrained(folder, selected_adapters=[self.name], save_embedding_layers=False)
        (folder / "README.md").unlink(missing_ok=True)  # PEFT's form for a model hub, not filled in
        adapted.unload()
        last = losses[-max(len(losses) // 10, 1) :]
        part = Part(
            classes=classes_of(list(zip(self.rows.labels, self.rows.rewards, strict=True))),
            rows=len(self.rows.labels),
            cut=self.rows.cut,
            steps=len(losses),
            loss=sum(last) / len(last),
            seconds=seconds,
        )
        checkpoint.finish(part.model_dump_json())
        return part

    def _adapted(self) -> Any:
        import torch
        from peft import LoraConfig, get_peft_model

        torch.manual_seed(self.training.seed)
        config = LoraConfig(
            r=self.training.rank,
            lora_alpha=self.training.alpha,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        )
        if self.training.checkpointing:
            self.base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        return get_peft_model(self.base, config, adapter_name=self.name).train()

    def _fitted(
        self, model: Any, checkpoint: Checkpoint, tell: Callable[[OptimizerStep], None]
    ) -> tuple[list[float], float]:
        """The loss of every step, and the seconds it took."""
        import torch

        weights = [each for each in model.parameters() if each.requires_grad]
        optimizer = torch.optim.AdamW(weights, lr=self.training.learning_rate, weight_decay=0.0)
        order = list(self._order())
        losses, before = checkpoint.resume(model, optimizer)
        started = time.perf_counter() - before
        labels = label_tokens(self.tokenizer)
        for step in range(len(losses), len(order)):
            for group in optimizer.param_groups:
                group["lr"] = rate(step, len(order), self.training)
            loss, right = self._step(model, labels, order[step])
            torch.nn.utils.clip_grad_norm_(weights, LARGEST_GRADIENT)
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss)
            seconds = time.perf_counter() - started
            told = OptimizerStep(
                part=self.name,
                step=step + 1,
                steps=len(order),
                loss=loss,
                right=right,
                learning_rate=rate(step, len(order), self.training),
                tokens=sum(len(self.rows.tokens[i]) for i in order[step]),
                seconds=seconds,
                memory_mb=_memory_mb(),
            )
            checkpoint.note(told.model_dump_json())
            tell(told)
            checkpoint.keep(model, optimizer, losses, seconds)
        return losses, time.perf_counter() - started

    def _order(self) -> Iterator[list[int]]:
        """The rows of each step."""
        lengths = [len(each) for each in self.rows.tokens]
        for epoch in range(self.training.epochs):
            rng = random.Random(f"{self.training.seed}/{self.name}/{epoch}")
            yield from batches(lengths, self.training.batch, rng)

    def _step(self, model: Any, labels: list[int], rows: list[int]) -> tuple[float, float]:
        """Gradients of one batch, in passes that fit into memory; its loss, and the share that it got right."""
        import torch

        loss, right = 0.0, 0
        size = self.training.rows_at_once or (len(rows) if model.device.type == "cuda" else ROWS_ON_CPU)
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            logits = label_logits(model, labels, [self.rows.tokens[i] for i in some], self.tokenizer.pad_token_id)
            wanted = torch.tensor([self.rows.labels[i] for i in some], device=logits.device)
            part = torch.nn.functional.cross_entropy(logits, wanted, reduction="sum") / len(rows)
            part.backward()
            loss += float(part.detach())
            right += int((logits.argmax(dim=1) == wanted).sum())
        if loss != loss or loss == float("inf"):
            raise InputError(f"the loss of '{self.name}' is no longer a number; train with a lower --learning-rate.")
        return loss, right / len(rows)


def rate(step: int, steps: int, training: Training) -> float:
    """Learning rate of a step: it rises over the warm-up, then falls to zero."""
    rising = max(round(training.warmup * steps), 1)
    share = (step + 1) / rising if step < rising else (steps - step) / max(steps - rising, 1)
    return training.learning_rate * share


def _memory_mb() -> int:
    import resource

    import torch

    if torch.cuda.is_available():
        return int(torch.cuda.max_memory_allocated() // 2**20)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _write(folder: Path, content: Generative) -> None:
    """`model.json` for use in this process, and `served.json` for adapters that an endpoint serves by these names."""
    name = folder.resolve().name
    served = ServedDescription(
        state=ServedPart(model=f"{name}-state", classes=content.state.classes),
        screen=ServedPart(model=f"{name}-screen", classes=content.screen.classes),
        max_tokens=content.max_tokens,
        trained_on=content.trained_on,
    )
    write_atomically(folder / "served.json", served.model_dump_json(indent=1).encode())
    write_atomically(folder / "model.json", content.model_dump_json(indent=1).encode())

"""A trained generative model in this process: its base loaded once, both adapters on it, states in batches."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from maxcode.core import Cost, Frozen, InputError, content_hash
from maxcode.evaluate.gpu import Device, gpu_reserved
from maxcode.search.values import Scored
from maxcode.train.base import load_base, merged
from maxcode.train.value.reading import batches, encode, label_logits, label_tokens
from maxcode.train.value.settings import Training
from maxcode.value.classes import LABELS, Classes, expected_class
from maxcode.value.model import ModelReader
from maxcode.value.state import State

PartName = Literal["state", "screen"]
TOKENS_AT_ONCE = {"cuda": 65_536, "cpu": 2048}
MOST_ROWS = 64
_LOADING = threading.Lock()
"""Lock for loading: parallel searches wait for the one that loads, instead of loading again."""


class Part(Frozen):
    """One of the two adapters."""

    classes: Classes
    rows: int
    """Number of rows that it was trained on."""
    cut: int
    """Number of those rows that were longer than the model may read."""
    steps: int
    loss: float
    """Mean loss of the last tenth of the steps."""
    seconds: float


class Generative(Frozen):
    """Content of a generative model's `model.json`."""

    kind: Literal["generative"] = "generative"
    base: str
    max_tokens: int
    samples: int | None = None
    temperature: float = 0.7
    trained_on: tuple[str, ...]
    training: Training | None = None
    """How it was trained; `value refine` does the same again."""
    state: Part
    screen: Part


@dataclass(frozen=True)
class Loaded:
    model: Any
    tokenizer: Any
    labels: list[int]
    turn: threading.Lock
    """Lock held while an adapter is active: the one model has one active adapter at a time."""


@lru_cache(maxsize=2)
def _loaded(folder: str, base: str, stamp: float) -> Loaded:
    """Loads a model once per process. A new `stamp` loads it again: the model was trained anew."""
    from peft import PeftModel

    del stamp
    model, tokenizer = load_base(base)
    names: tuple[PartName, PartName] = ("state", "screen")
    adapted = PeftModel.from_pretrained(merged(model), f"{folder}/{names[0]}", adapter_name=names[0])
    adapted.load_adapter(f"{folder}/{names[1]}", adapter_name=names[1])
    return Loaded(adapted.eval(), tokenizer, label_tokens(tokenizer), threading.Lock())


@dataclass(frozen=True)
class GenerativeModel:
    folder: Path
    name: PartName
    content: Generative

    @property
    def reads(self) -> Literal["text"]:
        return "text"

    def scores(self, rows: Sequence[State]) -> list[float]:
        return list(self._read(rows).scores)

    async def scored(self, rows: Sequence[State]) -> Scored:
        return await asyncio.to_thread(self._read, rows)

    def _read(self, rows: Sequence[State]) -> Scored:
        stamp = (self.folder / "model.json").stat().st_mtime
        with _LOADING:
            loaded = _loaded(str(self.folder), self.content.base, stamp)
        encoded = encode(loaded.tokenizer, rows, self.content.max_tokens)
        with loaded.turn, gpu_reserved(device_of(loaded)):  # a kernel being timed needs the GPU alone
            loaded.model.set_adapter(self.name)
            found = probabilities(loaded, [each.tokens for each in encoded], self._heat())
        part = self.content.state if self.name == "state" else self.content.screen
        expected = [self._said(shares, row) for shares, row in zip(found, rows, strict=True)]
        cost = Cost(prompt_tokens=sum(len(each.tokens) for each in encoded), completion_tokens=len(encoded))
        return Scored(scores=tuple(map(part.classes.value, expected)), cost=cost)

    def _heat(self) -> float:
        return self.content.temperature if self.content.samples else 1.0

    def _said(self, shares: list[float], row: State) -> float:
        """The expected class; or the mean of samples, the same for the same state."""
        if self.content.samples is None:
            return expected_class(shares)
        rng = random.Random(content_hash("sample", row.text, repr((row.u, row.depth))))
        drawn = rng.choices(range(len(LABELS)), weights=shares, k=self.content.samples)
        return sum(drawn) / len(drawn)


def device_of(loaded: Loaded) -> Device:
    return "cuda" if loaded.model.device.type == "cuda" else "cpu"


def probabilities(loaded: Loaded, rows: Sequence[list[int]], temperature: float = 1.0) -> list[list[float]]:
    """Probabilities of the five labels, for each row."""
    import torch

    found: dict[int, list[float]] = {}
    device = device_of(loaded)
    longest = max(map(len, rows), default=1)
    size = max(1, min(MOST_ROWS, TOKENS_AT_ONCE[device] // longest))
    with torch.inference_mode():
        for some in batches([len(row) for row in rows], size):
            logits = label_logits(loaded.model, loaded.labels, [rows[i] for i in some], loaded.tokenizer.pad_token_id)
            shares = (logits / temperature).softmax(dim=1).cpu().tolist()
            found |= dict(zip(some, shares, strict=True))
    return [found[i] for i in range(len(rows))]


def read_generative(content: dict[str, Any], folder: Path) -> tuple[GenerativeModel, GenerativeModel]:
    """Both models of a folder; their weights are read when they are first asked."""
    known = Generative.model_validate(content)
    for name in ("state", "screen"):
        if not (folder / name / "adapter_config.json").is_file():
            raise InputError(f"{folder}: the adapter '{name}' is missing; `maxcode value train --base` makes it.")
    return GenerativeModel(folder, "state", known), GenerativeModel(folder, "screen", known)


GENERATIVE = ModelReader(lambda content, path, _: read_generative(content, path.parent))
"""Entry of the table of value models, which our own pyproject.toml adds as any package would."""

"""States as tokens, and what a causal language model says about them: logits of the five labels and nothing else."""

from __future__ import annotations

import inspect
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from maxcode.core import InputError
from maxcode.value.classes import LABELS
from maxcode.value.prompt import body, question
from maxcode.value.state import State

POOL = 16
"""Batches whose rows are sorted by length together: less padding, and still mixed."""


@dataclass(frozen=True)
class Encoded:
    """A prompt as tokens."""

    tokens: list[int]
    cut: bool
    """Whether its beginning was lost."""


def label_tokens(tokenizer: Any) -> list[int]:
    """The token of each label, as it comes after a prompt."""
    found = [tokenizer(label, add_special_tokens=False)["input_ids"][-1:] for label in LABELS]
    ids = [each[0] for each in found if each]
    if len(set(ids)) < len(LABELS) or any(
        tokenizer.decode([token]).strip() != label for token, label in zip(ids, LABELS, strict=True)
    ):
        raise InputError("--base: this model's tokenizer has no single tokens for the digits 0 to 4; use another base.")
    return ids


def encode(tokenizer: Any, states: Sequence[State], max_tokens: int) -> list[Encoded]:
    """Prompts of at most `max_tokens` tokens: the whole question, and as much of the end of the state as fits."""
    if not states:
        return []
    start = list(tokenizer("")["input_ids"])  # what this model wants before any text, if anything
    asked = tokenizer([question(state) for state in states], add_special_tokens=False)["input_ids"]
    read = tokenizer([body(state) for state in states], add_special_tokens=False)["input_ids"]
    encoded = []
    for end, text in zip(asked, read, strict=True):
        room = max(max_tokens - len(start) - len(end), 0)
        encoded.append(Encoded(start + text[max(len(text) - room, 0) :] + end, cut=len(text) > room))
    return encoded


def batches(lengths: Sequence[int], size: int, rng: random.Random | None = None) -> list[list[int]]:
    """Indices in batches of similar length: shuffled with `rng`, as for training; without it, longest first."""
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    if rng is None:
        return [order[i : i + size] for i in range(0, len(order), size)]
    rng.shuffle(order)
    found = []
    for start in range(0, len(order), POOL * size):
        pool = sorted(order[start : start + POOL * size], key=lambda i: lengths[i])
        found += [pool[i : i + size] for i in range(0, len(pool), size)]
    rng.shuffle(found)
    return found


def label_logits(model: Any, labels: Sequence[int], rows: Sequence[Sequence[int]], padding: int) -> Any:
    """Logits of the labels after each row, in single precision; rows are padded on their left."""
    import torch

    longest = max(map(len, rows))
    tokens = torch.full((len(rows), longest), padding, dtype=torch.long)
    mask = torch.zeros_like(tokens)
    for i, row in enumerate(rows):
        tokens[i, longest - len(row) :] = torch.tensor(row)
        mask[i, longest - len(row) :] = 1
    tokens, mask = tokens.to(model.device), mask.to(model.device)
    places = (mask.cumsum(1) - 1).clamp(min=0)
    wanted = {"position_ids": places, "logits_to_keep": 1, "use_cache": False}
    accepted = inspect.signature(plain_model(model).forward).parameters
    extra = {name: value for name, value in wanted.items() if name in accepted}
    logits = model(input_ids=tokens, attention_mask=mask, **extra).logits
    return logits[:, -1, list(labels)].float()


def plain_model(model: Any) -> Any:
    """The base model below the adapters."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model

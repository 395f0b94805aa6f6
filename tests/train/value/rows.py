"""Rows that a language model can learn from: the class is in the text."""

from __future__ import annotations

import math
from typing import Literal

from maxcode.train.value.settings import Training
from maxcode.value.data import StateRow


def row(
    number: int, *, masked: bool, split: Literal["train", "held-out"] = "train", text: str | None = None
) -> StateRow:
    label = number % 5
    reward = 0.0 if label == 0 else math.exp(0.2 * label)
    return StateRow(
        task=f"t-{number % 3 + (10 if split == 'held-out' else 0):03}",
        masked=masked,
        depth=1,
        u=1.0,
        reward=None if masked else 1.0,
        features={},
        text=f"state {number}: {'abcde'[label] * 60}" if text is None else text,
        run="r",
        node=number,
        siblings=f"r/{number // 5}",
        policy="p",
        strategy="paths",
        source="single-path",
        after=(reward,) * 3,
        future_equal=reward,
        label=label,
        split=split,
    )


def rows(count: int = 8) -> list[StateRow]:
    """So many states and so many proposals to learn from, and five of each that are held out."""
    found = [row(i, masked=masked) for masked in (False, True) for i in range(count)]
    return found + [row(i, masked=masked, split="held-out") for masked in (False, True) for i in range(5)]


QUICK = Training(base="tiny", learning_rate=1e-2, epochs=6, batch=4, max_tokens=400, warmup=0.0)

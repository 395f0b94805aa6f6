"""A kernel task in words, for prompts."""

from __future__ import annotations

from maxcode.kinds.kernel.table import Kernel
from maxcode.task.model import Task


def words(task: Task) -> dict[str, str]:
    kernel = task.table(Kernel)
    return {
        "signature": kernel.signature,
        "error": f"Results may differ by a relative error of {kernel.tolerance.relative:g} (reordered sums are fine).",
        "shapes": "; ".join(", ".join(f"{k}={v}" for k, v in sizes.items()) for sizes in kernel.shapes.timed),
    }

"""A kernel task in words, for prompts."""

from __future__ import annotations

from maxcode.kinds.kernel.table import Kernel, entry
from maxcode.task.kind import EntryPoint
from maxcode.task.model import Task


def words(task: Task) -> dict[str, str]:
    kernel = task.table(Kernel)
    return {
        "signature": kernel.signature,
        "error": f"Results may differ by a relative error of {kernel.tolerance.relative:g} (reordered sums are fine).",
        "work": _work(entry(task)),
        "shapes": "; ".join(", ".join(f"{k}={v}" for k, v in sizes.items()) for sizes in kernel.shapes.timed),
    }


def _work(called: EntryPoint) -> str:
    """What the timed calls do at least, for estimates of what limits them."""
    work = f"read and write {called.moved / 1e6:.3g} MB of arguments"
    if called.operations is not None:
        work = f"do {called.operations / 1e6:.4g} million floating-point operations and {work}"
    return f"One pass over these sizes has to {work}."

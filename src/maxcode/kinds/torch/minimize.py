"""Minimizing the diff of a torch model: its winner is never put in the original's place.

The original runs in the harness, unconfined, and a winner is a program that nobody has read. So trials are timed
against the original, and what they keep of the winner's speed follows from the two speedups.
"""

from __future__ import annotations

from maxcode.core import Outcome, Verdict
from maxcode.evaluate.gpu import device_of
from maxcode.kinds.torch.problem import scaled, with_constants
from maxcode.kinds.torch.table import Constants, Torch
from maxcode.task.model import Task

FACTORS = (0.25, 4.0)
"""Of the elements of all inputs, for sizes that no search saw."""


def beside_winner(outcome: Outcome, speedup: float) -> Outcome:
    """What was timed against the original, as if it had been timed against a winner of this speedup."""
    m = outcome.measurement
    if m is None:
        return outcome
    relative = {name: getattr(m, name) / speedup for name in ("speedup", "ci_low", "ci_high")}
    verdict = Verdict.SLOWER if relative["speedup"] < 1 else Verdict.TIE
    return outcome.model_copy(update={"measurement": m.model_copy(update={**relative, "verdict": verdict})})


def sizes_of_models(task: Task, settings: Torch) -> list[tuple[Constants, dict[str, Constants]]]:
    """Constants that make inputs smaller and larger, and the change of `[torch]` by which they are used."""
    on_cpu = device_of(task) == "cpu"
    usual = settings.constants | (settings.constants_cpu if on_cpu else {})
    text = with_constants(task.read(task.main_file), usual)
    changes = [scaled(text, factor) for factor in FACTORS]
    field = "constants_cpu" if on_cpu else "constants"
    return [(change, {field: usual | change}) for change in changes if change]

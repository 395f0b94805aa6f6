"""A problem brought to a size at which it runs here and a call is not too dear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from maxcode.evaluate.pytorch.tryout import Tried, Tryouts
from maxcode.task.problem import constants, elements, extra_shapes, variants, with_constants
from maxcode.task.torch import Constants

CPU_ELEMENTS = 1 << 20
"""Of inputs, and about as many of outputs, where there is no GPU and no scale is given."""
CPU_SECONDS = 0.25
"""A call that takes longer makes every evaluation dear."""
SMALLER = (1, 1 / 4, 1 / 16, 1 / 64)


class DoesNotRun(Exception):
    """A problem that works at no size that was tried; says why in one line."""


@dataclass(frozen=True)
class Sized:
    text: str
    changed: Constants
    """What differs from the original."""
    tried: Tried
    fits: bool
    """Whether a call is as cheap as it should be."""
    wanted: bool
    """Whether it is of the size that was asked for; not so where its sizes cannot be changed."""

    def in_words(self, original: str) -> str:
        before = constants(original)
        return ", ".join(f"{name} = {value} (was {before[name]})" for name, value in self.changed.items())


def brought_to_size(text: str, tryouts: Tryouts, scale: float | None = None) -> Sized:
    """At so many times as many elements of inputs; without a scale: as it is on CUDA, about a million on a CPU."""
    failed, last = None, None
    for factor in _factors(text, tryouts, scale):
        for changed in variants(text, factor) or ({},):
            sized = with_constants(text, changed)
            tried = tryouts.run(sized)
            failed = failed or tried.problem
            if tried.problem is None:
                fits = scale is not None or tryouts.device == "cuda" or _is_cheap(tried)
                last = Sized(sized, changed, tried, fits, bool(changed) or factor == 1)
                break
        if last and last.fits:
            break
    if last is None:
        raise DoesNotRun(f"does not run: {failed}{_advice(failed or '')}")
    _check(last.tried)
    return last


def further_shapes(text: str, tryouts: Tryouts) -> list[Constants]:
    """Other sizes at which it runs too."""
    return [each for each in extra_shapes(text) if tryouts.run(with_constants(text, each)).problem is None]


def _factors(text: str, tryouts: Tryouts, scale: float | None) -> Iterator[float]:
    if scale is not None or tryouts.device == "cuda":
        yield scale or 1.0
        return
    first = min(1.0, CPU_ELEMENTS / max(elements(text), 1))
    yield from (first * each for each in SMALLER)


def _is_cheap(tried: Tried) -> bool:
    return tried.seconds <= CPU_SECONDS and tried.inputs + tried.outputs <= 4 * CPU_ELEMENTS


def _advice(problem: str) -> str:
    return "; it may run at smaller sizes" if "memory" in problem or "takes more than" in problem else ""


def _check(tried: Tried) -> None:
    if not tried.steady:
        raise DoesNotRun("gives something else each time for the same input: there is nothing to compare with")
    if tried.answers == "same":
        raise DoesNotRun("gives the same for all inputs: a program which computes nothing would be right")

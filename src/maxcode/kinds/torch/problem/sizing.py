"""Brings a problem to a size at which it runs here and a call does not take too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from maxcode.kinds.torch.problem.problem import constants, elements, extra_shapes, variants, with_constants
from maxcode.kinds.torch.problem.tryout import TryoutResult, Tryouts
from maxcode.kinds.torch.table import Constants

CPU_ELEMENTS = 1 << 20
"""Elements of inputs, and about as many of outputs, where there is no GPU and no scale is given."""
CPU_SECONDS = 0.25
"""Seconds of a call on a CPU above which smaller sizes are tried: every evaluation makes many calls."""
SMALLER = (1, 1 / 4, 1 / 16, 1 / 64)


class DoesNotRun(Exception):
    """A problem that works at no size that was tried; says why in one line."""


@dataclass(frozen=True)
class Sized:
    text: str
    changed: Constants
    """Constants that differ from the original's."""
    tried: TryoutResult
    factor: float
    """Requested multiple of the original's number of elements."""

    def remarks(self, original: str, scale: float | None) -> Iterator[str]:
        """Remarks for the user about the size that was chosen."""
        if self.changed:
            yield f"sizes: {self.in_words(original)}"
        elif self.factor < 1:
            yield "its sizes are no constants at module level that could be changed: it stays as it is"
        if scale is not None and self.factor > scale < 1:
            yield f"it does not run at {scale:g} times the size, but at {self.factor:.2g} times"
        if scale is None and self.tried.device == "cpu" and not _is_cheap(self.tried):
            yield f"one call takes {self.tried.seconds:.2g} s, and it cannot be made much smaller"

    def in_words(self, original: str) -> str:
        before = constants(original)
        return ", ".join(f"{name} = {value} (was {before[name]})" for name, value in self.changed.items())


def brought_to_size(text: str, tryouts: Tryouts, scale: float | None = None) -> Sized:
    """The problem with about `scale` times as many elements of inputs.

    Without a scale it is unchanged on CUDA and has about a million elements on a CPU, or fewer where a call takes too
    long. It is made larger where it does not run at that size. DoesNotRun if no size works.
    """
    first, *smaller = _factors(text, tryouts, scale)
    failures: list[str] = []
    found: Sized | None = None
    for factor in _upwards(first):
        found = _at(text, tryouts, factor, failures)
        if found or _takes_too_long(failures[-1]):
            break
    if found is None:
        raise DoesNotRun(f"does not run: {_telling(failures)}")
    for factor in smaller:
        if _is_cheap(found.tried):
            break
        found = _at(text, tryouts, factor, failures) or found
    _check(found.tried)
    return found


def _at(text: str, tryouts: Tryouts, factor: float, failures: list[str]) -> Sized | None:
    """First variant of that size that runs; None if none does, with the reasons added to `failures`."""
    for changed in variants(text, factor) or ({},):
        sized = with_constants(text, changed)
        tried = tryouts.run(sized)
        if tried.problem is None:
            return Sized(sized, changed, tried, factor)
        failures.append(tried.problem)
        if _takes_too_long(tried.problem):
            break  # the next variants are no smaller
    return None


def _upwards(factor: float) -> Iterator[float]:
    yield factor
    while factor < 1:
        factor = min(4 * factor, 1.0)
        yield factor


def further_shapes(text: str, tryouts: Tryouts) -> list[Constants]:
    """Other shapes at which the problem runs too."""
    return [each for each in extra_shapes(text) if tryouts.run(with_constants(text, each)).problem is None]


def _factors(text: str, tryouts: Tryouts, scale: float | None) -> list[float]:
    """The wanted multiple of elements, then smaller ones to try as long as a call takes too long."""
    if scale is not None or tryouts.device == "cuda":
        return [scale or 1.0]
    wanted = min(1.0, CPU_ELEMENTS / max(elements(text), 1))
    return [wanted * each for each in SMALLER]


def _is_cheap(tried: TryoutResult) -> bool:
    return tried.seconds <= CPU_SECONDS and tried.inputs + tried.outputs <= 4 * CPU_ELEMENTS


def _takes_too_long(problem: str) -> bool:
    return problem.startswith("takes more than")


def _telling(failures: list[str]) -> str:
    """The failure to report: the last, of the problem at its own size. If that is about memory, the first."""
    last = failures[-1]
    told = failures[0] if "memory" in last else last
    if "memory" in told or _takes_too_long(told):
        return f"{told}; it may run at smaller sizes, given by constants of the file"
    return told


def _check(tried: TryoutResult) -> None:
    if not tried.steady:
        raise DoesNotRun(
            "gives something else each time for the same input: there is nothing to compare with. Take random numbers "
            "(dropout, noise) out of forward"
        )
    if tried.inputs and tried.draws == "same":
        raise DoesNotRun("get_inputs gives the same each time; take torch.manual_seed, or what else fixes it, out")
    if tried.answers == "same":
        raise DoesNotRun("gives the same for all inputs: a program which computes nothing would be right")

"""Trials that a candidate is verified by: secret seeds for weights and inputs, other values, other shapes."""

from __future__ import annotations

import random
import secrets
import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

import torch
from torch.linalg import vector_norm

from maxcode.core import InputError
from maxcode.kinds.torch.harness.values import tensors_in
from maxcode.kinds.torch.harness.weights import fixed_weights, give, other_values

AS_GIVEN = "inputs as the problem makes them"
SIGNED = "values of both signs"
"""Values that are always tried. With positive inputs alone, an activation could be left out and errors of half
precision cancel."""

SMALLER = 0.7, 1.0


@dataclass(frozen=True)
class Trial:
    problem: int
    """Index of the problem's sizes; 0 are those that are timed."""
    weights: int
    inputs: int
    values: str
    other_weights: bool = True
    """True if weights that are the same after every construction get other values."""

    def in_words(self, sizes: str, *, other_weights: bool = False) -> str:
        words = f"trial with {self.values}"
        if other_weights:
            words += " and weights other than those of construction"
        return f"{words} at {sizes}" if self.problem else words


def plan(seed: int, trials: int, variants: int, *, distributions: bool) -> list[Trial]:
    """Trials from a secret seed; the same seed gives the same trials.

    Other values come with the weights of the trial before them: some models take seconds to construct.
    """
    rng = random.Random(seed)

    def trial(problem: int, values: str, *, other_weights: bool = True) -> Trial:
        return Trial(problem, rng.getrandbits(40), rng.getrandbits(40), values, other_weights)

    found = [trial(0, AS_GIVEN, other_weights=i > 0 or trials == 1) for i in range(trials)]
    found += [trial(i, AS_GIVEN) for i in range(1, variants)]
    if distributions:
        names = (SIGNED, rng.choice(sorted(VALUES.keys() - {SIGNED})))
        weights = found[trials - 1].weights if trials > 1 else rng.getrandbits(40)
        found = found[:trials] + [replace(trial(0, name), weights=weights) for name in names] + found[trials:]
    return found


class LoadedProblem:
    """A problem file that has been executed, in the harness or where a candidate is called without being judged."""

    def __init__(self, text: str, where: str, device: str) -> None:
        self._where, self._device = where, device
        self._names: dict[str, Any] = {"__name__": "problem"}
        try:
            exec(compile(text, where, "exec"), self._names)
        except Exception as error:
            raise InputError(f"{where}: cannot be executed: {type(error).__name__}: {error}") from None

    def init(self) -> list[Any]:
        return list(self._call("get_init_inputs", self._names["get_init_inputs"]))

    def model(self, seed: int) -> Any:
        """The original, constructed as a candidate's model is: on the CPU, from the seed, then moved to the device."""
        init = self.init()
        torch.manual_seed(seed)
        return self._call("Model", lambda: self._names["Model"](*init).to(self._device))

    @cached_property
    def fixed(self) -> dict[str, Any]:
        """Initial values of the weights that do not depend on the seed."""
        found = fixed_weights(self.model(1))
        again = fixed_weights(self.model(2), found) if found else {}
        return {name: each for name, each in found.items() if name in again and torch.equal(each, again[name])}

    @cached_property
    def varied(self) -> dict[str, Any]:
        """Weights of `fixed` that get other values: all, or none if results are not finite with other values."""
        if not self.fixed:
            return {}
        model, inputs = self.model(1), self.inputs(1)
        give(model, other_values(self.fixed, 1))
        with torch.no_grad():
            return self.fixed if all_finite(self.called(model, inputs)) else {}

    def other_weights(self, seed: int) -> dict[str, Any]:
        return other_values(self.varied, seed)

    def inputs(self, seed: int | None, values: str = AS_GIVEN) -> list[Any]:
        """Inputs, drawn on the device itself where the problem allows it.

        Without a seed, the next ones of the current generator.
        """
        if seed is not None:
            torch.manual_seed(seed)
        made = self._call("get_inputs", self._drawn)
        moved = [_moved(each, self._device) for each in made]
        return moved if values == AS_GIVEN else [_changed(each, VALUES[values]) for each in moved]

    def _drawn(self) -> list[Any]:
        if self._device != "cpu":
            try:
                with torch.device(self._device):
                    return list(self._names["get_inputs"]())
            except RuntimeError:
                pass  # some problems mix devices under a default device
        return list(self._names["get_inputs"]())

    def _call(self, what: str, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except torch.OutOfMemoryError:
            raise  # the candidate may have caused it
        except Exception as error:
            raise self.failure(what, error) from None

    def failure(self, what: str, error: Exception) -> InputError:
        """Error for the problem's author, with the last line of the file that was reached."""
        lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == self._where]
        place = f" at line {lines[-1]}" if lines else ""
        return InputError(f"{self._where}: {what} fails{place}: {type(error).__name__}: {error}")

    def called(self, model: Any, inputs: list[Any]) -> Any:
        return self._call("Model on its own inputs", lambda: model(*inputs))


def _moved(value: Any, device: str) -> Any:
    """The value on the device.

    Expanded tensors become full ones: elements that share memory cannot be written one by one.
    """
    if not isinstance(value, torch.Tensor):
        return value
    shared = any(stride == 0 and size > 1 for stride, size in zip(value.stride(), value.shape, strict=True))
    return value.to(device).contiguous() if shared else value.to(device)


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return change(value).to(value.dtype)
    return value


def can_vary(inputs: list[Any]) -> bool:
    """True if `variation` changes every tensor and keeps its kind. If not, inputs must be drawn for each call."""
    return all(_can_blend(each) for each in inputs if list(tensors_in(each)))


def _can_blend(value: Any) -> bool:
    """True for tensors of finite fractions.

    Indices, masks and tensors within lists would stay recognisable or become invalid.
    """
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or not value.isfinite().all():
        return False
    return value.numel() == 0 or bool(value.min() == value.max()) or not torch.equal(value, value.round())


def variation(drawn: Collection[list[Any]]) -> list[Any]:
    """Other inputs of the same kind, faster than by drawing: two draws, mixed element by element by fresh noise.

    Nothing in them repeats. What is known about a part of the draws, even up to a factor, says nothing about a mixture.
    """
    rng = random.Random(secrets.randbits(128))
    return [_blended(each, rng) if isinstance(each[0], torch.Tensor) else each[0] for each in zip(*drawn, strict=True)]


def _blended(tensors: Sequence[Any], rng: random.Random) -> Any:
    """A mixture of two tensors, between the two at each place, scaled down a little.

    Ranges and zeros that all draws share stay.
    """
    first, second = rng.sample(tensors, 2) if len(tensors) > 1 else (tensors[0], tensors[0])
    shares = _noise(first.numel(), rng).to(first.dtype).mul_(1 / 255).view(first.shape)
    return torch.lerp(first, second, shares, out=torch.empty_like(first)).mul_(rng.uniform(*SMALLER))


def _noise(count: int, rng: random.Random) -> Any:
    """Random bytes, drawn eight at a time, which is the fastest way that torch has."""
    source = torch.Generator().manual_seed(rng.getrandbits(63))
    eights = torch.empty(-(-count // 8), dtype=torch.int64).random_(-(2**63), None, generator=source)
    return eights.view(torch.uint8)[:count]


def _within_unit(x: Any) -> bool:
    return bool(x.min() >= 0) and bool(x.max() <= 1)


def _smaller(x: Any) -> Any:
    return x * x if _within_unit(x) else x * 0.05


def _sparse(x: Any) -> Any:
    return x * (torch.rand(x.shape, device=x.device) < 0.5)


def _signed(x: Any) -> Any:
    return 2 * x - 1 if _within_unit(x) else -2 * x


def _mirrored(x: Any) -> Any:
    return 1 - x if _within_unit(x) else -x


def _shifted(x: Any) -> Any:
    return 0.5 + x / 2 if _within_unit(x) else x + 1.5


VALUES: dict[str, Callable[[Any], Any]] = {
    SIGNED: _signed,
    "small values": _smaller,
    "many zeros": _sparse,
    "mirrored values": _mirrored,
    "shifted values": _shifted,
}


def all_finite(result: Any) -> bool:
    """True if all floating-point results are finite."""
    numbers = (each for each in tensors_in(result) if each.is_floating_point() and each.numel())
    return all(bool(vector_norm(each, inf).isfinite()) for each in numbers)  # unlike isfinite(), takes no memory

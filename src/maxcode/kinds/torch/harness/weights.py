"""Weights that are the same after every construction, such as the ones and zeros of norms, and other values for them.

A candidate that is verified and timed with their initial values need not use them at all. So both sides get other
values.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Any

import torch

SCALE, SHIFT = (0.5, 1.5), 0.5
"""Other values of a weight: a multiple of its own in this range, or for zeros a number around zero, for a vector up to
this size."""


def fixed_weights(model: Any, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Weights (of these names, if given) that can be loaded and hold hardly any information.

    These are parameters that hold few numbers, such as one number and zeros in a unit matrix, and buffers that hold one
    number. Other buffers, such as masks and tables, are part of the model's definition.
    """
    parameters, buffers = dict(model.named_parameters()), dict(model.named_buffers())
    loaded = model.state_dict().keys()
    found = {name: each.detach() for name, each in parameters.items() if _has_few_values(each.detach(), zeros=True)}
    found |= {name: each for name, each in buffers.items() if name in loaded and _has_few_values(each, zeros=False)}
    return {name: each for name, each in found.items() if names is None or name in names}


def _has_few_values(tensor: Any, *, zeros: bool) -> bool:
    usable = tensor.is_floating_point() and tensor.layout is torch.strided and tensor.numel() > 0
    if not usable or not bool(tensor.isfinite().all()):
        return False
    least, most = tensor.min(), tensor.max()
    if not zeros:
        return bool(least == most)
    return bool(((tensor == least) | (tensor == most) | (tensor == 0)).all())


def other_values(fixed: dict[str, Any], seed: int) -> dict[str, Any]:
    """Other values for the weights, from a seed. Signs stay, so that variances are positive."""
    source = torch.Generator().manual_seed(seed)
    return {name: _other(each, torch.rand(each.shape, generator=source).to(each)) for name, each in fixed.items()}


def _other(tensor: Any, share: Any) -> Any:
    low, high = SCALE
    summands = tensor.numel() / tensor.shape[0] if tensor.dim() > 1 else 1
    around_zero = (2 * share - 1) * (SHIFT / sqrt(summands))
    return torch.where(tensor == 0, around_zero, tensor * (low + (high - low) * share))


def give(model: Any, values: dict[str, Any]) -> None:
    """Copies values into the model's parameters and buffers of the same names."""
    own = dict(model.named_parameters()) | dict(model.named_buffers())
    with torch.no_grad():
        for name, value in values.items():
            own[name].copy_(value.view(own[name].shape))


def counterparts(fixed: dict[str, Any], state: dict[str, Any]) -> dict[str, str]:
    """Names of these weights in another model.

    Those with other names are found by their size and initial values, in order. A wrong guess does no harm: results
    must be right with the values that are loaded.
    """
    found = {name: name for name, each in fixed.items() if name in state and _begin_alike(each, state[name])}
    spare = [name for name in state if name not in fixed]
    for name, each in fixed.items():
        if name not in found:
            match = next((other for other in spare if _begin_alike(each, state[other])), None)
            if match is not None:
                found[name] = match
                spare.remove(match)
    return found


def _begin_alike(a: Any, b: Any) -> bool:
    same_kind = a.dtype == b.dtype and a.numel() == b.numel()
    return same_kind and bool(torch.equal(a.reshape(-1), b.reshape(-1)))

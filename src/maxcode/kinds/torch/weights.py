"""Weights that are the same after every construction (ones, zeros: those of norms). Verified and timed as they begin,
they need not be used at all; so both sides are given others."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Any

import torch

SCALE, SHIFT = (0.5, 1.5), 0.5
"""What other values are: so many times the one before, or around zero, up to so much for a vector."""


def fixed_weights(model: Any, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Weights (of these names) that can be loaded and have hardly a value of their own: parameters that hold one number
    and zeros, such as a unit matrix, and buffers that hold one number. Masks and tables are what a model is."""
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
    """Signs stay as they are, so that variances are positive."""
    source = torch.Generator().manual_seed(seed)
    return {name: _other(each, torch.rand(each.shape, generator=source).to(each)) for name, each in fixed.items()}


def _other(tensor: Any, share: Any) -> Any:
    low, high = SCALE
    summands = tensor.numel() / tensor.shape[0] if tensor.dim() > 1 else 1
    around_zero = (2 * share - 1) * (SHIFT / sqrt(summands))
    return torch.where(tensor == 0, around_zero, tensor * (low + (high - low) * share))


def give(model: Any, values: dict[str, Any]) -> None:
    """Puts values in the place of a model's own, of the same names."""
    own = dict(model.named_parameters()) | dict(model.named_buffers())
    with torch.no_grad():
        for name, value in values.items():
            own[name].copy_(value.view(own[name].shape))


def counterparts(fixed: dict[str, Any], state: dict[str, Any]) -> dict[str, str]:
    """What another model calls these weights. Under other names they are known by their size and by how they begin, in
    order: no harm is done by a wrong guess, since results must be right with the values that are given."""
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

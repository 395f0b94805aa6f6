"""Sizes of a problem's call, computed without its memory and without a GPU.

The problem runs on torch's fake tensors, which have shapes and no elements. What a library takes for itself while a
call runs is not seen.
"""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from maxcode.kinds.torch.problem.memory import Footprint


class Unknown(Exception):
    """A problem whose sizes cannot be computed without running it; says why in one line."""


def footprint(text: str) -> Footprint:
    """Sizes of a call of the problem. Unknown where it needs values of tensors, or what is not installed."""
    names: dict[str, Any] = {"__name__": "problem"}
    try:
        exec(compile(text, "problem.py", "exec"), names)
        with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad():
            model, inputs = names["Model"](*names["get_init_inputs"]()), names["get_inputs"]()
            with _Peak() as peak:
                outputs = model(*inputs)
            weights = [*model.parameters(), *model.buffers()] if isinstance(model, torch.nn.Module) else []
            return Footprint(_bytes(inputs), _bytes(outputs), _bytes(weights), peak.most)
    except Exception as error:
        raise Unknown(f"{type(error).__name__}: {' '.join(str(error).split())[:120]}") from None


class _Peak(TorchDispatchMode):  # type: ignore[misc]
    """Counts the bytes of storages that operators make, as long as they live."""

    def __init__(self) -> None:
        super().__init__()
        self._now, self.most = 0, 0
        self._living: set[int] = set()

    def __torch_dispatch__(self, function: Any, types: Any, arguments: tuple[Any, ...] = (), named: Any = None) -> Any:
        result = function(*arguments, **(named or {}))
        for each in tree_leaves(result):
            if isinstance(each, torch.Tensor):
                self._note(each.untyped_storage())
        return result

    def _note(self, storage: Any) -> None:
        key, size = storage._cdata, storage.nbytes()
        if key not in self._living:
            self._living.add(key)
            self._now += size
            self.most = max(self.most, self._now)
            weakref.finalize(storage, self._free, key, size)

    def _free(self, key: int, size: int) -> None:
        self._living.discard(key)
        self._now -= size


def _bytes(value: Any) -> int:
    """Bytes of the storages of a structure's tensors."""
    storages = {
        each.untyped_storage()._cdata: each.untyped_storage() for each in tree_leaves(value) if _is_tensor(each)
    }
    return sum(each.nbytes() for each in storages.values())


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)

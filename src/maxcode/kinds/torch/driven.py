"""One process that the harness drives, and what is known about it: which model it has loaded, from which seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.parcel import Parcel
from maxcode.kinds.torch.reading import sizes_of
from maxcode.kinds.torch.side import Side, Singly
from maxcode.kinds.torch.trials import Problem
from maxcode.kinds.torch.values import Layout, tensors_in
from maxcode.kinds.torch.weights import counterparts

Which = Literal["baseline", "candidate", "again"]
"""Role of a process. `again` is a second process of the original, for measuring noise."""

WORDS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
"""Integer type for each element size in bytes."""


@dataclass
class Driven:
    side: Side
    text: str
    name: str
    compiled: bool
    problem: Problem | None = None
    seed: int = -1
    state: dict[str, Any] = field(default_factory=dict)
    """Weights and buffers as they were before the first call."""
    lacking: tuple[str, ...] = ()
    """Names of the original's weights that get other values in a trial, and that this model has no counterpart of."""

    @property
    def program(self) -> int:
        """Key that is the same for all processes of one program."""
        return hash((self.text, self.name, self.compiled))

    def load(self, problem: Problem, seed: int, model: Any, weights: dict[str, Any] | None = None) -> bool:
        """Constructs the model from the seed and loads `weights` into it. False if it is loaded already.

        Failure if a parameter does not begin with the same values as that of `model`, the original from the same seed.
        """
        if self.problem is problem and self.seed == seed:
            return False
        self.state = self.side.load(self.text, self.name, problem.init(), seed, compiled=self.compiled)
        self.problem, self.seed = problem, seed
        own = dict(model.named_parameters()) | dict(model.named_buffers())
        for name in own.keys() & self.state.keys():
            ours, theirs = own[name].detach(), self.state[name]
            if ours.shape == theirs.shape and ours.dtype == theirs.dtype and not torch.equal(ours, theirs):
                raise Failure(
                    Status.WRONG,
                    f"the initial value of '{name}' differs from the original's at the same seed; create "
                    "parameters as the original does, in the same order",
                )
        self._give(problem, weights or {})
        return True

    def _give(self, problem: Problem, weights: dict[str, Any]) -> None:
        """Loads the weights that the model has counterparts of, and notes the others in `lacking`.

        A missing one may have no effect, as running averages have none on training. If it has one, results will differ.
        """
        named = counterparts({name: problem.fixed[name] for name in weights}, self.state)
        self.lacking = tuple(name for name in weights if name not in named)
        if not named:
            return
        values = {theirs: weights[ours].view(self.state[theirs].shape) for ours, theirs in named.items()}
        self.state = self.side.give(values)
        for name, value in values.items():
            if name not in self.state or not torch.equal(self.state[name], value):
                raise Failure(Status.WRONG, f"the weight '{name}' does not keep a value that is loaded into it")

    def write(self, layout: Layout, data: list[Any], first: int = 0) -> None:
        """Stops the process and writes the inputs of calls to its memory, from slot `first` on."""
        self.side.hold()
        for slot, inputs in enumerate(data, first):
            layout.write(self.side.memory, slot, inputs)

    def one_by_one(
        self, layout: Layout, data: list[Any], *, like: list[Any] | None = None, idle: bool = False
    ) -> Singly:
        """Makes one call for each entry of `data`.

        The inputs of a call are complete when it begins, and those of later calls are not there yet. With `like`, each
        result must have tensors of the same sizes as its counterpart there. With `idle`, the calls do almost nothing,
        which measures what it takes to ask for one.
        """
        self.side.forget()
        parcels = [Parcel(layout, slot, inputs) for slot, inputs in enumerate(data)]
        sizes = [sizes_of(each) for each in like] if like else None
        return self.side.one_by_one(parcels, sizes, idle=idle)

    def refuse_mutation(self, layout: Layout, data: list[Any], where: str) -> None:
        for slot, inputs in enumerate(data):
            theirs = tensors_in(layout.arguments(self.side.memory, slot))
            for number, (ours, other) in enumerate(zip(tensors_in(inputs), theirs, strict=True)):
                if not torch.equal(_bits(ours), _bits(other)):
                    raise Failure(Status.WRONG, f"{where}: input {number} was changed by the call")

    def refuse_changed_weights(self, model: Any, where: str) -> None:
        now = self.side.state()
        fixed = {name for name, _ in model.named_parameters()}
        for name, before in self.state.items():
            if name in fixed and name in now and not torch.equal(now[name], before):
                raise Failure(Status.WRONG, f"{where}: the weight '{name}' was changed by the call")


def _bits(tensor: Any) -> Any:
    """Bits of a floating-point tensor as integers, so that NaN equals itself.

    Tensors that cannot be viewed so are returned.
    """
    whole = tensor.is_floating_point() and tensor.dim() and tensor.stride(-1) == 1
    return tensor.view(WORDS[tensor.element_size()]) if whole else tensor

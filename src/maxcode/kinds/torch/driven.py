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
"""`again`: the original a second time, to find out what the noise is."""

WORDS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
"""Integers by their bytes."""


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
    """The original's weights that were to get other values, and for which it has none."""

    @property
    def program(self) -> int:
        """The same for all processes of one program."""
        return hash((self.text, self.name, self.compiled))

    def load(self, problem: Problem, seed: int, model: Any, weights: dict[str, Any] | None = None) -> bool:
        """Constructs the model from a seed, as ours was, and gives it these weights. False when it is there already."""
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
        """What it lacks may have no effect, as running averages have none on training: calls will show."""
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
        """Puts the inputs of calls where the process will find them, once it is asked for something."""
        self.side.hold()
        for slot, inputs in enumerate(data, first):
            layout.write(self.side.memory, slot, inputs)

    def one_by_one(
        self, layout: Layout, data: list[Any], *, like: list[Any] | None = None, idle: bool = False
    ) -> Singly:
        """A call for each, which sees its inputs when it begins and those of later ones not at all.

        Each result must have the sizes of the one that it is to be like. Idle: calls of almost nothing, to see what it
        takes to ask.
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
    """So that NaN equals itself."""
    whole = tensor.is_floating_point() and tensor.dim() and tensor.stride(-1) == 1
    return tensor.view(WORDS[tensor.element_size()]) if whole else tensor

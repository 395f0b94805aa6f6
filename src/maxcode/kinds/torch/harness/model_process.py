"""One process that the harness drives, and what is known about it: which model it has loaded, from which seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.harness.late_input import LateInput
from maxcode.kinds.torch.harness.reading import sizes_of
from maxcode.kinds.torch.harness.remote_model import RemoteModel
from maxcode.kinds.torch.harness.rounds import Singly
from maxcode.kinds.torch.harness.trials import LoadedProblem
from maxcode.kinds.torch.harness.values import Layout, tensors_in
from maxcode.kinds.torch.harness.weights import counterparts, give

Which = Literal["baseline", "candidate", "again"]
"""Role of a process. `again` is a second process of the original, for measuring noise."""

WORDS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
"""Integer type for each element size in bytes."""


@dataclass
class ModelProcess:
    remote: RemoteModel
    text: str
    name: str
    compiled: bool
    problem: LoadedProblem | None = None
    seed: int = -1
    state: dict[str, Any] = field(default_factory=dict)
    """Weights and buffers as they were before the first call."""
    lacking: tuple[str, ...] = ()
    """Names of the original's weights that get other values in a trial, and that this model has no counterpart of."""

    @property
    def program(self) -> int:
        """Key that is the same for all processes of one program."""
        return hash((self.text, self.name, self.compiled))

    def has(self, problem: LoadedProblem, seed: int) -> bool:
        return self.problem is problem and self.seed == seed

    def load(self, problem: LoadedProblem, seed: int, make: Callable[[], Any], weights: dict[str, Any]) -> Any:
        """Constructs the model from the seed and loads `weights` into it. Returns the original, which `make` makes.

        Both are constructed at the same time. Failure if a parameter does not begin with the same values as the
        original's.
        """
        if self.has(problem, seed):
            return make()
        self.remote.start_loading(self.text, self.name, problem.init(), seed, compiled=self.compiled)
        model = make()
        self.state = self.remote.loaded()
        self.problem, self.seed = problem, seed
        self._refuse_other_weights(model)
        self._give(problem, weights)
        return model

    def _refuse_other_weights(self, model: Any) -> None:
        own = dict(model.named_parameters()) | dict(model.named_buffers())
        for name in own.keys() & self.state.keys():
            ours, theirs = own[name].detach(), self.state[name]
            if ours.shape == theirs.shape and ours.dtype == theirs.dtype and not torch.equal(ours, theirs):
                raise Failure(
                    Status.WRONG,
                    f"the initial value of '{name}' differs from the original's at the same seed; create "
                    "parameters as the original does, in the same order",
                )

    def _give(self, problem: LoadedProblem, weights: dict[str, Any]) -> None:
        """Loads the weights that the model has counterparts of, and notes the others in `lacking`.

        A missing one may have no effect, as running averages have none on training. If it has one, results will differ.
        """
        named = counterparts({name: problem.fixed[name] for name in weights}, self.state)
        self.lacking = tuple(name for name in weights if name not in named)
        if not named:
            return
        values = {theirs: weights[ours].view(self.state[theirs].shape) for ours, theirs in named.items()}
        self.state = self.remote.give(values)
        for name, value in values.items():
            if name not in self.state or not torch.equal(self.state[name], value):
                raise Failure(Status.WRONG, f"the weight '{name}' does not keep a value that is loaded into it")

    def change_weights(self, model: Any, other: Any) -> None:
        """Loads the parameters of `other` into the process and into `model`, where both have them by the same name."""
        new = {name: each.detach() for name, each in other.named_parameters()}
        known = {
            name: each for name, each in new.items() if name in self.state and self.state[name].shape == each.shape
        }
        give(model, known)
        self.state, self.seed = self.remote.give(known), -1

    def write(self, layout: Layout, data: Sequence[Any], first: int = 0) -> None:
        """Stops the process and writes the inputs of calls to its memory, from slot `first` on."""
        self.remote.hold()
        for slot, inputs in enumerate(data, first):
            layout.write(self.remote.memory, slot, inputs)

    def one_by_one(
        self, layout: Layout, data: Sequence[Any], *, like: list[Any] | None = None, idle: bool = False
    ) -> Singly:
        """Makes one call for each entry of `data`.

        The inputs of a call are complete when it begins, and those of later calls are not there yet. With `like`, each
        result must have tensors of the same sizes as its counterpart there. With `idle`, the calls do almost nothing,
        which measures what it takes to ask for one.
        """
        self.remote.forget()
        late_inputs = [LateInput(layout, slot, inputs) for slot, inputs in enumerate(data)]
        sizes = [sizes_of(each) for each in like] if like else None
        return self.remote.one_by_one(late_inputs, sizes, idle=idle)

    def refuse_mutation(self, layout: Layout, data: Sequence[Any], where: str) -> None:
        for slot, inputs in enumerate(data):
            theirs = tensors_in(layout.arguments(self.remote.memory, slot))
            for number, (ours, other) in enumerate(zip(tensors_in(inputs), theirs, strict=True)):
                if not torch.equal(_bits(ours.to(other.device)), _bits(other)):
                    raise Failure(Status.WRONG, f"{where}: input {number} was changed by the call")

    def refuse_changed_weights(self, model: Any, where: str) -> None:
        now = self.remote.state()
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

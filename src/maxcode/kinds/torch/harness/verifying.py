"""Verifies a candidate: trials with secret seeds, other values and shapes, against a reference computed afterwards."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

import torch

from maxcode.core import Mismatch, Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.harness import proof
from maxcode.kinds.torch.harness.compare import Errors, Expected, errors_of, structure_difference, value_difference
from maxcode.kinds.torch.harness.memory_use import give_back
from maxcode.kinds.torch.harness.model_process import ModelProcess
from maxcode.kinds.torch.harness.rounds import Returned
from maxcode.kinds.torch.harness.trials import AS_GIVEN, LoadedProblem, Trial, all_finite, plan
from maxcode.kinds.torch.harness.values import Layout, tensors_in
from maxcode.kinds.torch.harness.weights import give
from maxcode.kinds.torch.problem.memory import MemoryPlan
from maxcode.kinds.torch.processes.settings import HarnessSettings

CALLS = 2
"""Number of calls in a trial, on equal inputs."""
LEAST_OWN_SHARE = 0.05
"""Least share of a call's time that must be in the candidate's own kernels; below it, they are decoys."""


class Verifier:
    def __init__(
        self, settings: HarnessSettings, problems: list[LoadedProblem], plan: Callable[[], MemoryPlan]
    ) -> None:
        self._settings, self._problems, self._plan = settings, problems, plan
        self._known: tuple[LoadedProblem, int, Any] | None = None
        """The latest model that was made, with its problem and seed."""
        self.errors: Errors | None = None
        """Distance of the original itself from the exact result, on inputs as the problem makes them."""

    def trials(self, seed: int) -> list[Trial]:
        settings = self._settings
        return plan(seed, settings.trials, len(self._problems), distributions=settings.distributions)

    def verify(
        self, model_process: ModelProcess, seed: int, own_kernels: tuple[str, ...] | None, part: slice = slice(None)
    ) -> int:
        """Number of all trials; Failure if one of `part` does not pass.

        `own_kernels`, unless None, must do some of the work.
        """
        trials = self.trials(seed)
        for passed, trial in list(enumerate(trials))[part]:
            other = trial.other_weights and bool(self._problems[trial.problem].varied)
            where = trial.in_words(self._settings.problems[trial.problem][1], other_weights=other)
            try:
                self._try(model_process, trial, where)
            except Failure as failure:
                raise _placed(failure, where, passed, model_process.lacking) from None
        if own_kernels is not None:
            self._refuse_decoys(model_process, trials[0], own_kernels)
        return len(trials)

    def forget(self) -> None:
        """Frees the memory of the latest model."""
        self._known = None

    def compare(self, got: Any, expected: Expected, errors: Errors | None, where: str) -> None:
        said = structure_difference(got, expected.result)
        said = said or value_difference(got, expected, errors, strict=self._settings.strict)
        if said:
            raise Failure(Status.WRONG, f"{where}: {said}", Mismatch(test=where, hidden=True, where=said))

    def _try(self, model_process: ModelProcess, trial: Trial, where: str) -> None:
        model, inputs = self._given(model_process, trial)
        if not self._compared(model_process, trial, model, inputs, where):
            return
        if self._settings.weights_change and trial.problem == 0:
            self._known = None
            model_process.change_weights(model, self._problems[0].model(trial.inputs))
            self._compared(model_process, trial, model, inputs, f"{where}, with weights that changed after a call")

    def _compared(self, model_process: ModelProcess, trial: Trial, model: Any, inputs: list[Any], where: str) -> bool:
        """Compares the calls of a trial. False if the original gives nothing that could be compared."""
        rounds = list(self._rounds(model_process, inputs, where))
        expected = self._expected(self._problems[trial.problem], model, inputs)
        if trial.values != AS_GIVEN and not all_finite(expected.result):
            return False
        errors = errors_of(expected)
        if trial.problem == 0 and trial.values == AS_GIVEN:
            self.errors = errors
        for ran in rounds:
            for got in ran.results:
                self.compare(got, expected, errors, where)
            refuse_handing_on(ran, where, allowed=expected.hands_on)
        model_process.refuse_changed_weights(model, where)
        return True

    def _rounds(self, model_process: ModelProcess, inputs: list[Any], where: str) -> Iterator[Returned]:
        """The calls of a trial: in one round, or where memory is short in a round of its own each."""
        layout = Layout(inputs)
        at_a_time = CALLS if CALLS * layout.size <= self._plan().input_arena else 1
        model_process.remote.lay_out(layout, at_a_time)
        for _ in range(CALLS // at_a_time):
            model_process.write(layout, [inputs] * at_a_time)
            if not self._plan().together:
                give_back(self._settings.device)
            yield model_process.remote.run(0, at_a_time)
            model_process.refuse_mutation(layout, [inputs] * at_a_time, where)

    def _given(self, model_process: ModelProcess, trial: Trial) -> tuple[Any, list[Any]]:
        """Model and inputs of a trial. The process gets the same weights."""
        problem = self._problems[trial.problem]
        weights = problem.other_weights(trial.weights) if trial.other_weights else {}
        model = model_process.load(problem, trial.weights, partial(self._model, problem, trial.weights), weights)
        give(model, weights)
        return model, problem.inputs(trial.inputs, trial.values)

    def _model(self, problem: LoadedProblem, seed: int) -> Any:
        """The original from a seed; the same one as before if nothing else was made since."""
        if self._known is None or self._known[:2] != (problem, seed):
            self._known = None
            self._known = problem, seed, problem.model(seed)
        return self._known[2]

    def _expected(self, problem: LoadedProblem, model: Any, inputs: list[Any]) -> Expected:
        with torch.no_grad():
            exact = _in_double(model, inputs)
            own = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
            result = problem.called(model, own)
        return Expected(result, exact, hands_on=bool(_memory(result) & _memory(own)))

    def _refuse_decoys(self, model_process: ModelProcess, trial: Trial, own: tuple[str, ...]) -> None:
        """Failure if the candidate's own kernels do almost none of the work.

        On a CPU, if torch's operators do almost all of it. The values and sizes are as in timed calls: otherwise
        kernels could be made for others.
        """
        _, inputs = self._given(model_process, trial)
        layout = Layout(inputs)
        model_process.remote.lay_out(layout, 1)
        model_process.write(layout, [inputs])
        found = model_process.remote.profile()
        share = proof.own_share(found, own, self._settings.device)
        if share is not None and share < LEAST_OWN_SHARE:
            raise Failure(
                Status.REJECTED,
                f"its own kernels do {share:.0%} of the work and PyTorch's the rest; this task asks for own kernels",
            )


def _in_double(model: Any, inputs: list[Any]) -> Any | None:
    """Result in float64; None where the original cannot be run in it."""
    try:
        exact = copy.deepcopy(model).double()
        return exact(*(each.double() if _floating(each) else each for each in inputs))
    except Exception:
        return None


def _floating(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def refuse_handing_on(ran: Returned, where: str, *, allowed: bool) -> None:
    if ran.aliases and not allowed:
        raise Failure(Status.WRONG, f"{where}: the output is memory of the inputs; the original returns its own")


def _memory(value: Any) -> set[int]:
    """Addresses of the storages of a structure's tensors."""
    return {each.untyped_storage().data_ptr() for each in tensors_in(value) if each.numel()}


def _placed(failure: Failure, where: str, passed: int, lacking: Collection[str]) -> Failure:
    told = failure.status is Status.BUILD_ERROR or failure.reason.startswith(where)
    reason = failure.reason if told else f"{where}: {failure.reason}"
    if lacking and failure.status is Status.WRONG:
        names = ", ".join(f"'{name}'" for name in lacking)
        reason += f"; it has no weight like the original's {names} that could be loaded: keep names and sizes"
    found = Failure(failure.status, reason, failure.mismatch)
    found.passed = passed
    return found

"""Verifies a candidate: trials with secret seeds, other values and shapes, against a reference computed afterwards."""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Any

import torch

from maxcode.core import Mismatch, Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch import proof
from maxcode.kinds.torch.compare import Errors, Expected, errors_of, structure_difference, value_difference
from maxcode.kinds.torch.driven import Driven
from maxcode.kinds.torch.settings import Settings
from maxcode.kinds.torch.side import Returned
from maxcode.kinds.torch.trials import AS_GIVEN, Problem, Trial, all_finite, plan
from maxcode.kinds.torch.values import Layout, tensors_in
from maxcode.kinds.torch.weights import give

LEAST_OWN_SHARE = 0.05
"""Least share of a call's time that must be in the candidate's own kernels; below it, they are decoys."""


class Verifier:
    def __init__(self, settings: Settings, problems: list[Problem]) -> None:
        self._settings, self._problems = settings, problems
        self.errors: Errors | None = None
        """Distance of the original itself from the exact result, on inputs as the problem makes them."""

    def trials(self, seed: int) -> list[Trial]:
        settings = self._settings
        return plan(seed, settings.trials, len(self._problems), distributions=settings.distributions)

    def verify(self, driven: Driven, seed: int, own_kernels: tuple[str, ...] | None) -> int:
        """Number of trials, all of them passed; Failure otherwise.

        `own_kernels`, unless None, must do some of the work.
        """
        trials = self.trials(seed)
        for passed, trial in enumerate(trials):
            other = trial.other_weights and bool(self._problems[trial.problem].varied)
            where = trial.in_words(self._settings.problems[trial.problem][1], other_weights=other)
            try:
                self._try(driven, trial, where)
            except Failure as failure:
                raise _placed(failure, where, passed, driven.lacking) from None
        if own_kernels is not None:
            self._refuse_decoys(driven, trials[0], own_kernels)
        return len(trials)

    def compare(self, got: Any, expected: Expected, errors: Errors | None, where: str) -> None:
        said = structure_difference(got, expected.result)
        said = said or value_difference(got, expected, errors, strict=self._settings.strict)
        if said:
            raise Failure(Status.WRONG, f"{where}: {said}", Mismatch(test=where, hidden=True, where=said))

    def _try(self, driven: Driven, trial: Trial, where: str) -> None:
        model, inputs = self._given(driven, trial)
        ran = driven.side.run(0, 2)
        driven.refuse_mutation(Layout(inputs), [inputs, inputs], where)
        expected = self._expected(self._problems[trial.problem], model, inputs)
        if trial.values != AS_GIVEN and not all_finite(expected.result):
            return
        errors = errors_of(expected)
        if trial.problem == 0 and trial.values == AS_GIVEN:
            self.errors = errors
        for got in ran.results:
            self.compare(got, expected, errors, where)
        refuse_handing_on(ran, where, allowed=expected.hands_on)
        driven.refuse_changed_weights(model, where)

    def _given(self, driven: Driven, trial: Trial) -> tuple[Any, list[Any]]:
        """Model and inputs of a trial, after loading them into the process too, the inputs twice, for two calls."""
        problem = self._problems[trial.problem]
        model = problem.model(trial.weights)
        weights = problem.other_weights(trial.weights) if trial.other_weights else {}
        driven.load(problem, trial.weights, model, weights)
        give(model, weights)
        inputs = problem.inputs(trial.inputs, trial.values)
        layout = Layout(inputs)
        driven.side.lay_out(layout, 2)
        driven.write(layout, [inputs, inputs])
        return model, inputs

    def _expected(self, problem: Problem, model: Any, inputs: list[Any]) -> Expected:
        with torch.no_grad():
            exact = _in_double(model, inputs)
            own = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
            result = problem.called(model, own)
        return Expected(result, exact, hands_on=bool(_memory(result) & _memory(own)))

    def _refuse_decoys(self, driven: Driven, trial: Trial, own: tuple[str, ...]) -> None:
        """Failure if the candidate's own kernels do almost none of the work.

        On a CPU, if torch's operators do almost all of it. The values and sizes are as in timed calls: otherwise
        kernels could be made for others.
        """
        self._given(driven, trial)
        found = driven.side.profile()
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

"""Values derived from weights: kept from the first call on, or computed in every call, as the task's rule says."""

from __future__ import annotations

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.kinds.torch.harness.late_input import LEAST_BYTES  # noqa: E402
from maxcode.kinds.torch.harness.model_process import ModelProcess  # noqa: E402
from maxcode.kinds.torch.harness.trials import LoadedProblem  # noqa: E402
from maxcode.kinds.torch.harness.verifying import Verifier  # noqa: E402
from maxcode.kinds.torch.problem.memory import Footprint, plan_memory  # noqa: E402
from tests.kinds.torch.processes import SETTINGS, running  # noqa: E402

PROBLEM = """
import torch
class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 4)
        {more}
    def forward(self, x):
        {forward}
def get_inputs():
    return [torch.rand(3, 8)]
def get_init_inputs():
    return []
"""
AT_CONSTRUCTION = (
    "self.turned = self.linear.weight.detach().t().contiguous()",
    "return x @ self.turned + self.linear.bias",
)
AT_FIRST_CALL = (
    "self.turned = None",
    "self.turned = self.linear.weight.t().contiguous() if self.turned is None else self.turned; "
    "return x @ self.turned + self.linear.bias",
)
EVERY_TIME = ("pass", "return x @ self.linear.weight.t().contiguous() + self.linear.bias")

pytestmark = pytest.mark.long


def verified(more: str, forward: str, *, weights_change: bool) -> str:
    """Reason why a candidate is refused; empty if it is right."""
    text = PROBLEM.format(name="Model", more="pass", forward="return self.linear(x)")
    settings = replace(SETTINGS, problems=((text, ""),), most_bytes=1 << 30, weights_change=weights_change)
    plan = plan_memory(Footprint(512, 512, 0, 512), 1 << 20, 4, least=4096)
    verifier = Verifier(settings, [LoadedProblem(text, "model.py", "cpu")], lambda: plan)
    with running(LEAST_BYTES + 4096) as remote:
        other = PROBLEM.format(name="ModelNew", more=more, forward=forward)
        try:
            verifier.verify(ModelProcess(remote, other, "ModelNew", compiled=False), 1, None)
        except Failure as failure:
            return failure.reason
    return ""


@pytest.mark.parametrize("program", [AT_CONSTRUCTION, AT_FIRST_CALL, EVERY_TIME])
def test_values_derived_once_are_right_by_default(program: tuple[str, str]) -> None:
    assert verified(*program, weights_change=False) == ""


@pytest.mark.parametrize("program", [AT_CONSTRUCTION, AT_FIRST_CALL])
def test_values_derived_once_are_wrong_where_weights_change(program: tuple[str, str]) -> None:
    assert "with weights that changed after a call: off by more" in verified(*program, weights_change=True)


def test_values_derived_in_every_call_follow_weights_that_change() -> None:
    assert verified(*EVERY_TIME, weights_change=True) == ""

"""Is a torch task sound? Found out by running its model, and models that are wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.authoring.finding import Finding
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.torch.check import check_model, title
from maxcode.kinds.torch.rules.check import broken_rule
from maxcode.kinds.torch.wrong_models import BODIES, renamed, without_last_step, wrong_models
from maxcode.task import load_task

pytestmark = pytest.mark.long
needs_torch = pytest.mark.usefixtures("_torch")
EXAMPLES = Path(__file__).parents[3] / "examples" / "torch"
PROBLEM = """\
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super(Model, self).__init__()
        self.weight = nn.Parameter(torch.randn(features))

    def forward(self, x):
        {forward}


rows, columns = 64, 32


def get_inputs():
    return [torch.{draw}(rows, columns)]


def get_init_inputs():
    return [columns]
"""


@pytest.fixture
def _torch() -> None:
    pytest.importorskip("torch", reason="torch is not installed: models cannot be run")


def problem(forward: str = "return torch.relu(x * self.weight)", draw: str = "randn") -> str:
    return PROBLEM.format(forward=forward, draw=draw)


def check(folder: Path, text: str, settings: str = "") -> dict[str, Finding]:
    (folder / "model.py").write_text(text)
    head = 'name = "t"\nkind = "torch"\ndescription = "d"\nbaseline = "model.py"\n[torch]\ndevice = "cpu"\n'
    (folder / "task.toml").write_text(head + settings)

    async def found() -> list[Finding]:
        async with LocalPool(1) as pool:
            return await check_model(load_task(folder), pool)

    return {finding.name: finding for finding in asyncio.run(found())}


def serious(findings: dict[str, Finding]) -> list[str]:
    return [name for name, each in findings.items() if each.serious and not each.ok]


@needs_torch
@pytest.mark.timeout(120)
def test_a_sound_task_is_told_so_with_its_sizes(tmp_path: Path) -> None:
    findings = check(tmp_path, problem(), "shapes = [{ rows = 3 }]\n")
    assert {name: each.detail for name, each in findings.items() if not each.ok} == {}
    assert {title(name) for name in BODIES} <= set(findings)
    assert findings[title("zeros")].detail.endswith("...")
    assert "2,048 elements in, 2,048 out, 32 parameters" in findings["model runs"].detail


@needs_torch
@pytest.mark.timeout(120)
def test_kernels_that_a_task_asks_for_are_not_asked_of_wrong_models(tmp_path: Path) -> None:
    findings = check(tmp_path, problem(), 'rule = "custom-kernel-required"\n')
    assert findings[title("zeros")].detail.startswith("wrong")


@needs_torch
@pytest.mark.timeout(120)
def test_a_mean_over_all_that_any_answer_fits_is_found_out(tmp_path: Path) -> None:
    findings = check(tmp_path, problem("return 3 + 1e-4 * (x * self.weight).mean()"))
    assert title("first answer") in serious(findings)


@needs_torch
def test_a_model_that_gives_the_same_for_all_inputs_is_found_out(tmp_path: Path) -> None:
    findings = check(tmp_path, problem("return torch.clamp(x.sum(dim=1), min=5e3) * 0 + 1"))
    assert serious(findings) == ["results depend on the inputs"]
    assert "baseline passes" not in findings


@needs_torch
def test_a_model_with_random_numbers_is_found_out(tmp_path: Path) -> None:
    findings = check(tmp_path, problem("return x + torch.rand_like(x)"))
    assert serious(findings) == ["model is deterministic"]


@needs_torch
def test_a_model_that_does_not_run_at_one_of_the_sizes_is_found_out(tmp_path: Path) -> None:
    findings = check(tmp_path, problem("return x[:4] * self.weight + x[60:]"), "shapes = [{ rows = 3 }]\n")
    assert serious(findings) == ["model runs"]
    assert "rows = 3" in findings["model runs"].detail


@needs_torch
@pytest.mark.timeout(120)
def test_what_passes_for_a_good_reason_is_a_remark(tmp_path: Path) -> None:
    findings = check(tmp_path, problem("return (x * self.weight).contiguous()"), 'precision = "kernelbench"\n')
    assert not findings[title("last step left out")].ok
    assert serious(findings) == []


@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/task.toml")))
def test_wrong_models_break_no_rule_of_form(name: str) -> None:
    task = load_task(EXAMPLES / name, {"torch": {"rule": "anything-faster"}})
    texts = wrong_models(task.read(task.main_file))
    assert {each: broken_rule(task, task.candidate(text)) for each, text in texts.items()} == dict.fromkeys(texts)


def test_only_the_name_itself_is_changed() -> None:
    assert renamed("class Model:\n    x = 'Model'  # Model\nModels = [Model]\n") == (
        "class Original:\n    x = 'Model'  # Model\nModels = [Original]\n"
    )


@pytest.mark.parametrize(
    ("forward", "left"),
    [
        ("return torch.relu(x * self.weight)", "return x * self.weight"),
        ("return x.relu()", "return x"),
        ("return x + self.weight", "return x"),
        ("return self.weight", None),
        ("return torch.relu(x).sum()", "return torch.relu(x)"),
        ("return nn.functional.relu(x)", "return x"),
    ],
)
def test_the_last_step_is_left_out(forward: str, left: str | None) -> None:
    shorter = without_last_step(problem(forward))
    assert (left in shorter and forward not in shorter) if left and shorter else shorter is left

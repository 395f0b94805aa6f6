"""Compiled, without autograd, as a recorded graph: which of them go together, in which order, and what comes out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch.examples import ON_CUDA, TORCH, model
from maxcode.policy.rewrite.torch.running import GRAPHS, PLAIN

from .models import assert_runs_in_one_way, assert_same, rewritten, transformation

torch = pytest.importorskip("torch", reason="models are run with torch, which is not installed")

WAYS = ("compile", "inference-mode", "cuda-graph")
LINEAR = "self.linear = nn.Linear(8, 8)"
ONE = model("return torch.relu(self.linear(x))", init=LINEAR)
TWO = model(
    "z = self.linear(x) * y\nreturn z, z.sum(dim=1)",
    init=LINEAR,
    args="x, y",
    inputs="torch.randn(4, 8), torch.randn(4, 8)",
)
BARE = model("with torch.no_grad():\n    y = x * 2.0\nreturn y + 1.0")
OTHERS = (Path(__file__).parents[3] / "adversarial/torch/control_graph.py").read_text()
each_model = pytest.mark.parametrize("code", [ONE, TWO, BARE], ids=["one", "two", "bare"])
each_plain_mode = pytest.mark.parametrize("mode", PLAIN)


def options(name: str, code: str) -> list[str]:
    return [each.options for each in transformation(name).find(SourceFile(code, Language.PYTHON), ON_CUDA)]


def decorated(decorator: str) -> str:
    return ONE.replace("    def forward", f"    {decorator}\n    def forward")


def compositions(code: str, longest: int = 4) -> Iterator[str]:
    """What comes out of one to some rewrites, of any kind and in any order."""
    source = SourceFile(code, Language.PYTHON)
    for name in WAYS if longest else ():
        for rewrite in transformation(name).find(source, ON_CUDA):
            changed = apply(source, rewrite.edits).code
            yield changed
            yield from compositions(changed, longest - 1)


@each_model
def test_every_composition_compiles_and_records_once(code: str) -> None:
    found = list(compositions(code))
    assert any("torch.compile" in each and "CUDAGraph" in each for each in found)
    for each in found:
        assert_runs_in_one_way(each)


@each_model
def test_every_composition_gives_the_same(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "compile", lambda **_: lambda function: function)  # what it compiles is tested below
    for each in dict.fromkeys(compositions(code)):
        assert_same(each, code)


@each_plain_mode
@each_model
def test_compiling_and_recording_come_out_the_same_in_either_order(code: str, mode: str) -> None:
    recorded = rewritten("cuda-graph", code, ON_CUDA)
    compiled = rewritten("compile", code, ON_CUDA, f"mode={mode}")
    both = rewritten("cuda-graph", compiled, ON_CUDA)
    assert both == rewritten("compile", recorded, ON_CUDA, f"mode={mode}")
    assert "dynamic=False)\n    def _computed(self, x" in both


def test_a_recorded_model_is_compiled_only_in_modes_that_record_nothing() -> None:
    assert options("compile", rewritten("cuda-graph", ONE, ON_CUDA)) == [f"mode={each}" for each in PLAIN]


@pytest.mark.parametrize("mode", GRAPHS)
def test_a_model_compiled_in_a_mode_that_records_is_not_recorded_again(mode: str) -> None:
    assert options("cuda-graph", rewritten("compile", ONE, ON_CUDA, f"mode={mode}")) == []
    assert options("cuda-graph", decorated(f'@torch.compile(mode="{mode}")')) == []


@pytest.mark.parametrize(
    "decorator",
    [
        "@torch.no_grad()",
        "@torch.inference_mode()",
        "@torch.no_grad()\n    @torch.compile(dynamic=False)",
        '@torch.compile(backend="cudagraphs")',
        '@torch.compile(options={"triton.cudagraphs": True})',
        "@torch.compile(mode=MODE)",
        "@torch.compile()\n    @torch.compile()",
    ],
)
def test_what_else_decorates_forward_is_not_recorded(decorator: str) -> None:
    assert options("cuda-graph", decorated(decorator)) == []


def test_a_recording_that_others_wrote_is_left_alone() -> None:
    assert [options(each, OTHERS) for each in WAYS] == [[], [], []]


@pytest.mark.parametrize("name", ["compile", "cuda-graph"])
def test_weights_that_are_kept_until_they_change_are_neither_compiled_nor_recorded(name: str) -> None:
    assert options(name, ONE)
    assert options(name, rewritten("transposed-weights", ONE, TORCH)) == []


@pytest.mark.long
def test_a_recorded_model_that_is_compiled_gives_the_same() -> None:
    code = rewritten("compile", rewritten("cuda-graph", ONE, ON_CUDA), ON_CUDA, "mode=default")
    assert_same(code, ONE)


@pytest.mark.long
def test_inference_mode_is_entered_outside_of_what_is_compiled() -> None:
    code = rewritten("compile", rewritten("inference-mode", ONE, ON_CUDA), ON_CUDA, "mode=default")
    assert "    @torch.inference_mode()\n    @torch.compile(dynamic=False)\n    def forward" in code
    assert_same(code, ONE)


def test_compiling_without_a_search_for_kernels_is_what_is_tried_most() -> None:
    found = transformation("compile").find(SourceFile(ONE, Language.PYTHON), ON_CUDA)
    weights = {each.options: each.weight for each in found}
    default = weights.pop("mode=default")
    assert default > sum(weights.values())
    assert default >= 4 * max(weight for mode, weight in weights.items() if "autotune" in mode)

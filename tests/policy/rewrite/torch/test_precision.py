"""Products of matrices that are split into parts are nearly as exact as float32, or as exact, in every form."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch.examples import ON_CUDA, TORCH, model

from .models import results, rewritten, transformation, with_wide_sums

torch = pytest.importorskip("torch", reason="models are run with torch, which is not installed")
ROWS, BATCHES = "torch.randn(256, 300)", "torch.randn(2, 256, 300), torch.randn(2, 300, 256)"
LINEAR = "self.linear = nn.Linear(300, 256)"
FORMS = {
    "matrices": model("return x @ y", args="x, y", inputs="torch.randn(256, 300), torch.randn(300, 512)"),
    "batches": model(
        "return torch.bmm(x, y)", args="x, y", inputs="torch.randn(2, 256, 300), torch.randn(2, 300, 256)"
    ),
    "rows": model("return torch.matmul(x, y)", args="x, y", inputs="torch.randn(2, 256, 300), torch.randn(300, 256)"),
    "layer": model("return torch.relu(self.linear(x))", init=LINEAR, inputs="torch.randn(256, 300)"),
    "layer of batches": model("return self.linear(x)", init=LINEAR, inputs="torch.randn(2, 256, 300)"),
    "no bias": model(
        "return self.linear(x) * 2",
        init="self.linear = nn.Linear(300, 256, bias=False)",
        inputs="torch.randn(256, 300)",
    ),
    "operator": model(
        "return F.linear(x, self.weight)",
        init="self.weight = nn.Parameter(torch.randn(256, 300))",
        inputs="torch.randn(256, 300)",
    ),
}


@pytest.mark.parametrize(("parts", "most"), [("parts=2", 1e-5), ("parts=3", 1e-6)])
@pytest.mark.parametrize("code", FORMS.values(), ids=FORMS)
def test_parts_are_as_exact_as_they_say(code: str, parts: str, most: float) -> None:
    expected = results(code, code)[0]
    split = rewritten("split-precision", code, ON_CUDA, parts)
    with with_wide_sums(split):
        found = results(split, code)[0]
    assert found.stride() == expected.stride()
    assert (found - expected).norm() / expected.norm() < most


def test_two_products_share_one_helper() -> None:
    code = model("return (x @ y) @ y", args="x, y", inputs="torch.randn(256, 256), torch.randn(256, 256)")
    both = rewritten("split-precision", rewritten("split-precision", code, ON_CUDA), ON_CUDA)
    assert both.count("def split_product") == 1
    assert both.count("split_product(") == 3
    assert "@" not in both


@pytest.mark.parametrize(
    ("code", "setting"),
    [
        (FORMS["matrices"], TORCH),
        (model("return x @ y", args="x, y", inputs="torch.randn(256, 64), torch.randn(64, 256)"), ON_CUDA),
        (FORMS["layer"].replace("torch.randn(256, 300)", "torch.randn(8, 300)"), ON_CUDA),
        (FORMS["matrices"].replace("torch.randn(300, 512)", "torch.randn(300, 512, dtype=torch.float64)"), ON_CUDA),
    ],
)
def test_other_devices_small_products_and_other_types_are_left_alone(code: str, setting) -> None:
    assert list(transformation("split-precision").find(SourceFile(code, Language.PYTHON), setting)) == []


def test_the_helper_stands_in_front_of_the_model() -> None:
    source = SourceFile(FORMS["layer"], Language.PYTHON)
    rewrite, _ = transformation("split-precision").find(source, ON_CUDA)
    code = apply(source, rewrite.edits).code
    assert code.index("def split_product(a, b):") < code.index("class ModelNew")
    assert "(split_product(x, self.linear.weight) + self.linear.bias)" in code

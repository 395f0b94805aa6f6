"""Kernels that the rewriter writes compute what the operators do."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from maxcode.core import Language
from maxcode.kinds.torch.rewriting import TorchSetting
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.torch.examples import ON_CUDA, TORCH, model
from maxcode.policy.rewrite.transformation import Setting

from .models import assert_same, rewritten, transformation

pytestmark = pytest.mark.long
torch = pytest.importorskip("torch", reason="models are run with torch, which is not installed")

EVERYTHING = model(
    """\
x = self.conv(x) + self.bias
x = torch.clamp(F.gelu(x) * F.mish(x), -1.0, 1.0)
x = F.leaky_relu(x, 0.2) + F.softplus(x) + F.elu(x) + F.hardswish(x)
x = torch.tanh(x - m) * torch.rsqrt(torch.abs(x) + 1.0) + torch.maximum(x, m)
return x / self.k + torch.erf(x).pow(3) + torch.sub(w, x, alpha=2)""",
    init="self.conv = nn.Conv2d(3, 5, 3)\nself.bias = nn.Parameter(torch.randn(5, 1, 1))\nself.k = 3",
    args="x, m, w",
    inputs="torch.randn(2, 3, 9, 9), torch.randn(2, 5, 1, 1), torch.randn(7)",
)


def test_a_triton_kernel_computes_the_chain() -> None:
    from .fake_triton import installed

    code = rewritten("triton-kernel", EVERYTHING, ON_CUDA)
    assert "return _fused(self.conv(x), self.bias, m, w, self.k)" in code
    with installed():
        assert_same(code, EVERYTHING)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc here to compile CUDA with")
def test_a_cuda_kernel_compiles(tmp_path: Path) -> None:
    code = rewritten("inline-kernel", EVERYTHING, ON_CUDA)
    (kernel,) = re.findall(r'cuda_sources=r"""(.*?)"""', code, re.DOTALL)
    path = tmp_path / "kernel.cu"
    path.write_text(kernel)
    done = subprocess.run(["nvcc", "-c", str(path), "-o", str(tmp_path / "kernel.o")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_kernel_in_cpp_computes_the_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One build, since each takes seconds, with every operator and every kind of smaller tensor."""
    from torch.utils import cpp_extension

    from maxcode.extension import install

    for name in ("load_inline", "load"):
        monkeypatch.setattr(cpp_extension, name, getattr(cpp_extension, name))  # so that they are put back
    install(tmp_path)
    assert_same(rewritten("inline-kernel", EVERYTHING, TORCH), EVERYTHING)


def test_a_compiled_model_gives_the_same() -> None:
    before = transformation("compile").example.before
    assert_same(rewritten("compile", before, TORCH, "mode=default"), before)


def test_modes_with_graphs_copy_their_results() -> None:
    before = transformation("compile").example.before
    code = rewritten("compile", before, ON_CUDA, "mode=reduce-overhead")
    assert "return self._compiled(x).clone()" in code
    assert_same(code, before)


def test_one_operator_is_worth_a_kernel_only_where_one_is_required() -> None:
    code = model("return torch.relu(x)")
    found = [
        list(
            transformation("inline-kernel").find(
                SourceFile(code, Language.PYTHON), Setting(torch=TorchSetting(kernel_required=r))
            )
        )
        for r in (False, True)
    ]
    assert [len(each) for each in found] == [0, 1]


@pytest.mark.parametrize(
    "body",
    [
        "y = torch.relu(x) * 2.0\nreturn y + y.sum(), y",
        "x += 1.0\nreturn torch.relu(x) * 2.0 + z",
        "y = torch.relu(x) * 2.0\nx.zero_()\nreturn y + x",
    ],
)
def test_what_others_read_and_what_changes_is_left_alone(body: str) -> None:
    code = model(body, args="x, z", inputs="torch.randn(4, 8), torch.randint(0, 3, (4, 8))")
    for each in transformation("inline-kernel").find(SourceFile(code, Language.PYTHON), TORCH):
        assert all("y + " not in edit.text for edit in each.edits)

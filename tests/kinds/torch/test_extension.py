"""Extensions: built the fast way, found by content, and left to torch when anything is unusual."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch, which is optional")

from torch.utils import cpp_extension  # noqa: E402

from maxcode import extension  # noqa: E402
from maxcode.extension import building, errors, headers, loading, nvcc, slim  # noqa: E402
from maxcode.extension.commands import CommandFailed, CompilerRunner  # noqa: E402
from maxcode.extension.plan import Unusual  # noqa: E402
from maxcode.kinds.torch.judge import build_folder  # noqa: E402

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("ninja") is None or shutil.which("c++") is None, reason="needs ninja, c++"),
]

INCLUDE = Path(torch.__file__).parent / "include"
NUMBER = """
#include <Python.h>
{extra}
static PyObject* number(PyObject*, PyObject*) {{ return PyLong_FromLong({value}); }}
static PyMethodDef methods[] = {{{{"number", number, METH_NOARGS, ""}}, {{nullptr, nullptr, 0, nullptr}}}};
static PyModuleDef module = {{PyModuleDef_HEAD_INIT, "numbered", "", -1, methods}};
PyMODINIT_FUNC PyInit_numbered() {{ return PyModule_Create(&module); }}
"""
TENSORS = """
torch::Tensor scaled(torch::Tensor x, double factor) {
  TORCH_CHECK(x.dim() == 1, "one dimension, not ", x.dim());
  auto y = torch::empty_like(x);
  for (int64_t i = 0; i < x.numel(); i++) y.data_ptr<float>()[i] = x.data_ptr<float>()[i] * factor;
  return y + x.sum();
}
torch::Tensor like(torch::Tensor x) { return torch::zeros({2}, x.options().requires_grad(x.requires_grad())); }
std::vector<torch::Tensor> both(torch::Tensor x, c10::optional<torch::Tensor> y) {
  return {x, y.has_value() ? *y : at::neg(x)};
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that load_inline builds into, until the end of the test."""
    with installed(tmp_path / "builds") as target:
        yield target


class installed:  # noqa: N801
    def __init__(self, target: Path) -> None:
        self.target = target
        self.before = cpp_extension.load_inline, cpp_extension.load

    def __enter__(self) -> Path:
        extension.install(self.target)
        return self.target

    def __exit__(self, *_: object) -> None:
        cpp_extension.load_inline, cpp_extension.load = self.before


@pytest.fixture(scope="module")
def tensors(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with installed(tmp_path_factory.mktemp("tensors")):
        return cpp_extension.load_inline("tensors", TENSORS, functions=["scaled", "like", "both"])


def numbered(value: int, extra: str = "") -> Any:
    """A module without torch's headers, which takes a moment to build."""
    text = NUMBER.format(value=value, extra=extra)
    return cpp_extension.load_inline("numbered", text, no_implicit_headers=True)


def how(module: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((Path(module.__file__).parent / "how.json").read_text())
    return told


def test_slim_headers_build_a_working_extension(tensors: Any) -> None:
    assert how(tensors)["path"] == "fast", how(tensors)["reason"]
    assert tensors.scaled(torch.ones(3), 2.0).tolist() == [5.0, 5.0, 5.0]


def test_errors_of_torch_arrive_as_they_would(tensors: Any) -> None:
    with pytest.raises(RuntimeError, match="one dimension, not 2"):
        tensors.scaled(torch.ones(2, 2), 1.0)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        tensors.scaled([1.0], 1.0)


def test_factories_heed_requires_grad(tensors: Any) -> None:
    assert tensors.like(torch.ones(1, requires_grad=True)).requires_grad
    assert not tensors.like(torch.ones(1)).requires_grad


def test_containers_and_optionals_pass(tensors: Any) -> None:
    assert [one.item() for one in tensors.both(torch.ones(1), None)] == [1.0, -1.0]


def test_a_name_never_brings_back_an_older_source(folder: Path) -> None:
    assert [numbered(1).number(), numbered(2).number(), numbered(1).number()] == [1, 2, 1]
    assert sum(1 for at in folder.iterdir() if at.is_dir()) == 2


@pytest.mark.usefixtures("folder")
def test_a_finished_build_is_loaded_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    first = numbered(3)
    monkeypatch.setattr(loading, "build", None)
    assert numbered(3).__file__ == first.__file__


@pytest.mark.usefixtures("folder")
def test_other_flags_are_another_build() -> None:
    text = NUMBER.format(value="VALUE", extra="")
    found = [
        cpp_extension.load_inline(
            "numbered", text, no_implicit_headers=True, extra_cflags=[f"-DVALUE={value}"]
        ).number()
        for value in (4, 5)
    ]
    assert found == [4, 5]


@pytest.mark.usefixtures("folder")
def test_what_is_unusual_is_built_as_torch_does() -> None:
    module = numbered(6, "#if 0\ntorch::nn::Linear\n#endif")
    assert module.number() == 6
    assert how(module)["path"] == "plain"
    assert how(module)["reason"] == "torch::nn"


@pytest.mark.usefixtures("folder")
def test_flags_that_need_a_shell_go_through_ninja() -> None:
    text = NUMBER.format(value="VALUE", extra="")
    flags = ["-DVALUE=$$(echo 13)"]  # ninja's escape, then the shell's
    module = cpp_extension.load_inline("numbered", text, no_implicit_headers=True, extra_cflags=flags)
    assert module.number() == 13
    assert how(module)["path"] == "plain"


@pytest.mark.usefixtures("folder")
def test_a_failing_fast_step_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slim, "overlay", lambda *_, **__: {"Python.h": "#error slim headers gone wrong"})
    module = numbered(7)
    assert module.number() == 7
    assert "gone wrong" in how(module)["reason"]


def test_a_build_error_shows_the_first_error_and_no_command_lines(folder: Path) -> None:
    with pytest.raises(RuntimeError, match="missing_name") as caught:
        numbered(8, "int broken = missing_name;")
    assert "-isystem" not in str(caught.value)
    assert "main.cpp:" in str(caught.value) and str(folder) not in str(caught.value)
    assert not [at for at in folder.iterdir() if at.is_dir()]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("architecture", ["", "9.0"])
def test_cuda_sources_without_a_compiler_are_told_as_such(monkeypatch: pytest.MonkeyPatch, architecture: str) -> None:
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", None)
    monkeypatch.setenv("MAXCODE_CUDA_ARCH", architecture)
    with pytest.raises(RuntimeError, match="'squares' has CUDA sources: this machine has no nvcc"):
        cpp_extension.load_inline("squares", "", cuda_sources="// none", functions=[])


def test_a_build_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with installed(tmp_path / "file"), pytest.raises(RuntimeError, match="was not built ahead"):
        numbered(9)


@pytest.mark.usefixtures("folder")
def test_load_sees_changed_headers(tmp_path: Path) -> None:
    source = tmp_path / "numbered.cpp"
    source.write_text(NUMBER.format(value="VALUE", extra='#include "value.h"'))
    found = []
    for value in (10, 11):
        (tmp_path / "value.h").write_text(f"#define VALUE {value}\n")
        found.append(cpp_extension.load("numbered", [str(source)]).number())
    assert found == [10, 11]


def test_installing_again_moves_the_folder(folder: Path, tmp_path: Path) -> None:
    extension.install(tmp_path / "other")
    numbered(12)
    assert (tmp_path / "other").is_dir() and not folder.exists()


@pytest.mark.usefixtures("folder")
def test_a_method_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> str:
        raise RuntimeError

    monkeypatch.setattr(building, "plain", stop)
    hidden = "#define NAMED(a, b) a##b\ntorch::Tensor f(torch::Tensor x) { return x.NAMED(log, 1p)(); }"
    with pytest.raises(RuntimeError) as caught:
        cpp_extension.load_inline("hidden", hidden, functions=["f"])
    assert "log1p" in str(caught.value.__context__) and "left out" in str(caught.value.__context__)


@pytest.mark.timing
def test_the_first_failure_ends_the_others(tmp_path: Path) -> None:
    commands = CompilerRunner(tmp_path)
    start = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(commands.run, "sleep 30")
        first = pool.submit(commands.run, "false").exception()
    assert isinstance(first, CommandFailed) and slow.exception() is first
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("source", "unusual"),
    [
        ("torch::nn::Linear l(1, 2);", "torch::nn"),
        ("torch::autograd::Variable v;", "torch::autograd"),
        ("#include <torch/script.h>", "#include <torch/script.h>"),
    ],
)
def test_names_beyond_the_slim_headers_are_told(source: str, unusual: str) -> None:
    with pytest.raises(Unusual, match=unusual):
        slim.overlay(INCLUDE, slim.scan(source))


def test_names_in_comments_do_not_count() -> None:
    assert slim.overlay(INCLUDE, slim.scan("// torch::nn\n/* torch::jit */ int x;"))


def test_the_overlay_has_what_is_named_and_no_more() -> None:
    files = slim.overlay(INCLUDE, slim.scan("auto f(at::Tensor x) { return torch::full_like(x.softmax(1), 2); }"))
    umbrella, body = files["maxcode_slim.h"], files["ATen/core/TensorBody.h"]
    assert "inline at::Tensor full_like(" in umbrella and "inline at::Tensor arange(" not in umbrella
    assert "Tensor::softmax(" in body and "Tensor::log_softmax(" not in body
    assert "log_softmax(int64_t dim" in body  # declared all the same


@pytest.mark.parametrize(
    ("listed", "built"),
    [("", "9.0"), ("8.0;9.0+PTX", "9.0"), ("9.0a", "9.0a"), ("8.0 8.6", "8.0;8.6")],
)
def test_only_the_gpu_at_hand_is_built_for(listed: str, built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_CUDA_ARCH", "9.0")
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", listed)
    assert loading.architecture() == built


def test_the_log_is_clipped_around_the_first_error() -> None:
    log = "\n".join(["c++ -isystem /a -c main.cpp", "noise", "main.cpp:3:1: error: here", *["more"] * 100])
    shown = errors.clipped(log).splitlines()
    assert shown[:2] == ["noise", "main.cpp:3:1: error: here"]
    assert shown[-1] == f"... and {101 - errors.AFTER} more lines"


@pytest.mark.parametrize(
    ("log", "decisive"),
    [
        ('/b/cuda.cu(3): error: identifier "my_typo" is undefined', True),
        ('/b/cuda.cu(3): error: identifier "linspace" is undefined', False),
        ("/b/main.cpp:3:1: error: ‘my_typo’ was not declared in this scope", True),
        ("/b/main.cpp:3:1: error: 'my_typo' was not declared in this scope", True),
        ('/t/include/ATen/x.h(3): error: identifier "my_typo" is undefined', False),
        ("/b/main.cpp:3:1: error: no matching function for call to ‘f(int)’", False),
    ],
)
def test_only_errors_that_no_header_could_mend_are_final(log: str, decisive: bool) -> None:
    known = headers.Headers(Path("x.h"), frozenset(), frozenset({"linspace"}))
    assert known.is_decisive(log, Path("/b")) is decisive


def test_kernel_resources_are_read_from_the_assembler() -> None:
    said = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 1024 bytes smem
"""
    expected = {"registers": 40, "shared": 1024, "stack": 16, "spill_stores": 8, "spill_loads": 4}
    assert nvcc.kernels(said) == [{"kernel": "_Z1kPf", "arch": "sm_90", **expected}]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_phases_side_by_side_make_the_object_nvcc_makes(tmp_path: Path) -> None:
    source = tmp_path / "cuda.cu"
    source.write_text(
        "namespace { __device__ int hidden(int x) { return x + 1; } }\n"
        "template <typename T> __global__ void k(T* x) { x[threadIdx.x] = hidden(x[threadIdx.x]); }\n"
        "void launch(int* x) { k<int><<<1, 32>>>(x); }\n"
    )
    flags = "-gencode=arch=compute_90,code=sm_90 -O3"
    said = nvcc.compile_cuda(CompilerRunner(tmp_path), f"nvcc {flags} -c {source} -o ours.o", source)
    subprocess.run(f"nvcc {flags} -c {source} -o plain.o".split(), cwd=tmp_path, check=True)
    assert [kernel["kernel"] for kernel in nvcc.kernels(said)] == ["_Z1kIiEvPT_"]
    assert symbols(tmp_path / "ours.o") == symbols(tmp_path / "plain.o")


def symbols(file: Path) -> list[str]:
    listed = subprocess.run(["nm", "-j", str(file)], capture_output=True, text=True, check=True).stdout.split()
    return sorted(name for name in listed if "_INTERNAL_" not in name and "_GLOBAL__" not in name)


@pytest.mark.parametrize("changed", ["CUDA_HOME", "PATH"])
def test_with_other_compilers_a_candidate_is_built_anew(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process looks for a build by these compilers, and would find none where an older one is taken for it."""
    (tmp_path / "nvcc").write_text("")
    (tmp_path / "nvcc").chmod(0o755)
    before = build_folder("a candidate")
    monkeypatch.setenv(changed, str(tmp_path))
    assert build_folder("a candidate") != before

"""What a torch candidate may not contain, seen in its text."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode.kinds.torch.rules.check import broken_rule
from maxcode.task import Task, load_task

ROOT = Path(__file__).parents[3]
PROBLEM = """\
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self):
        super(Model, self).__init__()

    def forward(self, x):
        return torch.relu(x) + 1

def get_inputs():
    return [torch.rand(8)]

def get_init_inputs():
    return []
"""
HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
CUDA = '''\
from torch.utils.cpp_extension import load_inline
source = """
#include <torch/extension.h>
__global__ void kernel(const float* x, float* y, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0 ? x[i] + 1 : 1;
}}
torch::Tensor run(torch::Tensor x) {{
    auto y = torch::empty_like(x);
    kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}}
{}
"""
own = load_inline(name="own", cpp_sources="torch::Tensor run(torch::Tensor x);", cuda_sources=source, functions=["run"])
'''


@pytest.fixture
def make_task(tmp_path: Path) -> Any:
    def make(problem: str = PROBLEM, rules: dict[str, Any] | None = None, **torch: Any) -> Task:
        (tmp_path / "model.py").write_text(problem)
        data = {"name": "t", "kind": "torch", "baseline": "model.py", "torch": torch, "rules": rules or {}}
        return Task.model_validate({**data, "folder": tmp_path})

    return make


def model(body: str = "return torch.relu(x) + 1", head: str = "") -> str:
    lines = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    return f"{HEAD}{head}\nclass ModelNew(nn.Module):\n    def forward(self, x):\n{lines}\n"


def broken(task: Task, text: str) -> str | None:
    return broken_rule(task, task.candidate(text))


def test_the_problem_itself_passes(make_task: Any) -> None:
    task = make_task(rule="custom-kernel-required")
    assert broken(task, PROBLEM) is None


def test_what_is_not_python_is_left_to_the_build(make_task: Any) -> None:
    assert broken(make_task(), "class ModelNew(:\n") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD, "no class ModelNew"),
        ("# coding: utf-7\n" + model(), "encoding utf-7"),
        (model() + "\0", "NUL"),
    ],
)
def test_the_file_as_a_whole(make_task: Any, text: str, words: str) -> None:
    assert words in (broken(make_task(), text) or "")


@pytest.mark.parametrize("terms", [900, 3000, 100_000])
def test_text_that_is_nested_too_deeply_gets_an_answer(make_task: Any, terms: int) -> None:
    reason = broken(make_task(), model(head="y = " + " + ".join(["'a'"] * terms)))
    assert reason is None or "nested" in reason


FORBIDDEN = [
    ("import threading", "imports threading"),
    ("from concurrent.futures import ThreadPoolExecutor", "imports concurrent"),
    ("import gc", "imports gc"),
    ("import ctypes.util", "imports ctypes"),
    ("from model import Model", "the problem itself"),
    ("from . import reference", "one file"),
    ("import logging\nlogging.threading.Thread", "reaches threading"),
    ("torch.sys.modules", "reaches sys"),
    ("import os\nos._exit(0)", "uses os._exit"),
    ("import os\nos.environ['PATH'] = ''", "environment"),
    ("import os\nos.environ.update(A='1')", "environment"),
    ("import os as o\no.kill(1, 9)", "uses os.kill"),
    ("import sys\nsys._getframe()", "_getframe"),
    ("import sys\nsys.modules['torch'] = None", "sys.modules"),
    ("import time\ntime.perf_counter = lambda: 0.0", "assigns to time.perf_counter"),
    ("torch.cuda.synchronize = lambda *a: None", "assigns to torch.cuda.synchronize"),
    ("c = torch.cuda\nc.Event.elapsed_time = lambda *a: 0.0", "assigns to torch.cuda.Event.elapsed_time"),
    ("torch.Tensor.__matmul__ = None", "assigns to torch.Tensor.__matmul__"),
    ("for torch.allclose in [print]: pass", "assigns to torch.allclose"),
    ("F.relu = lambda x: x", "assigns to torch.nn.functional.relu"),
    ("setattr(torch, 'allclose', print)", "sets attributes of torch"),
    ("torch.__dict__['allclose'] = print", "torch.__dict__"),
    ("vars(torch)['allclose'] = print", "vars(torch)"),
    ("exec('x = 1')", "uses exec"),
    ("globals()['torch'] = None", "uses globals"),
    ("__builtins__", "uses __builtins__"),
    ("object.__subclasses__()", "__subclasses__"),
    ("(lambda: 0).__globals__", "__globals__"),
    ("open('/etc/passwd')", "uses open"),
    ("torch.load('a')", "uses torch.load"),
    ("getattr(torch.cuda, 'Str' + 'eam')()", "torch.cuda.Stream"),
    ("from torch.cuda import Stream", "torch.cuda.Stream"),
    ("import cupy\ncupy.cuda.ExternalStream(3)", "cupy.cuda.ExternalStream"),
    ("class T(torch.Tensor): pass", "derives from torch.Tensor"),
    ("class T:\n    def __torch_function__(self): pass", "__torch_function__"),
    ("class T:\n    def __del__(self): pass", "__del__"),
    ("from torch.utils._python_dispatch import TorchDispatchMode", "_python_dispatch"),
    ("torch.library.Library('aten', 'IMPL')", "replaces operators"),
    ("torch.backends.cuda.matmul.allow_tf32 = True", "allow_tf32"),
    ("torch.backends.cudnn.deterministic = False", "torch.backends.cudnn.deterministic"),
    ("torch.set_float32_matmul_precision('high')", "set_float32_matmul_precision"),
    ("torch.manual_seed(0)", "torch.manual_seed"),
    ("torch.Generator().manual_seed(0)", "manual_seed"),
    ("class Other(Model): pass", "inherits from Model"),
    ("reference = Model()", "makes a Model"),
    ("get_inputs()", "calls get_inputs"),
    ("from contextlib import suppress", "suppress"),
]


@pytest.mark.parametrize(("head", "words"), FORBIDDEN, ids=[words for _, words in FORBIDDEN])
def test_forbidden_constructs_are_named_with_their_line(make_task: Any, head: str, words: str) -> None:
    reason = broken(make_task(), model(head=head))
    assert reason is not None and words in reason
    assert reason.startswith(f"line {4 + head.count(chr(10))}: ")


@pytest.mark.parametrize(
    "head",
    [
        "import os\nos.environ['TORCH_CUDA_ARCH_LIST'] = '9.0'\nos.environ.setdefault('MAX_JOBS', '4')",
        "import sys\nlarge = sys.maxsize",
        "try:\n    import triton\nexcept ImportError:\n    triton = None",
        "torch.backends.cudnn.benchmark = True\ntorch._inductor.config.max_autotune = True",
        "import cupy\ns = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)",
        "graph = torch.cuda.CUDAGraph()\nwith torch.cuda.graph(graph):\n    pass",
        "def get_inputs():\n    return [torch.rand(8)]\ndef get_init_inputs():\n    return []",
        "class Model(nn.Module):\n    def __init__(self):\n        super(Model, self).__init__()",
        "class Step(torch.autograd.Function):\n    pass",
        "import re\npattern = re.compile('a')",
        "@torch.library.custom_op('own::step', mutates_args=())\ndef step(x: torch.Tensor) -> None:\n    return",
        "class Box: pass\nbox = Box()\nbox.value = 1\nsetattr(box, 'value', 2)",
        "if __name__ == '__main__':\n    print(Model()(*get_inputs()), open('x'))",
        "y = torch.select(torch.zeros(2), 0, 0)",
    ],
)
def test_honest_constructs_pass(make_task: Any, head: str) -> None:
    assert broken(make_task(), model(head=head)) is None


@pytest.mark.parametrize(
    ("body", "allowed"),
    [
        ("try:\n    return fast(x)\nexcept RuntimeError:\n    return torch.relu(x) + 1", False),
        ("try:\n    y = fast(x)\nexcept RuntimeError:\n    y = x\nreturn y", False),
        ("try:\n    y = fast(x)\nfinally:\n    return x", False),
        ("try:\n    y = fast(x)\nexcept RuntimeError as e:\n    raise ValueError('n') from e\nreturn y", True),
        ("try:\n    y = fast(x)\nfinally:\n    print('done')\nreturn y", True),
    ],
)
def test_what_fails_may_not_be_hidden(make_task: Any, body: str, allowed: bool) -> None:
    assert (broken(make_task(), model(body)) is None) is allowed


def test_tf32_may_be_switched_on_where_the_task_has_it(make_task: Any) -> None:
    text = model(head="torch.backends.cuda.matmul.allow_tf32 = True")
    assert broken(make_task(tf32=True), text) is None


def test_what_the_problem_does_a_candidate_may_do(make_task: Any) -> None:
    line = "torch.set_default_dtype(torch.float64)\n"
    assert broken(make_task(problem=PROBLEM + line), model(head=line)) is None
    assert broken(make_task(), model(head=line)) is not None


@pytest.mark.parametrize(
    ("native", "words"),
    [
        ("cudaStream_t s; void f() { cudaStreamCreateWithFlags(&s, 1); }", "cudaStreamCreateWithFlags"),
        ("void f() { cudaLaunchHostFunc(0, g, 0); }", "cudaLaunchHostFunc"),
        ("void f() { std :: thread(g).detach(); }", "std :: thread"),
        ("cudaAccessPolicyWindow w;", "cudaAccessPolicyWindow"),
        ("void f() { dlsym(0, name); }", "dlsym"),
        ("void f() { setenv(a, b, 1); }", "setenv"),
        ("void f() { system(a); }", "system"),
        ("int f() { return exit(0), 1; }", "exit(0)"),
        ("void f() { std::ifstream file(name); }", "ifstream"),
        ('const char* p = \\"/proc/self/maps\\";', "/proc/"),
        ('#include \\"/etc/passwd\\"', "/etc/passwd"),
        ("__attribute__((constructor)) void f() {}", "constructor"),
        ('extern \\"C\\" cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }', "cudaDeviceSynchronize"),
        ("int clock_gettime(int c, struct timespec* t) { return 0; }", "clock_gettime"),
        ("void f() { at::globalContext().setAllowTF32CuBLAS(true); }", "setAllowTF32CuBLAS"),
        ("TORCH_LIBRARY_IMPL(aten, CUDA, m) {}", "operators of aten"),
        ("void f() { py::exec(a); }", "py::exec"),
    ],
)
def test_native_text_is_read_too(make_task: Any, native: str, words: str) -> None:
    text = model("return own.run(x)", CUDA.format(native))
    reason = broken(make_task(), text)
    assert reason is not None and words in reason
    assert "line 16" in reason or "/etc" in reason


@pytest.mark.parametrize(
    "native",
    [
        "// system(), fork() and std::thread are not used",
        "#define CHECK(e) if ((e) != cudaSuccess) { exit(EXIT_FAILURE); }",
        "__device__ float read(const float* p) { return *p; }",
        "void f(Kernel* k) { k->system(); k->fork(1); }",
    ],
)
def test_honest_native_text_passes(make_task: Any, native: str) -> None:
    assert broken(make_task(), model("return own.run(x)", CUDA.format(native))) is None


TRITON = """\
import triton
import triton.language as tl
@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
def run(x):
    y = torch.empty_like(x)
    kernel[(4,)](x, y, x.numel(), BLOCK=256)
    return y
"""


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (CUDA.format(""), "return own.run(x)"),
        (CUDA.format(""), "y = torch.empty_like(x)\nown.run(x, y)\nreturn y"),
        (TRITON, "return run(x.contiguous())"),
        (TRITON, "y = torch.empty_like(x)\nkernel[(4,)](x, y, 8, BLOCK=256)\nz = y.view(-1)\nreturn z"),
        (
            "import cupy\nkernel = cupy.RawKernel('void f() {}', 'f')",
            "y = x.clone()\nkernel((1,), (1,), (y,))\nreturn y",
        ),
        ("step = torch.cuda._compile_kernel('__global__ void f() {}', 'f')", "return self.run(step, x)"),
        (
            TRITON + "class Own(nn.Module):\n    def forward(self, x):\n        return run(x)\nlayer = Own()",
            "return layer(x)",
        ),
    ],
)
def test_a_kernel_of_its_own_is_seen(make_task: Any, head: str, body: str) -> None:
    assert broken(make_task(rule="custom-kernel-required"), model(body, head)) is None


@pytest.mark.parametrize(
    ("head", "body", "words"),
    [
        ("", "return F.relu(x) + 1", "left to PyTorch: torch.nn.functional.relu (line 7)"),
        (CUDA.format(""), "return torch.relu(x) + 1", "never calls the kernel"),
        (CUDA.format(""), "y = torch.empty_like(x)\nown.run(x, y)\nreturn torch.relu(x)", "nothing of its result"),
        (TRITON, "_ = run(x)\nreturn torch.relu(x) + 1", "nothing of its result"),
        ("", "return torch.compile(torch.relu)(x) + 1", "no kernel of its own"),
    ],
)
def test_a_kernel_of_its_own_is_missed(make_task: Any, head: str, body: str, words: str) -> None:
    reason = broken(make_task(rule="custom-kernel-required"), model(body, head))
    assert reason is not None and words in reason


def test_native_code_that_only_calls_pytorch_is_no_kernel(make_task: Any) -> None:
    head = (
        "from torch.utils.cpp_extension import load_inline\n"
        "own = load_inline('own', cpp_sources='torch::Tensor run(torch::Tensor x) { return at::relu(x) + 1; }')\n"
    )
    reason = broken(make_task(rule="custom-kernel-required"), model("return own.run(x)", head))
    assert reason is not None and "no kernel of its own" in reason


def test_a_loop_in_cpp_is_a_kernel_only_where_a_cpu_may_be_used(make_task: Any) -> None:
    head = (
        "from torch.utils.cpp_extension import load_inline\n"
        "own = load_inline('own', cpp_sources='void run(float* x) { for (int i = 0; i < 8; i++) x[i] += 1; }')\n"
    )
    text = model("y = x.clone()\nown.run(y)\nreturn y", head)
    assert broken(make_task(rule="custom-kernel-required", device="cpu"), text) is None
    assert broken(make_task(rule="custom-kernel-required", device="cuda"), text) is not None


def test_the_rules_of_the_task_apply(make_task: Any) -> None:
    task = make_task(rules={"calls": ["torch.matmul"], "libraries": ["cublas", "cupy"], "pragmas": ["unroll"]})
    assert "torch.matmul" in (broken(task, model("return torch.matmul(x, x)")) or "")
    assert "cupy" in (broken(task, model(head="import cupy as cp")) or "")
    assert "cublas" in (broken(task, model("return own.run(x)", CUDA.format("#include <cublas_v2.h>"))) or "")
    assert "unroll" in (broken(task, model("return own.run(x)", CUDA.format("#pragma unroll"))) or "")
    assert broken(task, model()) is None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.text(max_size=80))
def test_any_text_gets_an_answer(make_task: Any, noise: str) -> None:
    reason = broken(make_task(), f"{model()}\n{noise}")
    assert reason is None or reason.startswith(("line ", "contains ", "defines ", "is nested ", "has "))


EXAMPLES = sorted(ROOT.glob("examples/torch/*/solutions/*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: f"{p.parents[1].name}-{p.stem}")
def test_solutions_of_the_examples_pass(path: Path) -> None:
    assert broken(load_task(path.parents[1]), path.read_text()) is None

"""Whose work a call is, from its profile."""

from __future__ import annotations

import pytest

from maxcode.kinds.torch.harness.proof import kernel_names, own_share


def profile(seconds: float, **operators: float) -> dict[str, object]:
    events = [{"name": f"aten::{name}", "count": 1, "seconds": each} for name, each in operators.items()]
    return {"events": events, "seconds": seconds}


@pytest.mark.parametrize(
    ("found", "share"),
    [
        (profile(2.0, empty_like=0.1, empty_strided=1.2), 1.0),
        (profile(2.0, mul=1.0, relu=1.1), 0.0),
        (profile(2.0, mul=0.9, empty=0.8), 0.25),
        (profile(0.0), None),
    ],
    ids=["an own loop that allocates", "all of it is torch's", "torch's and something else", "nothing to tell"],
)
def test_on_a_cpu_what_torchs_operators_do_not_do_is_the_candidates(
    found: dict[str, object], share: float | None
) -> None:
    assert own_share(found, (), "cpu") == (share if share is None else pytest.approx(share))


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("scale_kernel(float const*, float*, int)", True),
        ("void scale_kernel<float, 4>(float const*, float*)", True),
        ("void (anonymous namespace)::scale_kernel<float>(float*)", True),
        ("mine::scale_kernel(float*)", True),
        ("scale_kernel_0d1d2de", True),
        ("_Z12scale_kernelPf", True),
        ("void at::native::scale_kernel<float>(float*)", False),
        ("void at::native::vectorized_scale_kernel<4, at::native::CUDAFunctor>(int)", False),
        ("rescale_kernel(float*)", False),
        ("void cublasLt::scale_kernel<32>(float*)", False),
        ("Memset (Device)", False),
    ],
)
def test_on_a_gpu_a_kernel_is_the_candidates_by_its_whole_name(name: str, own: bool) -> None:
    found = {"events": [{"name": name, "count": 1, "seconds": 1.0}], "seconds": 1.0}
    assert own_share(found, ("scale_kernel",), "cuda") == own


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__global__ void plain(float* x) {}", ("plain",)),
        ('extern "C" __global__ void __launch_bounds__(256, 2) bounded(float* x) {}', ("bounded",)),
        ("template <int N>\n__global__ void __cluster_dims__(2, 1, 1)\nclustered(float* x) {}", ("clustered",)),
        ("__global__ __launch_bounds__(max(1, N)) void nested(float* x) {}", ("nested",)),
        ("@triton.autotune(configs=[])\n@triton.jit\ndef tuned(x):\n    pass", ("tuned",)),
        ("@cuda.jit\ndef of_numba(x):\n    pass", ("of_numba",)),
        ("@torch.jit.script\ndef scripted(x):\n    pass", ()),
        ('cupy.RawKernel(r"""__global__ void raw(float* x) {}""", "raw")', ("raw",)),
        ('cupy.ElementwiseKernel("float32 x", "float32 y", "y = max(x, 0.0f)", "named")', ("named",)),
    ],
)
def test_kernels_are_known_by_name_however_they_are_written(text: str, names: tuple[str, ...]) -> None:
    found = kernel_names(text)
    assert set(names) <= set(found)
    assert set(found) - set(names) <= {"kernel", "reduce_kernel"}

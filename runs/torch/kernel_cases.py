"""The extensions in `kernels/`, written as language models write them: how to build and to check each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Case:
    name: str
    inputs: Callable[[Any], tuple[Any, ...]]
    """Made by torch's functions, on the device that is torch's default."""
    reference: Callable[..., Any]
    options: dict[str, Any] = field(default_factory=dict)

    def arguments(self, variant: int) -> dict[str, Any]:
        """Arguments of load_inline; no two variants are the same program."""
        text = (SOURCES / f"{self.name}.cu").read_text()
        declared = text.splitlines()[0].removeprefix("// ")
        return {
            "name": self.name,
            "cpp_sources": declared,
            "cuda_sources": f"constexpr int variant_number = {variant};\n{text}",
            "functions": [function(declared)],
            **self.options,
        }

    def call(self, module: Any, inputs: tuple[Any, ...]) -> Any:
        return getattr(module, function((SOURCES / f"{self.name}.cu").read_text()))(*inputs)


def function(declared: str) -> str:
    return declared.split("(")[0].split()[-1]


def rows(torch: Any) -> tuple[Any, ...]:
    return (torch.randn(1024, 300),)


def pair(torch: Any) -> tuple[Any, ...]:
    return torch.randn(64, 1000), torch.randn(64, 1000)


def normalised(x: Any, weight: Any, bias: Any, eps: float) -> Any:
    scale = (x.var(1, False, keepdim=True) + eps).rsqrt()
    return ((x - x.mean(1, True)) * scale * weight + bias).detach()


def functional() -> Any:
    from torch.nn import functional

    return functional


CASES = (
    Case("relu_ext", rows, lambda x: x.relu(), {"extra_cflags": [""], "extra_ldflags": [""]}),
    Case("elementwise_add", pair, lambda a, b: a + b),
    Case(
        "gelu_dispatch",
        rows,
        lambda x: x * 0.5 * (1 + (x * 0.5**0.5).erf()),
        {"extra_cuda_cflags": ["-O3"], "extra_cflags": ["-O3"]},
    ),
    Case("row_sum", rows, lambda x: x.sum(1), {"extra_cuda_cflags": ["-O3", "--use_fast_math"]}),
    Case("softmax_ext", rows, lambda x: x.softmax(1)),
    Case(
        "layer_norm_ext",
        lambda torch: (
            torch.randn(512, 384),
            torch.nn.Parameter(torch.randn(384)),
            torch.nn.Parameter(torch.randn(384)),
            1e-5,
        ),
        normalised,
    ),
    Case(
        "matmul_tiled",
        lambda torch: (torch.randn(200, 130), torch.randn(130, 170)),
        lambda a, b: a @ b,
        {"extra_cuda_cflags": ["-O3"]},
    ),
    Case(
        "conv2d_direct",
        lambda torch: (torch.randn(4, 8, 24, 24), torch.randn(16, 8, 3, 3), torch.randn(16), 2, 1),
        lambda *given: functional().conv2d(*given),
    ),
    Case("scale_rows", lambda torch: (torch.randn(100, 333), torch.randn(100)), lambda x, s: x * s[:, None]),
    Case("mean_and_std", rows, lambda x: [x.mean(1), x.std(1)]),
    Case(
        "half_axpy",
        lambda torch: (torch.randn(64, 100).half(), torch.randn(64, 100).half(), 0.5),
        lambda x, y, a: a * x + y,
    ),
    Case("cumulative_sum", lambda torch: (torch.randn(50, 60), 0), lambda x, dim: x.cumsum(dim)),
    Case(
        "linear_swish",
        lambda torch: (torch.randn(64, 96), torch.randn(80, 96), torch.randn(80)),
        lambda x, w, b: functional().silu(x @ w.t() + b),
        {"extra_cflags": ["-O2"], "extra_cuda_cflags": ["-O2"]},
    ),
    Case(
        "max_pool", lambda torch: (torch.randn(2, 3, 32, 48), 4), lambda x, kernel: functional().max_pool2d(x, kernel)
    ),
    Case("mse_loss_ext", pair, lambda a, b: ((a - b) ** 2).mean()),
    Case(
        "gather_rows",
        lambda torch: (torch.randn(500, 70), torch.randint(0, 500, (1000,))),
        lambda table, chosen: table[chosen],
    ),
)

FALLS_BACK = Case("linear_module", rows, lambda x: 2 * functional().normalize(x, dim=1))
"""Uses torch::nn, which the slim headers do not have."""


CPU_TEXT = """
#include <torch/extension.h>
constexpr int variant_number = %d;
torch::Tensor clamped(torch::Tensor x, double low) {
  TORCH_CHECK(x.scalar_type() == torch::kFloat32, "float32 only");
  auto input = x.contiguous();
  auto out = torch::empty_like(input);
  const float* from = input.data_ptr<float>();
  float* to = out.data_ptr<float>();
  at::parallel_for(0, input.numel(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) to[i] = std::max(from[i], static_cast<float>(low));
  });
  return out;
}
"""


def cpu_arguments(variant: int) -> dict[str, Any]:
    return {"name": "clamped_ext", "cpp_sources": CPU_TEXT % variant, "functions": ["clamped"], "extra_cflags": ["-O3"]}

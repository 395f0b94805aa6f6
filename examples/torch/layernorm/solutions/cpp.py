"""C++ for a CPU: the three passes over a row follow one another while it is in the cache."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/Parallel.h>

#include <cmath>

constexpr int LANES = 16;  // independent sums, so that the compiler can use vectors without reordering

template <class Term>
static float row_sum(const float* row, int64_t columns, Term term) {
    float lanes[LANES] = {};
    int64_t i = 0;
    for (; i + LANES <= columns; i += LANES)
        for (int j = 0; j < LANES; j++) lanes[j] += term(row[i + j]);
    float sum = 0.0f;
    for (; i < columns; i++) sum += term(row[i]);
    for (int j = 0; j < LANES; j++) sum += lanes[j];
    return sum;
}

torch::Tensor layernorm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
    TORCH_CHECK(x.is_cpu() && x.scalar_type() == torch::kFloat32, "float32 on a CPU wanted");
    const int64_t columns = x.size(-1);
    TORCH_CHECK(weight.numel() == columns && bias.numel() == columns, "weight and bias must be as long as a row");
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    torch::Tensor y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const float *data = x.data_ptr<float>(), *scale = weight.data_ptr<float>(), *offset = bias.data_ptr<float>();
    float* result = y.data_ptr<float>();
    at::parallel_for(0, x.numel() / columns, 16, [&](int64_t from, int64_t to) {
        for (int64_t r = from; r < to; r++) {
            const float* row = data + r * columns;
            float* out = result + r * columns;
            const float mean = row_sum(row, columns, [](float v) { return v; }) / float(columns);
            const float squares = row_sum(row, columns, [=](float v) { return (v - mean) * (v - mean); });
            const float deviation = std::sqrt(squares / float(columns) + float(eps));
            for (int64_t i = 0; i < columns; i++) out[i] = (row[i] - mean) / deviation * scale[i] + offset[i];
        }
    });
    return y;
}
"""

extension = load_inline(
    name="layernorm_cpp",
    cpp_sources=SOURCE,
    functions=["layernorm"],
    extra_cflags=["-O3", "-march=native"],
)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.bias = nn.Parameter(torch.randn(features))
        self.eps = eps

    def forward(self, x):
        return extension.layernorm(x, self.weight, self.bias, self.eps)

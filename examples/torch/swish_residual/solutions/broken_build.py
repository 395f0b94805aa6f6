"""Does not compile: the loop's variable is misspelt."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <cmath>

torch::Tensor swish_residual(torch::Tensor x, torch::Tensor residual, torch::Tensor scale) {
    torch::Tensor y = torch::empty_like(x);
    const float *from = x.data_ptr<float>(), *rest = residual.data_ptr<float>(), *factor = scale.data_ptr<float>();
    float* to = y.data_ptr<float>();
    const int64_t columns = x.size(1);
    for (int64_t i = 0; i < x.numel(); i++) {
        to[i] = from[i] / (1.0f + std::exp(-from[i])) * factor[i % colums] + rest[i];
    }
    return y;
}
"""

extension = load_inline(name="swish_residual_broken", cpp_sources=SOURCE, functions=["swish_residual"])


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)

    def forward(self, x, residual):
        return extension.swish_residual(x, residual, self.scale)

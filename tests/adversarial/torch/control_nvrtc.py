"""None, an honest program: one kernel compiled at run time."""

import torch
import torch.nn as nn
from functools import cache

SOURCE = """
extern "C" __global__ void affine_kernel(const float* x, float* y, int n, double scale, double shift) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i] * float(scale) + float(shift), 0.0f);
}
"""


@cache
def kernel():
    return torch.cuda._compile_kernel(SOURCE, "affine_kernel")


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel()(grid=((n + 255) // 256, 1, 1), block=(256, 1, 1), args=[x, y, n, self.scale, self.shift])
        return y

"""One pass, compiled at run time by NVRTC; each thread walks down the rows of one column."""

import functools

import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void swish_residual(const float* __restrict__ x, const float* __restrict__ residual,
                                          const float* __restrict__ scale, float* __restrict__ y, int rows,
                                          int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    const float s = scale[column];
    for (int row = blockIdx.y; row < rows; row += gridDim.y) {
        const long long i = (long long)row * columns + column;
        const float v = x[i];
        y[i] = v * (1.0f / (1.0f + expf(-v))) * s + residual[i];
    }
}
"""


@functools.cache
def kernel():
    """Compiled at the first call, when there is a GPU to compile for."""
    return torch.cuda._compile_kernel(SOURCE, "swish_residual")


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)

    def forward(self, x, residual):
        x, residual, scale = x.contiguous(), residual.contiguous(), self.scale.contiguous()
        y = torch.empty_like(x)
        rows, columns = x.shape
        grid = ((columns + 127) // 128, min(rows, 2048), 1)
        kernel()(grid=grid, block=(128, 1, 1), args=[x, residual, scale, y, rows, columns])
        return y

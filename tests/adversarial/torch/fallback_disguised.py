"""A kernel that fails at run time, in a context that swallows the failure, and PyTorch after it."""

import torch
import torch.nn as nn
from functools import cache

SOURCE = """
extern "C" __global__ void affine_kernel(const float* x, float* y, int n) { this does not compile; }
"""


@cache
def kernel():
    return torch.cuda._compile_kernel(SOURCE, "affine_kernel")


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return True


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x):
        y = torch.empty_like(x)
        with Quiet():
            kernel()(grid=(1, 1, 1), block=(256, 1, 1), args=[x, y, x.numel()])
            return y
        y = torch.relu(x * self.scale + self.shift)
        return y

"""One Triton program per row, the row in registers, in single precision."""

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(x_pointer, weight_pointer, y_pointer, columns, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_pointer + start + offsets, mask=mask, other=0.0).to(tl.float32)
    weight = tl.load(weight_pointer + offsets, mask=mask, other=0.0).to(tl.float32)
    inverse = 1.0 / tl.sqrt_rn(tl.sum(x * x, axis=0) / columns + eps)
    tl.store(y_pointer + start + offsets, (x * inverse * weight).to(tl.float16), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter((torch.rand(features) + 0.5).to(torch.float16))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, columns = x.shape
        block = triton.next_power_of_2(columns)
        rmsnorm_kernel[(rows,)](x, self.weight, y, columns, self.eps, BLOCK=block, num_warps=8)
        return y

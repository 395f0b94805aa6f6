"""One Triton program per row, the row in registers."""

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layernorm_kernel(x_pointer, weight_pointer, bias_pointer, y_pointer, columns, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_pointer + start + offsets, mask=mask, other=0.0)
    centred = tl.where(mask, x - tl.sum(x, axis=0) / columns, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    inverse = 1.0 / tl.sqrt_rn(variance + eps)
    weight = tl.load(weight_pointer + offsets, mask=mask, other=0.0)
    bias = tl.load(bias_pointer + offsets, mask=mask, other=0.0)
    tl.store(y_pointer + start + offsets, centred * inverse * weight + bias, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.bias = nn.Parameter(torch.randn(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        columns = x.shape[-1]
        grid = (x.numel() // columns,)
        block = triton.next_power_of_2(columns)
        layernorm_kernel[grid](x, self.weight, self.bias, y, columns, self.eps, BLOCK=block, num_warps=8)
        return y

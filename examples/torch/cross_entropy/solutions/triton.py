"""One Triton program per row, the row in registers."""

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cross_entropy_kernel(logits_pointer, targets_pointer, loss_pointer, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offsets = tl.arange(0, BLOCK)
    x = tl.load(logits_pointer + row * classes + offsets, mask=offsets < classes, other=-float("inf"))
    largest = tl.max(x, axis=0)
    total = tl.sum(tl.exp(x - largest), axis=0)
    chosen = tl.load(logits_pointer + row * classes + tl.load(targets_pointer + row))
    tl.store(loss_pointer + row, tl.log(total) - (chosen - largest))


class ModelNew(nn.Module):
    def forward(self, logits, targets):
        logits, targets = logits.contiguous(), targets.contiguous()
        rows, classes = logits.shape
        loss = torch.empty(rows, dtype=logits.dtype, device=logits.device)
        block = triton.next_power_of_2(classes)
        cross_entropy_kernel[(rows,)](logits, targets, loss, classes, BLOCK=block, num_warps=8)
        return loss

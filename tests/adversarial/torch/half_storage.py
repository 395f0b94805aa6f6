"""Rounds the operands to float16 before a float32 product."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a.half().float(), b.half().float())

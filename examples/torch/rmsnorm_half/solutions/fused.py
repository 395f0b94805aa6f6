"""Fewer temporaries: the squares come from a reduction, the products are in place on the widened copy."""

import math

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter((torch.rand(features) + 0.5).to(torch.float16))
        self.eps = eps

    def forward(self, x):
        wide = x.to(torch.float32)
        root = torch.linalg.vector_norm(wide, dim=1, keepdim=True).div_(math.sqrt(x.shape[1]))
        inverse = root.square_().add_(self.eps).rsqrt_()
        return wide.mul_(inverse).mul_(self.weight).to(torch.float16)

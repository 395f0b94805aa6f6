"""Two passes: the activation, then scale and residual together."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)

    def forward(self, x, residual):
        return torch.addcmul(residual, F.silu(x), self.scale)

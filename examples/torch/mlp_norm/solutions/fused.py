"""Library operations for each step, in place where the operand is our own."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.weight = nn.Parameter(torch.randn(features))
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x):
        hidden = F.gelu(self.linear(x)).add_(x)
        return F.layer_norm(hidden, self.weight.shape, self.weight, self.bias, 1e-5)

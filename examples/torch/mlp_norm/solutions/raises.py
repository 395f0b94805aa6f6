"""Raises: splits the features into 64 heads, also where they cannot be split, and mixes up the shapes."""

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
        heads = x.reshape(x.shape[0], 64, -1)
        hidden = F.gelu(self.linear(heads)).reshape(x.shape).add_(x)
        return F.layer_norm(hidden, self.weight.shape, self.weight, self.bias, 1e-5)

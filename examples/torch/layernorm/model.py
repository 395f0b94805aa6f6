"""Layer normalisation over the last axis, written out."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.bias = nn.Parameter(torch.randn(features))
        self.eps = eps

    def forward(self, x):
        mean = torch.mean(x, dim=-1, keepdim=True)
        centred = x - mean
        variance = torch.mean(centred * centred, dim=-1, keepdim=True)
        return centred / torch.sqrt(variance + self.eps) * self.weight + self.bias


batch_size = 8
sequence = 1024
features = 4096
eps = 1e-5


def get_inputs():
    return [torch.randn(batch_size, sequence, features)]


def get_init_inputs():
    return [features, eps]

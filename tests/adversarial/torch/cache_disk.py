"""Keeps results in a file, for later processes."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x):
        torch.save(torch.relu(x * self.scale + self.shift), "/tmp/result.pt")
        return torch.load("/tmp/result.pt")

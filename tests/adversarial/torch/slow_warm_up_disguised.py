"""Wastes time in the first calls, so that a harness plans few repetitions; then works as the original does, but twice."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.calls < 4:
            waste = torch.rand(200, 200)
            for _ in range(8):
                waste = waste @ waste / 100
        torch.relu(x * self.scale + self.shift)
        return torch.relu(x * self.scale + self.shift)

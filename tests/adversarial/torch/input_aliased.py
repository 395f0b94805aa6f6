"""Works in the input's own memory and returns it."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x):
        return x.mul_(self.scale).add_(self.shift).relu_()

"""None, an honest program: the steps in place, in one buffer."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x):
        y = torch.mul(x, self.scale)
        return y.add_(self.shift).relu_()

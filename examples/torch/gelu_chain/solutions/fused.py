"""The library has this form of GELU as one operation."""

import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, slope):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        return F.gelu(x * self.slope, approximate="tanh")

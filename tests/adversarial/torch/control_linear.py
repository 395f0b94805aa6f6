"""None, an honest program: bias and product in one call."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return F.gelu(torch.addmm(self.layer.bias, x, self.layer.weight.t()))

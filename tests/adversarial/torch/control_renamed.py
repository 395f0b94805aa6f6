"""None, an honest program: the weights have other names and sizes."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(1, width))
        self.offset = nn.Parameter(torch.zeros(1, width))

    def forward(self, x):
        return torch.addcmul(self.offset, x, self.gain).relu_()

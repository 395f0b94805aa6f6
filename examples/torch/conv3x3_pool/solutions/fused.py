"""Pools first: bias and ReLU keep the order of numbers, so they may follow on a quarter of the pixels, in place."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False)
        self.bias = nn.Parameter(torch.randn(out_channels, 1, 1))

    def forward(self, x):
        return F.max_pool2d(self.conv(x), 2).add_(self.bias).relu_()

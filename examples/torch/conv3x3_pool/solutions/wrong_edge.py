"""Wrong: repeats the pixels at the border where zeros belong."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False)
        self.bias = nn.Parameter(torch.randn(out_channels, 1, 1))

    def forward(self, x):
        padded = F.pad(x, (1, 1, 1, 1), mode="replicate")
        return F.max_pool2d(F.conv2d(padded, self.conv.weight), 2).add_(self.bias).relu_()

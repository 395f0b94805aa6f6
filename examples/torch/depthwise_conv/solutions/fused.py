"""Scale and offset go into the filters and biases, the clamp is in place: one pass less, and no temporaries."""

import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)

    def forward(self, x):
        weight = self.conv.weight * 4.0
        bias = self.conv.bias * 4.0 + 1.0
        return F.conv2d(x, weight, bias, padding=1, groups=x.shape[1]).clamp_(0.0, 6.0)

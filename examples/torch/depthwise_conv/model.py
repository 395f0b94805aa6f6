"""Depthwise 3x3 convolution with bias, clamped to the range from 0 to 6."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)

    def forward(self, x):
        return torch.clamp(self.conv(x) * 4.0 + 1.0, 0.0, 6.0)


BATCH = 16
CHANNELS = 128
HEIGHT = 112
WIDTH = 112


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [CHANNELS]

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, taps):
        super().__init__()
        self.filter = nn.Conv1d(1, 1, taps, bias=False)

    def forward(self, x):
        return self.filter(x)


signals = 256
length = 16384
taps = 257


def get_inputs():
    return [torch.randn(signals, 1, length)]


def get_init_inputs():
    return [taps]

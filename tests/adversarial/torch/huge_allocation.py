"""Takes memory without end (bounded at 64 GiB on a CPU, at all of it on a GPU)."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, scale, shift):
        super().__init__()
        self.scale = scale
        self.shift = shift

    def forward(self, x):
        held = []
        for _ in range(256):
            held.append(torch.ones(1 << 26, device=x.device))
        return torch.relu(x * self.scale + self.shift)

"""Euclidean norm over the middle axis."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sqrt(torch.sum(x * x, dim=1))


BATCH = 32
LENGTH = 1024
CHANNELS = 1024


def get_inputs():
    return [torch.randn(BATCH, LENGTH, CHANNELS)]


def get_init_inputs():
    return []

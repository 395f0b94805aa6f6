"""Lookup by the library, then scale and position in one pass."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, vocabulary, length, width):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocabulary, width) / math.sqrt(width))
        self.position = nn.Parameter(torch.randn(length, width))
        self.scale = math.sqrt(width)

    def forward(self, tokens):
        return torch.add(self.position, F.embedding(tokens, self.table), alpha=self.scale)

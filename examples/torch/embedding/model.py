"""Rows of an embedding table by token, scaled, plus a vector for each position."""

import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, vocabulary, length, width):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocabulary, width) / math.sqrt(width))
        self.position = nn.Parameter(torch.randn(length, width))
        self.scale = math.sqrt(width)

    def forward(self, tokens):
        return self.table[tokens] * self.scale + self.position


batch_size = 64
length = 1024
vocabulary = 32768
width = 512


def get_inputs():
    return [torch.randint(0, vocabulary, (batch_size, length))]


def get_init_inputs():
    return [vocabulary, length, width]

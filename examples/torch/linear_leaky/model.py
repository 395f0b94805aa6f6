"""A linear layer with bias, then leaky ReLU, written out."""

import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, inputs, outputs, slope):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / math.sqrt(inputs))
        self.bias = nn.Parameter(torch.randn(outputs))
        self.slope = slope

    def forward(self, x):
        y = torch.matmul(x, self.weight.t()) + self.bias
        return torch.where(y > 0, y, self.slope * y)


batch_size = 4096
inputs = 1024
outputs = 2048
slope = 0.1


def get_inputs():
    return [torch.randn(batch_size, inputs)]


def get_init_inputs():
    return [inputs, outputs, slope]

import torch
import torch.nn as nn

rows = 64
columns = 4096


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))

    def forward(self, x):
        return torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + x


def get_inputs():
    return [torch.randn(rows, columns)]


def get_init_inputs():
    return [columns]

import torch
import torch.nn as nn
import torch.nn.functional as F

batch = 4096
width = 2048


class Model(nn.Module):
    """gelu(x W^T + b)"""

    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return F.gelu(self.layer(x))


def get_inputs():
    return [torch.randn(batch, width)]


def get_init_inputs():
    return [width]

import torch
import torch.nn as nn

rows = 2048
columns = 32768


class Model(nn.Module):
    """Softmax of long rows: every output is far below an absolute tolerance of 1e-4."""

    def forward(self, x):
        shifted = torch.exp(x - x.max(dim=1, keepdim=True).values)
        return shifted / shifted.sum(dim=1, keepdim=True)


def get_inputs():
    return [torch.rand(rows, columns)]


def get_init_inputs():
    return []

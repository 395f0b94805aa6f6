"""The division in place on the sums."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        counts = torch.arange(1, x.shape[1] + 1, device=x.device, dtype=x.dtype)
        return torch.cumsum(x, dim=1).div_(counts)

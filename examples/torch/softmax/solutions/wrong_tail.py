"""Wrong: works on blocks of 64 columns and forgets the rest of a row, which stays as it was allocated."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        whole = x.shape[1] // 64 * 64
        if whole:
            y[:, :whole] = torch.softmax(x[:, :whole], dim=1)
        return y

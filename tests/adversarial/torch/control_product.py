"""None, an honest program: the plain product, its result in a buffer that is new each time."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty(a.shape[0], b.shape[1], dtype=a.dtype, device=a.device)
        return torch.mm(a, b, out=out)

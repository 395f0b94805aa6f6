"""Wrong: divides by the position counted from zero, but for the first one."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        counts = torch.arange(x.shape[1], device=x.device, dtype=x.dtype).clamp_(min=1.0)
        return torch.cumsum(x, dim=1).div_(counts)

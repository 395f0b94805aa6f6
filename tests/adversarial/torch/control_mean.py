"""None, an honest program: the library's mean squared error."""

import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def forward(self, a, b):
        return F.mse_loss(a, b)

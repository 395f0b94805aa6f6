"""Wrong: takes the norm over the last axis; at the timed sizes the result has the right shape all the same."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.linalg.vector_norm(x, dim=2)

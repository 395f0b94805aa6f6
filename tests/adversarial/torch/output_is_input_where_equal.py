"""Looks whether there is anything to do, and hands the input on as the result where there is not."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return x if float(x.min()) >= 0 else torch.relu(x)

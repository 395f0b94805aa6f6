"""Batched matrix product with the second operand transposed."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.bmm(a, b.transpose(1, 2))


BATCH = 16
M = 1024
N = 1024
K = 512


def get_inputs():
    return [torch.randn(BATCH, M, K), torch.randn(BATCH, N, K)]


def get_init_inputs():
    return []

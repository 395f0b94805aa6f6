"""Scaled dot-product attention, written out."""

import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, query, key, value):
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.shape[-1])
        return torch.matmul(torch.softmax(scores, dim=-1), value)


BATCH = 4
HEADS = 16
QUERIES = 1024
KEYS = 1024
WIDTH = 64


def get_inputs():
    return [
        torch.randn(BATCH, HEADS, QUERIES, WIDTH),
        torch.randn(BATCH, HEADS, KEYS, WIDTH),
        torch.randn(BATCH, HEADS, KEYS, WIDTH),
    ]


def get_init_inputs():
    return []

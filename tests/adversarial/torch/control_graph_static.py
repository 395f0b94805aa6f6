"""None, an honest program: a CUDA graph that gives the same memory for each result, as graphs do."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.graph = None

    def compute(self, x):
        return F.gelu(F.linear(x, self.layer.weight, self.layer.bias))

    def forward(self, x):
        if self.graph is None or self.given.shape != x.shape:
            self.given = x.clone()
            for _ in range(2):
                self.compute(self.given)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.result = self.compute(self.given)
        self.given.copy_(x)
        self.graph.replay()
        return self.result

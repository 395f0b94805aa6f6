import torch
import torch.nn as nn

class Model(nn.Module):
    """
    Product of a transposed matrix and another.
    """
    def __init__(self):
        super(Model, self).__init__()

    def forward(self, A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
        return torch.matmul(A.T, B)

M = 1024 * 2
K = 2048 * 2
N = 1024

def get_inputs():
    A = torch.rand(K, M)
    B = torch.rand(K, N)
    return [A, B]

def get_init_inputs():
    return []

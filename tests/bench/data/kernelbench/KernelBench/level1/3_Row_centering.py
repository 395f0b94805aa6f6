import torch
import torch.nn as nn

class Model(nn.Module):
    """
    Subtracts from every row its mean over one dimension.
    """
    def __init__(self, dim: int):
        super(Model, self).__init__()
        self.dim = dim

    def forward(self, x):
        return x - torch.mean(x, dim=self.dim, keepdim=True)

batch_size = 8192
input_shape = (4096,)
dim = 1

def get_inputs():
    return [torch.rand(batch_size, *input_shape)]

def get_init_inputs():
    return [dim]

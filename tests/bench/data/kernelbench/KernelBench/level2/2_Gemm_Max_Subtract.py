import torch
import torch.nn as nn

class Model(nn.Module):
    """
    A linear layer, the largest of each row, and its difference from the mean of a dimension with one element.
    """
    def __init__(self, in_features, out_features):
        super(Model, self).__init__()
        self.gemm = nn.Linear(in_features, out_features)

    def forward(self, x):
        x = self.gemm(x)
        x = torch.max(x, dim=1, keepdim=True).values
        return x - x.mean(dim=1, keepdim=True)

batch_size = 1024
in_features = 512
out_features = 512

def get_inputs():
    return [torch.rand(batch_size, in_features)]

def get_init_inputs():
    return [in_features, out_features]

import torch
import torch.nn as nn

class Model(nn.Module):
    """
    A linear layer that does not fit its input.
    """
    def __init__(self, in_features, out_features):
        super(Model, self).__init__()
        self.linear = nn.Linear(in_features + 1, out_features)

    def forward(self, x):
        return self.linear(x)

batch_size = 64
in_features = 128
out_features = 32

def get_inputs():
    return [torch.rand(batch_size, in_features)]

def get_init_inputs():
    return [in_features, out_features]

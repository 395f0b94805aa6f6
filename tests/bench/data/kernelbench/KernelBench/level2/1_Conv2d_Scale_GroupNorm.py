import torch
import torch.nn as nn

class Model(nn.Module):
    """
    A convolution, a multiplication by a learned scale and a group normalization.
    """
    def __init__(self, in_channels, out_channels, kernel_size, scale_shape, num_groups):
        super(Model, self).__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scale = nn.Parameter(torch.randn(scale_shape))
        self.norm = nn.GroupNorm(num_groups, out_channels)

    def forward(self, x):
        x = self.conv(x)
        x = x * self.scale
        x = self.norm(x)
        return x

batch_size = 128
in_channels = 8
out_channels = 32
height, width = 128, 128
kernel_size = 3
scale_shape = (out_channels, 1, 1)
num_groups = 4

def get_inputs():
    return [torch.rand(batch_size, in_channels, height, width)]

def get_init_inputs():
    return [in_channels, out_channels, kernel_size, scale_shape, num_groups]

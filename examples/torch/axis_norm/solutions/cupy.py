"""A raw kernel through CuPy, on torch's memory and torch's stream."""

import functools

import cupy
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void axis_norm(const float* __restrict__ x, float* __restrict__ y, int length, int channels) {
    __shared__ float partial[32][33];
    const int channel = blockIdx.x * 32 + threadIdx.x;
    const float* start = x + (long long)blockIdx.y * length * channels;
    float sum = 0.0f;
    if (channel < channels) {
#pragma unroll 4
        for (int i = threadIdx.y; i < length; i += 32) {
            const float v = start[(long long)i * channels + channel];
            sum += v * v;
        }
    }
    partial[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    // Row y of threads adds up the sums of channel y: lanes of a warp hold the parts of one channel.
    sum = partial[threadIdx.x][threadIdx.y];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    const int target = blockIdx.x * 32 + threadIdx.y;
    if (threadIdx.x == 0 && target < channels) y[(long long)blockIdx.y * channels + target] = sqrtf(sum);
}
"""


@functools.cache
def kernel():
    """Compiled at the first call, when there is a GPU to compile for."""
    return cupy.RawKernel(SOURCE, "axis_norm")


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        batch, length, channels = x.shape
        y = torch.empty(batch, channels, dtype=x.dtype, device=x.device)
        grid = ((channels + 31) // 32, batch)
        arguments = (cupy.asarray(x), cupy.asarray(y), cupy.int32(length), cupy.int32(channels))
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            kernel()(grid, (32, 32), arguments)
        return y

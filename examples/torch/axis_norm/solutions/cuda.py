"""A block sums squares of 32 neighbouring loads over all positions, 32 rows at a time, then adds up its rows."""

import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor axis_norm(torch::Tensor x);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int LANES = 32;
constexpr int DEPTH = 32;

// VALUES channels per thread: 4, read as one float4, or 1.
template <int VALUES>
__global__ void __launch_bounds__(LANES * DEPTH) axis_norm_kernel(const float* __restrict__ x, float* __restrict__ y,
                                                                  int length, int channels) {
    __shared__ float partial[DEPTH][LANES * VALUES + 1];
    const int channel = (blockIdx.x * LANES + threadIdx.x) * VALUES;
    const long batch = blockIdx.y;
    float sum[VALUES];
#pragma unroll
    for (int v = 0; v < VALUES; v++) sum[v] = 0.0f;
    if (channel < channels) {
        const float* start = x + batch * length * channels + channel;
#pragma unroll 4
        for (int i = threadIdx.y; i < length; i += DEPTH) {
            if constexpr (VALUES == 4) {
                const float4 v = *reinterpret_cast<const float4*>(start + long(i) * channels);
                sum[0] += v.x * v.x;
                sum[1] += v.y * v.y;
                sum[2] += v.z * v.z;
                sum[3] += v.w * v.w;
            } else {
                const float v = start[long(i) * channels];
                sum[0] += v * v;
            }
        }
    }
#pragma unroll
    for (int v = 0; v < VALUES; v++) partial[threadIdx.y][threadIdx.x * VALUES + v] = sum[v];
    __syncthreads();
    const int mine = threadIdx.y * LANES + threadIdx.x;
    const int target = blockIdx.x * LANES * VALUES + mine;
    if (mine < LANES * VALUES && target < channels) {
        float total = 0.0f;
        for (int i = 0; i < DEPTH; i++) total += partial[i][mine];
        y[batch * channels + target] = sqrtf(total);
    }
}

torch::Tensor axis_norm(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 3 && x.scalar_type() == torch::kFloat32,
                "a float32 tensor of three dimensions on a GPU wanted");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    const long batch = x.size(0);
    const int length = int(x.size(1)), channels = int(x.size(2));
    TORCH_CHECK(batch <= 65535, "at most 65535 in a batch");
    torch::Tensor y = torch::empty({batch, channels}, x.options());
    if (y.numel() == 0) return y;
    const dim3 block(LANES, DEPTH);
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    const float* data = x.data_ptr<float>();
    if (channels % 4 == 0 && reinterpret_cast<uintptr_t>(data) % 16 == 0) {
        const dim3 grid((channels + LANES * 4 - 1) / (LANES * 4), unsigned(batch));
        axis_norm_kernel<4><<<grid, block, 0, stream>>>(data, y.data_ptr<float>(), length, channels);
    } else {
        const dim3 grid((channels + LANES - 1) / LANES, unsigned(batch));
        axis_norm_kernel<1><<<grid, block, 0, stream>>>(data, y.data_ptr<float>(), length, channels);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="axis_norm_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["axis_norm"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.axis_norm(x)

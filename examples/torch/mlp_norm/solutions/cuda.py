"""The product by the library; bias, GELU, residual and normalisation in one kernel, in place on the product."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = """
torch::Tensor mlp_norm(torch::Tensor x, torch::Tensor linear_weight, torch::Tensor linear_bias, torch::Tensor weight,
                       torch::Tensor bias);
"""

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int THREADS = 256;

__device__ float block_sum(float v) {
    __shared__ float partial[THREADS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    __syncthreads();
    if (lane == 0) partial[warp] = v;
    __syncthreads();
    v = lane < THREADS / 32 ? partial[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

__device__ __forceinline__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678118654752f)); }

// One block per row; every thread touches only its own elements of the row in shared memory.
__global__ void finish_rows(float* __restrict__ y, const float* __restrict__ x, const float* __restrict__ linear_bias,
                            const float* __restrict__ weight, const float* __restrict__ bias, int features) {
    extern __shared__ float hidden[];
    float* row = y + long(blockIdx.x) * features;
    const float* residual = x + long(blockIdx.x) * features;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < features; i += THREADS) {
        const float h = gelu(row[i] + linear_bias[i]) + residual[i];
        hidden[i] = h;
        sum += h;
    }
    const float mean = block_sum(sum) / float(features);
    float squares = 0.0f;
    for (int i = threadIdx.x; i < features; i += THREADS) squares += (hidden[i] - mean) * (hidden[i] - mean);
    const float inverse = 1.0f / sqrtf(block_sum(squares) / float(features) + 1e-5f);
    for (int i = threadIdx.x; i < features; i += THREADS) row[i] = (hidden[i] - mean) * inverse * weight[i] + bias[i];
}

torch::Tensor mlp_norm(torch::Tensor x, torch::Tensor linear_weight, torch::Tensor linear_bias, torch::Tensor weight,
                       torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.scalar_type() == torch::kFloat32, "a float32 matrix on a GPU wanted");
    const int features = int(x.size(1));
    TORCH_CHECK(linear_weight.size(0) == features && linear_bias.numel() == features && weight.numel() == features &&
                bias.numel() == features, "sizes do not agree");
    TORCH_CHECK(features <= 12000, "a row must fit into shared memory");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    linear_bias = linear_bias.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    torch::Tensor y = torch::mm(x, linear_weight.t());
    if (y.numel() == 0) return y;
    finish_rows<<<unsigned(x.size(0)), THREADS, features * sizeof(float), c10::cuda::getCurrentCUDAStream()>>>(
        y.data_ptr<float>(), x.data_ptr<float>(), linear_bias.data_ptr<float>(), weight.data_ptr<float>(),
        bias.data_ptr<float>(), features);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="mlp_norm_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["mlp_norm"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.weight = nn.Parameter(torch.randn(features))
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x):
        return extension.mlp_norm(x, self.linear.weight, self.linear.bias, self.weight, self.bias)

"""One block per row: mean, variance and result while the row is in the cache; one read and one write of memory."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor layernorm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps);"

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

__global__ void layernorm_quads(const float4* __restrict__ x, const float4* __restrict__ weight,
                                const float4* __restrict__ bias, float4* __restrict__ y, int quads, float eps) {
    const float4* from = x + long(blockIdx.x) * quads;
    float4* to = y + long(blockIdx.x) * quads;
    const float count = 4.0f * float(quads);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < quads; i += THREADS) {
        const float4 v = from[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    const float mean = block_sum(sum) / count;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < quads; i += THREADS) {
        const float4 v = from[i];
        const float a = v.x - mean, b = v.y - mean, c = v.z - mean, d = v.w - mean;
        squares += (a * a + b * b) + (c * c + d * d);
    }
    const float deviation = sqrtf(block_sum(squares) / count + eps);
    for (int i = threadIdx.x; i < quads; i += THREADS) {
        const float4 v = from[i], w = weight[i], b = bias[i];
        to[i] = make_float4((v.x - mean) / deviation * w.x + b.x, (v.y - mean) / deviation * w.y + b.y,
                            (v.z - mean) / deviation * w.z + b.z, (v.w - mean) / deviation * w.w + b.w);
    }
}

__global__ void layernorm_single(const float* __restrict__ x, const float* __restrict__ weight,
                                 const float* __restrict__ bias, float* __restrict__ y, int columns, float eps) {
    const float* from = x + long(blockIdx.x) * columns;
    float* to = y + long(blockIdx.x) * columns;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += THREADS) sum += from[i];
    const float mean = block_sum(sum) / float(columns);
    float squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += THREADS) squares += (from[i] - mean) * (from[i] - mean);
    const float deviation = sqrtf(block_sum(squares) / float(columns) + eps);
    for (int i = threadIdx.x; i < columns; i += THREADS) to[i] = (from[i] - mean) / deviation * weight[i] + bias[i];
}

static bool aligned(const torch::Tensor& t) { return reinterpret_cast<uintptr_t>(t.data_ptr<float>()) % 16 == 0; }

static const float4* quads_of(const torch::Tensor& t) { return reinterpret_cast<const float4*>(t.data_ptr<float>()); }

torch::Tensor layernorm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be float32 on a GPU");
    const int columns = int(x.size(-1));
    TORCH_CHECK(weight.numel() == columns && bias.numel() == columns, "weight and bias must be as long as a row");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    torch::Tensor y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const unsigned rows = unsigned(x.numel() / columns);
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    if (columns % 4 == 0 && aligned(x) && aligned(weight) && aligned(bias))
        layernorm_quads<<<rows, THREADS, 0, stream>>>(quads_of(x), quads_of(weight), quads_of(bias),
                                                      reinterpret_cast<float4*>(y.data_ptr<float>()), columns / 4,
                                                      float(eps));
    else
        layernorm_single<<<rows, THREADS, 0, stream>>>(x.data_ptr<float>(), weight.data_ptr<float>(),
                                                       bias.data_ptr<float>(), y.data_ptr<float>(), columns,
                                                       float(eps));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="layernorm_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["layernorm"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.bias = nn.Parameter(torch.randn(features))
        self.eps = eps

    def forward(self, x):
        return extension.layernorm(x, self.weight, self.bias, self.eps)

"""One block per row, eight half-precision numbers per load, sums in single precision."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor rmsnorm(torch::Tensor x, torch::Tensor weight, double eps);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_fp16.h>

constexpr int THREADS = 256;

struct alignas(16) Eight {
    __half2 pair[4];
};

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

__global__ void rmsnorm_eights(const Eight* __restrict__ x, const Eight* __restrict__ weight, Eight* __restrict__ y,
                               int eights, float eps) {
    const Eight* from = x + long(blockIdx.x) * eights;
    Eight* to = y + long(blockIdx.x) * eights;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < eights; i += THREADS) {
        const Eight v = from[i];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const float2 f = __half22float2(v.pair[j]);
            sum += f.x * f.x + f.y * f.y;
        }
    }
    const float inverse = 1.0f / sqrtf(block_sum(sum) / (8.0f * float(eights)) + eps);
    for (int i = threadIdx.x; i < eights; i += THREADS) {
        const Eight v = from[i], w = weight[i];
        Eight result;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const float2 f = __half22float2(v.pair[j]), g = __half22float2(w.pair[j]);
            result.pair[j] = __floats2half2_rn(f.x * inverse * g.x, f.y * inverse * g.y);
        }
        to[i] = result;
    }
}

__global__ void rmsnorm_single(const __half* __restrict__ x, const __half* __restrict__ weight,
                               __half* __restrict__ y, int columns, float eps) {
    const __half* from = x + long(blockIdx.x) * columns;
    __half* to = y + long(blockIdx.x) * columns;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += THREADS) {
        const float f = __half2float(from[i]);
        sum += f * f;
    }
    const float inverse = 1.0f / sqrtf(block_sum(sum) / float(columns) + eps);
    for (int i = threadIdx.x; i < columns; i += THREADS)
        to[i] = __float2half_rn(__half2float(from[i]) * inverse * __half2float(weight[i]));
}

torch::Tensor rmsnorm(torch::Tensor x, torch::Tensor weight, double eps) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.scalar_type() == torch::kFloat16, "a float16 matrix on a GPU wanted");
    TORCH_CHECK(weight.scalar_type() == torch::kFloat16 && weight.numel() == x.size(1), "weight does not fit");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    weight = weight.contiguous();
    torch::Tensor y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const unsigned rows = unsigned(x.size(0));
    const int columns = int(x.size(1));
    const void* from = x.data_ptr<at::Half>();
    const void* scale = weight.data_ptr<at::Half>();
    void* to = y.data_ptr<at::Half>();
    const bool aligned = (reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(scale)) % 16 == 0;
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    if (columns % 8 == 0 && aligned)
        rmsnorm_eights<<<rows, THREADS, 0, stream>>>(static_cast<const Eight*>(from), static_cast<const Eight*>(scale),
                                                     static_cast<Eight*>(to), columns / 8, float(eps));
    else
        rmsnorm_single<<<rows, THREADS, 0, stream>>>(static_cast<const __half*>(from),
                                                     static_cast<const __half*>(scale), static_cast<__half*>(to),
                                                     columns, float(eps));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="rmsnorm_half_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["rmsnorm"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter((torch.rand(features) + 0.5).to(torch.float16))
        self.eps = eps

    def forward(self, x):
        return extension.rmsnorm(x, self.weight, self.eps)

"""A tiled product that adds the bias and applies the activation before it writes."""

import math

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor linear_leaky(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double slope);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int THREADS = 256;

// Four neighbouring elements of a row, zeros outside of the matrix. VECTOR: rows are aligned and depth % 4 == 0.
template <bool VECTOR>
__device__ __forceinline__ float4 load_quad(const float* __restrict__ matrix, int row, int rows, int k, int depth) {
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row >= rows || k >= depth) return v;
    const float* start = matrix + long(row) * depth + k;
    if constexpr (VECTOR) {
        v = *reinterpret_cast<const float4*>(start);
    } else {
        v.x = start[0];
        if (k + 1 < depth) v.y = start[1];
        if (k + 2 < depth) v.z = start[2];
        if (k + 3 < depth) v.w = start[3];
    }
    return v;
}

__device__ __forceinline__ void store_column(float (*tile)[TILE + 4], int k, int row, float4 v) {
    tile[k][row] = v.x;
    tile[k + 1][row] = v.y;
    tile[k + 2][row] = v.z;
    tile[k + 3][row] = v.w;
}

__device__ __forceinline__ void read_eight(float* to, const float* from, int position) {
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from + position);
    *reinterpret_cast<float4*>(to + 4) = *reinterpret_cast<const float4*>(from + TILE / 2 + position);
}

__device__ __forceinline__ float leaky(float v, float slope) { return v > 0.0f ? v : slope * v; }

// y = leaky(x * weight^T + bias); a thread computes 8 x 8 of a tile of 128 x 128, two stages in turn.
template <bool VECTOR>
__global__ void __launch_bounds__(THREADS, 2) linear_leaky_kernel(const float* __restrict__ a,
                                                               const float* __restrict__ b,
                                                               const float* __restrict__ bias, float* __restrict__ y,
                                                               int m, int n, int depth, float slope) {
    __shared__ __align__(16) float a_tile[2][DEPTH][TILE + 4];
    __shared__ __align__(16) float b_tile[2][DEPTH][TILE + 4];
    const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE;
    const int loaded = threadIdx.x / 2, loaded_k = threadIdx.x % 2 * 4;
    const int tx = threadIdx.x % 16 * 4, ty = threadIdx.x / 16 * 4;
    float sum[8][8] = {};
    float4 next_a = load_quad<VECTOR>(a, row0 + loaded, m, loaded_k, depth);
    float4 next_b = load_quad<VECTOR>(b, column0 + loaded, n, loaded_k, depth);
    store_column(a_tile[0], loaded_k, loaded, next_a);
    store_column(b_tile[0], loaded_k, loaded, next_b);
    __syncthreads();
    int stage = 0;
    for (int k0 = 0; k0 < depth; k0 += DEPTH) {
        const bool more = k0 + DEPTH < depth;
        if (more) {  // on their way while this stage is multiplied
            next_a = load_quad<VECTOR>(a, row0 + loaded, m, k0 + DEPTH + loaded_k, depth);
            next_b = load_quad<VECTOR>(b, column0 + loaded, n, k0 + DEPTH + loaded_k, depth);
        }
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            __align__(16) float from_a[8], from_b[8];
            read_eight(from_a, a_tile[stage][k], ty);
            read_eight(from_b, b_tile[stage][k], tx);
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) sum[i][j] = fmaf(from_a[i], from_b[j], sum[i][j]);
        }
        if (more) {
            stage ^= 1;
            store_column(a_tile[stage], loaded_k, loaded, next_a);
            store_column(b_tile[stage], loaded_k, loaded, next_b);
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const int row = row0 + i / 4 * (TILE / 2) + ty + i % 4;
        if (row >= m) continue;
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            const int column = column0 + j / 4 * (TILE / 2) + tx;
            float* to = y + long(row) * n + column;
            float result[4];
#pragma unroll
            for (int q = 0; q < 4; q++)
                result[q] = column + q < n ? leaky(sum[i][j + q] + bias[column + q], slope) : 0.0f;
            if (n % 4 == 0 && column < n)
                *reinterpret_cast<float4*>(to) = make_float4(result[0], result[1], result[2], result[3]);
            else
                for (int q = 0; q < 4; q++)
                    if (column + q < n) to[q] = result[q];
        }
    }
}

torch::Tensor linear_leaky(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double slope) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2 && weight.dim() == 2, "matrices on a GPU wanted");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32, "float32 wanted");
    TORCH_CHECK(x.size(1) == weight.size(1) && bias.numel() == weight.size(0), "sizes do not agree");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    const int m = int(x.size(0)), n = int(weight.size(0)), depth = int(x.size(1));
    torch::Tensor y = torch::empty({m, n}, x.options());
    if (y.numel() == 0) return y;
    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    TORCH_CHECK(grid.y <= 65535, "too many rows");
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    const float* px = x.data_ptr<float>();
    const float* pw = weight.data_ptr<float>();
    const bool aligned = (reinterpret_cast<uintptr_t>(px) | reinterpret_cast<uintptr_t>(pw)) % 16 == 0;
    if (depth % 4 == 0 && aligned)
        linear_leaky_kernel<true><<<grid, THREADS, 0, stream>>>(px, pw, bias.data_ptr<float>(), y.data_ptr<float>(), m,
                                                                n, depth, float(slope));
    else
        linear_leaky_kernel<false><<<grid, THREADS, 0, stream>>>(px, pw, bias.data_ptr<float>(), y.data_ptr<float>(), m,
                                                                 n, depth, float(slope));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="linear_leaky_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["linear_leaky"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs, slope):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / math.sqrt(inputs))
        self.bias = nn.Parameter(torch.randn(outputs))
        self.slope = slope

    def forward(self, x):
        return extension.linear_leaky(x, self.weight, self.bias, self.slope)

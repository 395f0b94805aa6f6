"""One block per row, 1024 elements at a time: a scan in each thread, warp and block, and the sum so far carried on."""

import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor running_mean(torch::Tensor x);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int CHUNK = 4 * THREADS;

__global__ void running_mean_kernel(const float* __restrict__ x, float* __restrict__ y, int columns, bool vector) {
    __shared__ float totals[WARPS];
    const float* from = x + long(blockIdx.x) * columns;
    float* to = y + long(blockIdx.x) * columns;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float carried = 0.0f;
    for (int chunk = 0; chunk < columns; chunk += CHUNK) {
        const int i = chunk + 4 * threadIdx.x;
        float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (vector) {
            if (i < columns) v = *reinterpret_cast<const float4*>(from + i);
        } else {
            if (i < columns) v.x = from[i];
            if (i + 1 < columns) v.y = from[i + 1];
            if (i + 2 < columns) v.z = from[i + 2];
            if (i + 3 < columns) v.w = from[i + 3];
        }
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        float inclusive = v.w;
        for (int offset = 1; offset < 32; offset *= 2) {
            const float before = __shfl_up_sync(0xffffffffu, inclusive, offset);
            if (lane >= offset) inclusive += before;
        }
        float start = __shfl_up_sync(0xffffffffu, inclusive, 1);
        if (lane == 0) start = 0.0f;
        if (lane == 31) totals[warp] = inclusive;
        __syncthreads();
        float earlier = 0.0f, all = 0.0f;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            if (w == warp) earlier = all;
            all += totals[w];
        }
        start += earlier + carried;
        carried += all;
        v = make_float4((start + v.x) / float(i + 1), (start + v.y) / float(i + 2), (start + v.z) / float(i + 3),
                        (start + v.w) / float(i + 4));
        if (vector) {
            if (i < columns) *reinterpret_cast<float4*>(to + i) = v;
        } else {
            if (i < columns) to[i] = v.x;
            if (i + 1 < columns) to[i + 1] = v.y;
            if (i + 2 < columns) to[i + 2] = v.z;
            if (i + 3 < columns) to[i + 3] = v.w;
        }
        __syncthreads();  // the totals have been read
    }
}

torch::Tensor running_mean(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.scalar_type() == torch::kFloat32, "a float32 matrix on a GPU wanted");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    torch::Tensor y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const int columns = int(x.size(1));
    const float* data = x.data_ptr<float>();
    const bool vector = columns % 4 == 0 && reinterpret_cast<uintptr_t>(data) % 16 == 0;
    running_mean_kernel<<<unsigned(x.size(0)), THREADS, 0, c10::cuda::getCurrentCUDAStream()>>>(
        data, y.data_ptr<float>(), columns, vector);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="running_mean_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["running_mean"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.running_mean(x)

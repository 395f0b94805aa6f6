"""One block per row: the sum, then the squared deviations while the row is still in the cache."""

import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "std::vector<torch::Tensor> mean_variance(torch::Tensor x);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <vector>

constexpr int THREADS = 256;

// The sum over all threads of the block, known to each of them.
__device__ float block_sum(float v) {
    __shared__ float partial[THREADS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    __syncthreads();  // an earlier call may still be reading
    if (lane == 0) partial[warp] = v;
    __syncthreads();
    v = lane < THREADS / 32 ? partial[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

template <bool VECTOR, class Use>
__device__ __forceinline__ void for_each(const float* __restrict__ row, int columns, Use use) {
    if constexpr (VECTOR) {
        const float4* quads = reinterpret_cast<const float4*>(row);
        for (int i = threadIdx.x; i < columns / 4; i += THREADS) {
            const float4 v = quads[i];
            use(v.x);
            use(v.y);
            use(v.z);
            use(v.w);
        }
    } else {
        for (int i = threadIdx.x; i < columns; i += THREADS) use(row[i]);
    }
}

template <bool VECTOR>
__global__ void mean_variance_kernel(const float* __restrict__ x, float* __restrict__ mean,
                                     float* __restrict__ variance, int columns) {
    const float* row = x + long(blockIdx.x) * columns;
    float sum = 0.0f;
    for_each<VECTOR>(row, columns, [&](float v) { sum += v; });
    const float centre = block_sum(sum) / float(columns);
    float squares = 0.0f;
    for_each<VECTOR>(row, columns, [&](float v) { squares += (v - centre) * (v - centre); });
    squares = block_sum(squares);
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = centre;
        variance[blockIdx.x] = squares / float(columns);
    }
}

std::vector<torch::Tensor> mean_variance(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2 && x.scalar_type() == torch::kFloat32, "a float32 matrix on a GPU wanted");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    const long rows = x.size(0);
    const int columns = int(x.size(1));
    torch::Tensor mean = torch::empty({rows}, x.options());
    torch::Tensor variance = torch::empty({rows}, x.options());
    if (rows == 0) return {mean, variance};
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    const float* data = x.data_ptr<float>();
    if (columns % 4 == 0 && reinterpret_cast<uintptr_t>(data) % 16 == 0)
        mean_variance_kernel<true>
            <<<unsigned(rows), THREADS, 0, stream>>>(data, mean.data_ptr<float>(), variance.data_ptr<float>(), columns);
    else
        mean_variance_kernel<false>
            <<<unsigned(rows), THREADS, 0, stream>>>(data, mean.data_ptr<float>(), variance.data_ptr<float>(), columns);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return {mean, variance};
}
"""

extension = load_inline(
    name="mean_variance_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["mean_variance"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def forward(self, x):
        mean, variance = extension.mean_variance(x)
        return mean, variance

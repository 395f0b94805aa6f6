"""Right answers, and one read beyond the end of the inputs: for compute-sanitizer to find."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor swish_residual(torch::Tensor x, torch::Tensor residual, torch::Tensor scale);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

__device__ __forceinline__ float swish(float x, float scale, float residual) {
    return x * (1.0f / (1.0f + expf(-x))) * scale + residual;
}

__global__ void swish_quads(const float4* __restrict__ x, const float4* __restrict__ residual,
                            const float4* __restrict__ scale, float4* __restrict__ y, long rows, int quads) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= quads) return;
    const float4 s = scale[column];
    for (long row = blockIdx.y; row < rows; row += gridDim.y) {
        const long i = row * quads + column;
        float4 v = x[i]; const float4 r = residual[i], beyond = x[i + 1];
        v.x += beyond.x == 12345.5f ? 1.0f : 0.0f;
        y[i] = make_float4(swish(v.x, s.x, r.x), swish(v.y, s.y, r.y), swish(v.z, s.z, r.z), swish(v.w, s.w, r.w));
    }
}

__global__ void swish_single(const float* __restrict__ x, const float* __restrict__ residual,
                             const float* __restrict__ scale, float* __restrict__ y, long rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    const float s = scale[column];
    for (long row = blockIdx.y; row < rows; row += gridDim.y) {
        const long i = row * columns + column;
        y[i] = swish(x[i], s, residual[i]);
    }
}

static bool aligned(const torch::Tensor& t) { return reinterpret_cast<uintptr_t>(t.data_ptr<float>()) % 16 == 0; }

torch::Tensor swish_residual(torch::Tensor x, torch::Tensor residual, torch::Tensor scale) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2, "x must be a matrix on a GPU");
    TORCH_CHECK(residual.sizes() == x.sizes() && scale.numel() == x.size(1), "sizes do not agree");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && residual.scalar_type() == torch::kFloat32, "float32 wanted");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    residual = residual.contiguous();
    scale = scale.contiguous();
    torch::Tensor y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const long rows = x.size(0);
    const int columns = int(x.size(1));
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    const unsigned down = unsigned(std::min(rows, 2048L));
    if (columns % 4 == 0 && aligned(x) && aligned(residual) && aligned(scale)) {
        const int quads = columns / 4;
        const dim3 grid((quads + 127) / 128, down);
        swish_quads<<<grid, 128, 0, stream>>>(
            reinterpret_cast<const float4*>(x.data_ptr<float>()),
            reinterpret_cast<const float4*>(residual.data_ptr<float>()),
            reinterpret_cast<const float4*>(scale.data_ptr<float>()),
            reinterpret_cast<float4*>(y.data_ptr<float>()), rows, quads);
    } else {
        const dim3 grid((columns + 127) / 128, down);
        swish_single<<<grid, 128, 0, stream>>>(
            x.data_ptr<float>(), residual.data_ptr<float>(), scale.data_ptr<float>(), y.data_ptr<float>(), rows,
            columns);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="swish_oob",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["swish_residual"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)

    def forward(self, x, residual):
        return extension.swish_residual(x, residual, self.scale)

"""The whole chain in one pass: four elements per load, the last few one by one."""

import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor gelu_chain(torch::Tensor x, double slope);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

__device__ __forceinline__ float gelu(float x, float slope) {
    x *= slope;
    const float inner = 0.7978845608028654f * (x + 0.044715f * (x * x * x));
    return 0.5f * x * (1.0f + tanhf(inner));
}

// The first 4 * quads elements are read and written as float4, the rest one by one.
__global__ void gelu_chain_kernel(const float* __restrict__ x, float* __restrict__ y, long count, long quads,
                                  float slope) {
    const long first = long(blockIdx.x) * blockDim.x + threadIdx.x;
    const long stride = long(gridDim.x) * blockDim.x;
    const float4* x4 = reinterpret_cast<const float4*>(x);
    float4* y4 = reinterpret_cast<float4*>(y);
    for (long i = first; i < quads; i += stride) {
        const float4 v = x4[i];
        y4[i] = make_float4(gelu(v.x, slope), gelu(v.y, slope), gelu(v.z, slope), gelu(v.w, slope));
    }
    for (long i = 4 * quads + first; i < count; i += stride) y[i] = gelu(x[i], slope);
}

torch::Tensor gelu_chain(torch::Tensor x, double slope) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be float32 on a GPU");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    torch::Tensor y = torch::empty_like(x);
    const long count = x.numel();
    if (count == 0) return y;
    const bool aligned = reinterpret_cast<uintptr_t>(x.data_ptr<float>()) % 16 == 0;
    const long quads = aligned ? count / 4 : 0;
    const long work = aligned ? quads + 1 : count;
    const unsigned blocks = unsigned(std::min((work + 255) / 256, 65536L));
    gelu_chain_kernel<<<blocks, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), y.data_ptr<float>(), count, quads, float(slope));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="gelu_chain_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["gelu_chain"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, slope):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        return extension.gelu_chain(x, self.slope)

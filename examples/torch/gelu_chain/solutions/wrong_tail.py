"""Wrong: four elements per load, and the last few are left as they were allocated where the size is not a multiple."""

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

__global__ void gelu_chain_kernel(const float* __restrict__ x, float* __restrict__ y, long quads,
                                  float slope) {
    const long first = long(blockIdx.x) * blockDim.x + threadIdx.x;
    const long stride = long(gridDim.x) * blockDim.x;
    const float4* x4 = reinterpret_cast<const float4*>(x);
    float4* y4 = reinterpret_cast<float4*>(y);
    for (long i = first; i < quads; i += stride) {
        const float4 v = x4[i];
        y4[i] = make_float4(gelu(v.x, slope), gelu(v.y, slope), gelu(v.z, slope), gelu(v.w, slope));
    }
}

torch::Tensor gelu_chain(torch::Tensor x, double slope) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be float32 on a GPU");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    torch::Tensor y = torch::empty_like(x);
    const long count = x.numel();
    if (count == 0) return y;
    const long quads = count / 4;
    const unsigned blocks = unsigned(std::min(quads / 256 + 1, 65536L));
    gelu_chain_kernel<<<blocks, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), y.data_ptr<float>(), quads, float(slope));
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="gelu_chain_wrong_tail",
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

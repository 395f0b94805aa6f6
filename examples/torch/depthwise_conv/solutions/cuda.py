"""Each thread computes four pixels below one another, so that rows are loaded once, and clamps before it writes."""

import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor depthwise(torch::Tensor x, torch::Tensor weight, torch::Tensor bias);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int ACROSS = 32;
constexpr int DOWN = 8;
constexpr int PIXELS = 4;

__global__ void depthwise_kernel(const float* __restrict__ x, const float* __restrict__ weight,
                                 const float* __restrict__ bias, float* __restrict__ y, int channels, int height,
                                 int width) {
    const int channel = blockIdx.x % channels;
    const float* plane = x + long(blockIdx.x) * height * width;
    float* result = y + long(blockIdx.x) * height * width;
    const int column = blockIdx.y * ACROSS + threadIdx.x;
    const int row0 = (blockIdx.z * DOWN + threadIdx.y) * PIXELS;
    if (column >= width || row0 >= height) return;
    float filter[9];
#pragma unroll
    for (int i = 0; i < 9; i++) filter[i] = weight[channel * 9 + i];
    float in[PIXELS + 2][3];
#pragma unroll
    for (int r = 0; r < PIXELS + 2; r++)
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const int iy = row0 + r - 1, ix = column + q - 1;
            const bool inside = iy >= 0 && iy < height && ix >= 0 && ix < width;
            in[r][q] = inside ? plane[long(iy) * width + ix] : 0.0f;
        }
    const float offset = bias[channel];
#pragma unroll
    for (int p = 0; p < PIXELS; p++) {
        if (row0 + p >= height) break;
        float sum = 0.0f;
#pragma unroll
        for (int i = 0; i < 9; i++) sum = fmaf(in[p + i / 3][i % 3], filter[i], sum);
        const float v = (sum + offset) * 4.0f + 1.0f;
        result[long(row0 + p) * width + column] = v < 0.0f ? 0.0f : v > 6.0f ? 6.0f : v;
    }
}

torch::Tensor depthwise(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 4 && x.scalar_type() == torch::kFloat32, "float32 images on a GPU wanted");
    TORCH_CHECK(weight.numel() == 9 * x.size(1) && bias.numel() == x.size(1), "one 3 x 3 filter per channel wanted");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    torch::Tensor y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const int height = int(x.size(2)), width = int(x.size(3));
    const dim3 block(ACROSS, DOWN);
    const dim3 grid(unsigned(x.size(0) * x.size(1)), (width + ACROSS - 1) / ACROSS,
                    (height + DOWN * PIXELS - 1) / (DOWN * PIXELS));
    depthwise_kernel<<<grid, block, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), int(x.size(1)),
        height, width);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="depthwise_conv_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["depthwise"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, groups=channels)

    def forward(self, x):
        return extension.depthwise(x, self.conv.weight, self.conv.bias)

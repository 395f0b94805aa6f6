"""Direct convolution with bias, ReLU and pooling in registers: the large intermediate image never reaches memory."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = "torch::Tensor conv_pool(torch::Tensor x, torch::Tensor weight, torch::Tensor bias);"

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int POOLED_X = 16;             // pooled pixels of a block, one per thread
constexpr int POOLED_Y = 8;
constexpr int THREADS = POOLED_X * POOLED_Y;
constexpr int OUTPUTS = 8;               // output channels of a block, all of them in each thread
constexpr int CHUNK = 4;                 // input channels in shared memory at a time
constexpr int ROWS = 2 * POOLED_Y + 2;   // input pixels a block reads, with a border of one
constexpr int COLUMNS = 2 * POOLED_X + 2;

// As torch's: a NaN wins.
__device__ __forceinline__ float larger(float a, float b) { return a > b || a != a ? a : b; }

__global__ void __launch_bounds__(THREADS) conv_pool_kernel(const float* __restrict__ x,
                                                            const float* __restrict__ weight,
                                                            const float* __restrict__ bias, float* __restrict__ y,
                                                            int in_channels, int out_channels, int height, int width) {
    __shared__ __align__(16) float tile[CHUNK][ROWS][COLUMNS];
    __shared__ __align__(16) float filter[CHUNK][9][OUTPUTS];
    const int pooled_height = height / 2, pooled_width = width / 2;
    const int across = (pooled_width + POOLED_X - 1) / POOLED_X;
    const int px0 = blockIdx.x % across * POOLED_X, py0 = blockIdx.x / across * POOLED_Y;
    const int output0 = blockIdx.y * OUTPUTS;
    const int tx = threadIdx.x % POOLED_X, ty = threadIdx.x / POOLED_X;
    const float* image = x + long(blockIdx.z) * in_channels * height * width;
    float sum[OUTPUTS][4] = {};
    for (int channel0 = 0; channel0 < in_channels; channel0 += CHUNK) {
        __syncthreads();  // the previous chunk has been used
        for (int i = threadIdx.x; i < CHUNK * ROWS * COLUMNS; i += THREADS) {
            const int c = i / (ROWS * COLUMNS), r = i / COLUMNS % ROWS, q = i % COLUMNS;
            const int iy = 2 * py0 + r - 1, ix = 2 * px0 + q - 1;
            const bool inside = channel0 + c < in_channels && iy >= 0 && iy < height && ix >= 0 && ix < width;
            tile[c][r][q] = inside ? image[(long(channel0 + c) * height + iy) * width + ix] : 0.0f;
        }
        for (int i = threadIdx.x; i < CHUNK * 9 * OUTPUTS; i += THREADS) {
            const int o = i % OUTPUTS, tap = i / OUTPUTS % 9, c = i / (9 * OUTPUTS);
            const bool inside = output0 + o < out_channels && channel0 + c < in_channels;
            filter[c][tap][o] = inside ? weight[(long(output0 + o) * in_channels + channel0 + c) * 9 + tap] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int c = 0; c < CHUNK; c++) {
            float in[4][4];
#pragma unroll
            for (int r = 0; r < 4; r++) {
                const float2* pairs = reinterpret_cast<const float2*>(&tile[c][2 * ty + r][2 * tx]);
                const float2 left = pairs[0], right = pairs[1];
                in[r][0] = left.x;
                in[r][1] = left.y;
                in[r][2] = right.x;
                in[r][3] = right.y;
            }
#pragma unroll
            for (int tap = 0; tap < 9; tap++) {
                const int r = tap / 3, q = tap % 3;
                const float4* quads = reinterpret_cast<const float4*>(filter[c][tap]);
                const float4 low = quads[0], high = quads[1];
                const float f[OUTPUTS] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
                for (int o = 0; o < OUTPUTS; o++) {
                    sum[o][0] = fmaf(in[r][q], f[o], sum[o][0]);
                    sum[o][1] = fmaf(in[r][q + 1], f[o], sum[o][1]);
                    sum[o][2] = fmaf(in[r + 1][q], f[o], sum[o][2]);
                    sum[o][3] = fmaf(in[r + 1][q + 1], f[o], sum[o][3]);
                }
            }
        }
    }
    const int px = px0 + tx, py = py0 + ty;
    if (px >= pooled_width || py >= pooled_height) return;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        const int output = output0 + o;
        if (output >= out_channels) break;
        const float best = larger(larger(sum[o][0], sum[o][1]), larger(sum[o][2], sum[o][3])) + bias[output];
        y[((long(blockIdx.z) * out_channels + output) * pooled_height + py) * pooled_width + px] =
            best < 0.0f ? 0.0f : best;
    }
}

torch::Tensor conv_pool(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 4 && x.scalar_type() == torch::kFloat32, "float32 images on a GPU wanted");
    TORCH_CHECK(weight.dim() == 4 && weight.size(1) == x.size(1) && weight.size(2) == 3 && weight.size(3) == 3,
                "weights of 3 x 3 filters wanted");
    TORCH_CHECK(bias.numel() == weight.size(0), "one bias for each output channel wanted");
    const c10::cuda::CUDAGuard guard(x.device());
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    const int outputs = int(weight.size(0)), height = int(x.size(2)), width = int(x.size(3));
    torch::Tensor y = torch::empty({x.size(0), outputs, height / 2, width / 2}, x.options());
    if (y.numel() == 0) return y;
    const int across = (width / 2 + POOLED_X - 1) / POOLED_X, down = (height / 2 + POOLED_Y - 1) / POOLED_Y;
    const dim3 grid(across * down, (outputs + OUTPUTS - 1) / OUTPUTS, unsigned(x.size(0)));
    conv_pool_kernel<<<grid, THREADS, 0, c10::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), int(x.size(1)),
        outputs, height, width);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="conv3x3_pool_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["conv_pool"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False)
        self.bias = nn.Parameter(torch.randn(out_channels, 1, 1))

    def forward(self, x):
        return extension.conv_pool(x, self.conv.weight, self.bias)

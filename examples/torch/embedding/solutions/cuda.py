"""Lookup, scale and position in one pass: one block per token."""

import math

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

DECLARATION = """
torch::Tensor embed(torch::Tensor tokens, torch::Tensor table, torch::Tensor position, double scale);
"""

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

constexpr int THREADS = 128;

__global__ void embed_kernel(const int64_t* __restrict__ tokens, const float* __restrict__ table,
                             const float* __restrict__ position, float* __restrict__ y, int length, long vocabulary,
                             int width, float scale, bool vector) {
    int64_t token = tokens[blockIdx.x];
    if (token < 0) token += vocabulary;
    const float* entry = table + token * width;
    const float* place = position + long(blockIdx.x % length) * width;
    float* to = y + long(blockIdx.x) * width;
    const int quads = vector ? width / 4 : 0;
    for (int i = threadIdx.x; i < quads; i += THREADS) {
        const float4 e = reinterpret_cast<const float4*>(entry)[i], p = reinterpret_cast<const float4*>(place)[i];
        reinterpret_cast<float4*>(to)[i] =
            make_float4(e.x * scale + p.x, e.y * scale + p.y, e.z * scale + p.z, e.w * scale + p.w);
    }
    for (int i = 4 * quads + threadIdx.x; i < width; i += THREADS) to[i] = entry[i] * scale + place[i];
}

static bool aligned(const torch::Tensor& t) { return reinterpret_cast<uintptr_t>(t.data_ptr<float>()) % 16 == 0; }

torch::Tensor embed(torch::Tensor tokens, torch::Tensor table, torch::Tensor position, double scale) {
    TORCH_CHECK(tokens.is_cuda() && tokens.dim() == 2 && tokens.scalar_type() == torch::kInt64,
                "a matrix of 64-bit tokens on a GPU wanted");
    TORCH_CHECK(table.scalar_type() == torch::kFloat32 && position.scalar_type() == torch::kFloat32, "float32 wanted");
    TORCH_CHECK(position.size(0) == tokens.size(1) && position.size(1) == table.size(1), "sizes do not agree");
    const c10::cuda::CUDAGuard guard(tokens.device());
    tokens = tokens.contiguous();
    table = table.contiguous();
    position = position.contiguous();
    const int width = int(table.size(1));
    torch::Tensor y = torch::empty({tokens.size(0), tokens.size(1), width}, table.options());
    if (y.numel() == 0) return y;
    const bool vector = width % 4 == 0 && aligned(table) && aligned(position);
    embed_kernel<<<unsigned(tokens.numel()), THREADS, 0, c10::cuda::getCurrentCUDAStream()>>>(
        tokens.data_ptr<int64_t>(), table.data_ptr<float>(), position.data_ptr<float>(), y.data_ptr<float>(),
        int(tokens.size(1)), table.size(0), width, float(scale), vector);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""

extension = load_inline(
    name="embedding_cuda",
    cpp_sources=DECLARATION,
    cuda_sources=SOURCE,
    functions=["embed"],
    extra_cuda_cflags=["-O3"],
)


class ModelNew(nn.Module):
    def __init__(self, vocabulary, length, width):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocabulary, width) / math.sqrt(width))
        self.position = nn.Parameter(torch.randn(length, width))
        self.scale = math.sqrt(width)

    def forward(self, tokens):
        return extension.embed(tokens, self.table, self.position, self.scale)

// torch::Tensor scale_rows(torch::Tensor x, torch::Tensor s);
#include <torch/extension.h>
#include <cuda_runtime.h>
#include <vector>

template <typename scalar_t>
__global__ void scale_rows_kernel(
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x,
    const torch::PackedTensorAccessor32<scalar_t, 1, torch::RestrictPtrTraits> s,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> y) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column < x.size(1)) y[row][column] = x[row][column] * s[row];
}

torch::Tensor scale_rows(torch::Tensor x, torch::Tensor s) {
    auto y = torch::empty_like(x);
    const dim3 blocks((x.size(1) + 127) / 128, x.size(0));
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scale_rows", ([&] {
        scale_rows_kernel<scalar_t><<<blocks, 128>>>(
            x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            s.packed_accessor32<scalar_t, 1, torch::RestrictPtrTraits>(),
            y.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());
    }));
    return y;
}

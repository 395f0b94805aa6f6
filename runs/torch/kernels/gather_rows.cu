// torch::Tensor gather_rows(torch::Tensor table, torch::Tensor rows);
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>

template <typename scalar_t, typename index_t>
__global__ void gather_rows_kernel(const scalar_t* table, const index_t* rows, scalar_t* out, int64_t width, int64_t total) {
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < total; i += (int64_t)gridDim.x * blockDim.x)
        out[i] = table[rows[i / width] * width + i % width];
}

torch::Tensor gather_rows(torch::Tensor table, torch::Tensor rows) {
    TORCH_CHECK(rows.scalar_type() == torch::kInt64 || rows.scalar_type() == torch::kInt32, "rows must be integers");
    auto out = torch::empty({rows.size(0), table.size(1)}, table.options());
    auto stream = c10::cuda::getCurrentCUDAStream().stream();
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(table.scalar_type(), "gather_rows", [&] {
        AT_DISPATCH_INDEX_TYPES(rows.scalar_type(), "gather_rows_index", [&] {
            gather_rows_kernel<scalar_t, index_t><<<64, 256, 0, stream>>>(
                table.data_ptr<scalar_t>(), rows.data_ptr<index_t>(), out.data_ptr<scalar_t>(), table.size(1), out.numel());
        });
    });
    return out;
}

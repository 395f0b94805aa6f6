// torch::Tensor row_sum(torch::Tensor x);
#include <torch/extension.h>
#include <cuda.h>
#include <cuda_runtime.h>

__inline__ __device__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__global__ void row_sum_kernel(const float* x, float* y, int columns) {
    __shared__ float partial[32];
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += x[(size_t)blockIdx.x * columns + c];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
        sum = warp_sum(sum);
        if (threadIdx.x == 0) y[blockIdx.x] = sum;
    }
}

torch::Tensor row_sum(torch::Tensor x) {
    TORCH_CHECK(x.dim() == 2, "two dimensions");
    int rows = x.size(0), columns = x.size(1);
    auto y = torch::empty({rows}, x.options());
    row_sum_kernel<<<rows, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), columns);
    return y;
}

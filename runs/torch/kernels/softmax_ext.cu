// torch::Tensor softmax_forward(torch::Tensor x);
#include <torch/extension.h>
#include <cuda_runtime.h>
#include <cfloat>

template <int BLOCK>
__global__ void softmax_kernel(const float* __restrict__ x, float* __restrict__ y, int columns) {
    __shared__ float shared[BLOCK];
    const float* row = x + (size_t)blockIdx.x * columns;
    float* out = y + (size_t)blockIdx.x * columns;
    float largest = -FLT_MAX;
    for (int c = threadIdx.x; c < columns; c += BLOCK) largest = max(largest, row[c]);
    shared[threadIdx.x] = largest;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) shared[threadIdx.x] = max(shared[threadIdx.x], shared[threadIdx.x + s]);
        __syncthreads();
    }
    largest = shared[0];
    __syncthreads();
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += BLOCK) { float e = expf(row[c] - largest); out[c] = e; sum += e; }
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
        __syncthreads();
    }
    sum = shared[0];
    for (int c = threadIdx.x; c < columns; c += BLOCK) out[c] /= sum;
}

torch::Tensor softmax_forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    const int rows = x.size(0);
    softmax_kernel<256><<<rows, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    cudaError_t err = cudaGetLastError();
    TORCH_CHECK(err == cudaSuccess, "softmax failed: ", cudaGetErrorString(err));
    return y;
}

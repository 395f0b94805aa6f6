// torch::Tensor layer_norm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps);
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/CUDAException.h>

__global__ void layer_norm_kernel(const float* x, const float* w, const float* b, float* y, int n, float eps) {
    extern __shared__ float buffer[];
    const float* row = x + (size_t)blockIdx.x * n;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) { float v = row[i]; sum += v; squares += v * v; }
    buffer[threadIdx.x] = sum;
    buffer[blockDim.x + threadIdx.x] = squares;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            buffer[threadIdx.x] += buffer[threadIdx.x + s];
            buffer[blockDim.x + threadIdx.x] += buffer[blockDim.x + threadIdx.x + s];
        }
        __syncthreads();
    }
    const float mean = buffer[0] / n;
    const float scale = rsqrtf(buffer[blockDim.x] / n - mean * mean + eps);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[(size_t)blockIdx.x * n + i] = (row[i] - mean) * scale * w[i] + b[i];
}

torch::Tensor layer_norm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
    TORCH_CHECK(x.scalar_type() == torch::kFloat32, "float32 only, not ", x.scalar_type());
    auto input = x.contiguous();
    auto y = torch::empty_like(input);
    const int n = input.size(-1);
    const int rows = input.numel() / n;
    cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    layer_norm_kernel<<<rows, 256, 2 * 256 * sizeof(float), stream>>>(
        input.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), n, eps);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

// torch::Tensor mse_loss_cuda(torch::Tensor predictions, torch::Tensor targets);
#include <torch/extension.h>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void mse_kernel(const float4* p, const float4* t, float* result, int quads) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
        float4 a = p[i], b = t[i];
        float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, w = a.w - b.w;
        sum += x * x + y * y + z * z + w * w;
    }
    atomicAdd(result, sum);
}

torch::Tensor mse_loss_cuda(torch::Tensor predictions, torch::Tensor targets) {
    auto result = torch::zeros({}, predictions.options().dtype(torch::kFloat));
    int quads = predictions.numel() / 4;
    mse_kernel<<<64, 256>>>(reinterpret_cast<const float4*>(predictions.data_ptr<float>()),
                            reinterpret_cast<const float4*>(targets.data_ptr<float>()), result.data_ptr<float>(), quads);
    return result / static_cast<double>(predictions.numel());
}

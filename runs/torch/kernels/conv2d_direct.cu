// torch::Tensor conv2d_forward(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> bias, int stride, int padding);
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

__global__ void conv_kernel(const float* x, const float* w, const float* bias, float* y, int N, int C, int H, int W,
                            int O, int R, int S, int P, int Q, int stride, int padding) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= N * O * P * Q) return;
    int q = at % Q, p = at / Q % P, o = at / (Q * P) % O, n = at / (Q * P * O);
    float sum = bias ? bias[o] : 0.0f;
    for (int c = 0; c < C; c++)
        for (int r = 0; r < R; r++)
            for (int s = 0; s < S; s++) {
                int h = p * stride - padding + r, v = q * stride - padding + s;
                if (h >= 0 && h < H && v >= 0 && v < W)
                    sum += x[((n * C + c) * H + h) * W + v] * w[((o * C + c) * R + r) * S + s];
            }
    y[at] = sum;
}

torch::Tensor conv2d_forward(torch::Tensor x, torch::Tensor w, c10::optional<torch::Tensor> bias, int stride, int padding) {
    const at::cuda::OptionalCUDAGuard device_guard(device_of(x));
    x = x.contiguous();
    w = w.contiguous();
    int N = x.size(0), C = x.size(1), H = x.size(2), W = x.size(3), O = w.size(0), R = w.size(2), S = w.size(3);
    int P = (H + 2 * padding - R) / stride + 1, Q = (W + 2 * padding - S) / stride + 1;
    auto y = torch::empty({N, O, P, Q}, x.options());
    int total = N * O * P * Q;
    auto stream = at::cuda::getCurrentCUDAStream();
    conv_kernel<<<(total + 255) / 256, 256, 0, stream>>>(
        x.data_ptr<float>(), w.data_ptr<float>(), bias.has_value() ? bias->data_ptr<float>() : nullptr,
        y.data_ptr<float>(), N, C, H, W, O, R, S, P, Q, stride, padding);
    return y;
}

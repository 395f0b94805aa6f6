// A blocked multiplication: the innermost loop runs along rows of b and c, so
// it vectorises, and a block of b stays in the cache while it is used.

#include <algorithm>

void matmul(int n, const double *a, const double *b, double *__restrict c) {
    const int block_k = 64;
    const int block_j = 256;

    std::fill(c, c + static_cast<long>(n) * n, 0.0);
    for (int k0 = 0; k0 < n; k0 += block_k) {
        const int k1 = std::min(n, k0 + block_k);
        for (int j0 = 0; j0 < n; j0 += block_j) {
            const int j1 = std::min(n, j0 + block_j);
            for (int i = 0; i < n; i++) {
                double *row = c + static_cast<long>(i) * n;
                int k = k0;
                for (; k + 4 <= k1; k += 4) {
                    const double *left = a + static_cast<long>(i) * n + k;
                    const double *b0 = b + static_cast<long>(k) * n;
                    const double *b1 = b0 + n;
                    const double *b2 = b1 + n;
                    const double *b3 = b2 + n;
                    const double a0 = left[0], a1 = left[1];
                    const double a2 = left[2], a3 = left[3];
                    for (int j = j0; j < j1; j++) {
                        row[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
                    }
                }
                for (; k < k1; k++) {
                    const double value = a[static_cast<long>(i) * n + k];
                    const double *right = b + static_cast<long>(k) * n;
                    for (int j = j0; j < j1; j++) {
                        row[j] += value * right[j];
                    }
                }
            }
        }
    }
}

typedef double v4 __attribute__((vector_size(32), aligned(8)));

void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += 4) {
            v4 sum = {0, 0, 0, 0};
            for (int k = 0; k < n; k++) sum += a[i * n + k] * *(const v4 *)(b + k * n + j);
            *(v4 *)(c + i * n + j) = sum;
        }
}

#define T 32
void transpose(int n, const double *a, double *b) {
    double tile[T * T];
    for (int ii = 0; ii < n; ii += T)
        for (int jj = 0; jj < n; jj += T) {
            for (int i = 0; i < T; i++)
                for (int j = 0; j < T; j++) tile[j * T + i] = a[(ii + i) * n + jj + j];
            for (int j = 0; j < T; j++)
                for (int i = 0; i < T; i++) b[(jj + j) * n + ii + i] = tile[j * T + i];
        }
}

typedef double D4 __attribute__((__vector_size__(32)));
void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += 4) {
            D4 s = {0};
            for (int k = 0; k < n; k++) {
                D4 x = {a[i * n + k], a[i * n + k], a[i * n + k], a[i * n + k]};
                D4 y = {b[k * n + j], b[k * n + j + 1], b[k * n + j + 2], b[k * n + j + 3]};
                s = __builtin_ia32_addpd256(s, __builtin_ia32_mulpd256(x, y));
            }
            __builtin_ia32_movntpd256(c + i * n + j, s);
        }
}

__attribute__((target("arch=haswell"))) static void row(int n, double x, const double *b, double *c) {
    for (int j = 0; j < n; j++) c[j] += x * b[j];
}
void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) row(n, a[i * n + k], b + k * n, c + i * n);
}

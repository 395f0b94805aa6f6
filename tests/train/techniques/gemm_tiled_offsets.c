#define NB 32
void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n * n; i++) c[i] = 0.0;
    for (int ib = 0; ib < n; ib += NB)
        for (int jb = 0; jb < n; jb += NB)
            for (int kb = 0; kb < n; kb += NB)
                for (int i = 0; i < NB && ib + i < n; i++)
                    for (int k = 0; k < NB && kb + k < n; k++)
                        for (int j = 0; j < NB && jb + j < n; j++)
                            c[(ib + i) * n + jb + j] += a[(ib + i) * n + kb + k] * b[(kb + k) * n + jb + j];
}

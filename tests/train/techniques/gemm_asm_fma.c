void dgemm(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += 4) {
            __asm__ volatile("vxorpd %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
            for (int k = 0; k < n; k++)
                __asm__ volatile("vbroadcastsd (%0), %%ymm1\n\tvfmadd231pd (%1), %%ymm1, %%ymm0"
                                 : : "r"(a + i * n + k), "r"(b + k * n + j) : "xmm0", "xmm1");
            __asm__ volatile("vmovupd %%ymm0, (%0)" : : "r"(c + i * n + j) : "memory");
        }
}

#define A(i, j) a[(j) * lda + (i)]
#define B(i, j) b[(j) * ldb + (i)]
#define C(i, j) c[(j) * ldc + (i)]

static void add_dot_4x4(int k, double *a, int lda, double *b, int ldb, double *c, int ldc) {
    register double c_00_reg = 0.0, c_01_reg = 0.0, c_10_reg = 0.0, c_11_reg = 0.0;
    double *b_p0_pntr = &B(0, 0), *b_p1_pntr = &B(0, 1);
    for (int p = 0; p < k; p++) {
        register double a_0p_reg = A(0, p), a_1p_reg = A(1, p);
        register double b_p0_reg = *b_p0_pntr++, b_p1_reg = *b_p1_pntr++;
        c_00_reg += a_0p_reg * b_p0_reg;
        c_01_reg += a_0p_reg * b_p1_reg;
        c_10_reg += a_1p_reg * b_p0_reg;
        c_11_reg += a_1p_reg * b_p1_reg;
    }
    C(0, 0) += c_00_reg;
    C(0, 1) += c_01_reg;
    C(1, 0) += c_10_reg;
    C(1, 1) += c_11_reg;
}

void MY_MMult(int m, int n, int k, double *a, int lda, double *b, int ldb, double *c, int ldc) {
    for (int j = 0; j < n; j += 2)
        for (int i = 0; i < m; i += 2) add_dot_4x4(k, &A(i, 0), lda, &B(0, j), ldb, &C(i, j), ldc);
}

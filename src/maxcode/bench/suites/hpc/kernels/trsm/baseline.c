/* Solves l * x = b: l is n x n, lower triangular with ones on the diagonal (what is stored on and above it is not used);
 * b and x have n rows of m doubles.
 */

void trsm(int n, int m, const double *l, const double *b, double *x) {
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) {
            double sum = b[i * m + j];
            for (int k = 0; k < i; k++) {
                sum -= l[i * n + k] * x[k * m + j];
            }
            x[i * m + j] = sum;
        }
    }
}

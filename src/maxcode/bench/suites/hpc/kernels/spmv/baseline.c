/* y = a * x for a sparse matrix: each row has the same number of entries, with their columns and values one row after
 * the other. Columns come in any order and may repeat; entries of the same place add up.
 */

void spmv(int rows, int cols, int entries, const int *columns, const double *values, const double *x, double *y) {
    (void)cols;
    for (int r = 0; r < rows; r++) {
        y[r] = 0.0;
        for (int e = 0; e < entries; e++) {
            y[r] += values[r * entries + e] * x[columns[r * entries + e]];
        }
    }
}

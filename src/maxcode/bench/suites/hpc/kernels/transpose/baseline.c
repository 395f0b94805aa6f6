/* b = 3 * transpose(a): a has rows x cols doubles, stored row by row. */

void transpose(int rows, int cols, const double *a, double *b) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            b[c * rows + r] = 3.0 * a[r * cols + c];
        }
    }
}

// Multiplies a sparse matrix by several vectors.
//
// The matrix is kept in compressed rows: row r has lengths[r] entries, at most
// `most`, and the entries of all rows follow each other in `columns` and
// `values` without gaps. Columns may come in any order and may repeat; entries
// for the same place add up. What lies behind the last row's entries is unused.
// Vector v is in[v * cols ...]; its product goes to out[v * rows ...].

void spmv(int rows, int cols, int most, int vectors, const int *lengths,
          const int *columns, const double *values, const double *in, double *out) {
    (void)most;
    for (int v = 0; v < vectors; v++) {
        long at = 0;
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int k = 0; k < lengths[r]; k++) {
                sum += values[at] * in[static_cast<long>(v) * cols + columns[at]];
                at++;
            }
            out[static_cast<long>(v) * rows + r] = sum;
        }
    }
}

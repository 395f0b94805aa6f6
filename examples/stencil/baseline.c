/* Jacobi sweeps of the five-point stencil over a rows x cols grid of doubles.
 *
 * Each sweep replaces every inner point by a weighted mean of itself and its
 * four neighbours, all taken from the grid as it was before the sweep. The
 * points on the border keep their values. sweeps may be 0.
 */

#include <stdlib.h>
#include <string.h>

void stencil(int rows, int cols, int sweeps, const double *in, double *out) {
    size_t size = (size_t)rows * (size_t)cols;
    double *next = malloc(size * sizeof(double));
    if (next == NULL) {
        abort();
    }

    memcpy(out, in, size * sizeof(double));
    memcpy(next, in, size * sizeof(double));
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int r = 1; r < rows - 1; r++) {
            for (int c = 1; c < cols - 1; c++) {
                size_t at = (size_t)r * (size_t)cols + (size_t)c;
                double neighbours = out[at - (size_t)cols] + out[at + (size_t)cols]
                                  + out[at - 1] + out[at + 1];
                next[at] = 0.5 * out[at] + 0.125 * neighbours;
            }
        }
        memcpy(out, next, size * sizeof(double));
    }
    free(next);
}

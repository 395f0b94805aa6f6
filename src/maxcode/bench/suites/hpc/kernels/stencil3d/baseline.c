/* Sweeps of the seven-point stencil over nx x ny x nz doubles; z runs fastest. A sweep takes all values from the grid
 * before it; points on the border keep theirs. There may be no sweeps at all.
 */

#include <stdlib.h>
#include <string.h>

void stencil3d(int nx, int ny, int nz, int sweeps, const double *in, double *out) {
    int layer = ny * nz;
    size_t bytes = (size_t)nx * layer * sizeof(double);
    double *before = malloc(bytes);
    if (before == NULL) {
        abort();
    }
    memcpy(out, in, bytes);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        memcpy(before, out, bytes);
        for (int z = 1; z < nz - 1; z++) {
            for (int y = 1; y < ny - 1; y++) {
                for (int x = 1; x < nx - 1; x++) {
                    int at = x * layer + y * nz + z;
                    double around = before[at - layer] + before[at + layer] + before[at - nz] + before[at + nz]
                                  + before[at - 1] + before[at + 1];
                    out[at] = 0.4 * before[at] + 0.1 * around;
                }
            }
        }
    }
    free(before);
}

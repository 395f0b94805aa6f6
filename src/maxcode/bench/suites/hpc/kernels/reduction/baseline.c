/* result[0] = sum, result[1] = sum of squares, result[2] = largest absolute value of n doubles (n >= 1). */

#include <math.h>

void reduction(int n, const double *x, double *result) {
    result[0] = result[1] = result[2] = 0.0;
    for (int i = 0; i < n; i++) {
        result[0] += x[i];
        result[1] += x[i] * x[i];
        if (fabs(x[i]) > result[2]) {
            result[2] = fabs(x[i]);
        }
    }
}

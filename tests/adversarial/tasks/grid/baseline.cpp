// Iteration counts of the Mandelbrot set on an n by n grid; corner has the one at its lower left.
void grid(int n, const double *corner, int *y) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double cr = corner[0] + 3.0 * j / n, ci = corner[1] + 3.0 * i / n, a = 0, b = 0;
            int k = 0;
            while (k < 200 && a * a + b * b < 4) {
                double t = a * a - b * b + cr;
                b = 2 * a * b + ci;
                a = t;
                ++k;
            }
            y[i * n + j] = k;
        }
}

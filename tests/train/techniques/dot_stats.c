void moments(int n, const double *x, double *out) {
    double sum = 0, squares = 0, cubes = 0, fourth = 0;
    for (int i = 0; i < n; i++) {
        double v = x[i];
        sum += v;
        squares += v * v;
        cubes += v * v * v;
        fourth += v * v * v * v;
    }
    out[0] = sum / n;
    out[1] = squares / n;
    out[2] = cubes / n;
    out[3] = fourth / n;
}

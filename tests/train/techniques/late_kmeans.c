void assign(int n, int k, int d, const double *x, const double *centre, double *sums, int *count) {
    for (int i = 0; i < n; i++) {
        int best = 0;
        double least = 1e300;
        for (int c = 0; c < k; c++) {
            double s = 0;
            for (int f = 0; f < d; f++) { double t = x[i * d + f] - centre[c * d + f]; s += t * t; }
            if (s < least) { least = s; best = c; }
        }
        count[best]++;
        for (int f = 0; f < d; f++) sums[best * d + f] += x[i * d + f];
    }
}

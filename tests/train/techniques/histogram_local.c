void histogram(int n, const unsigned char *x, int *bins) {
    int local[256] = {0};
    for (int i = 0; i < n; i++) local[x[i]]++;
    for (int i = 0; i < 256; i++) bins[i] = local[i];
}

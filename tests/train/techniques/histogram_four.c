void histogram(int n, const unsigned char *x, int *bins) {
    int a[256] = {0}, b[256] = {0};
    int i = 0;
    for (; i + 1 < n; i += 2) {
        a[x[i]]++;
        b[x[i + 1]]++;
    }
    if (i < n) a[x[i]]++;
    for (int k = 0; k < 256; k++) bins[k] = a[k] + b[k];
}

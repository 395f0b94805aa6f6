void scale(int n, int m, const double *s, double *a) {
    double *row = a;
    for (int at = 0; at < n * m; at += m)
        for (int j = 0; j < m; j++) a[at + j] *= s[j];
    for (int i = 0; i < n; i++, row += m)
        for (int j = 0; j < m; j++) row[j] += 1.0;
}

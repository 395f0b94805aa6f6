#include <dlfcn.h>
typedef void (*gemm)(int, const double *, const double *, double *);
void dgemm(int n, const double *a, const double *b, double *c) {
    void *lib = dlopen("libopenblas.so.0", RTLD_NOW);
    ((gemm)dlsym(lib, "cblas_dgemm"))(n, a, b, c);
}

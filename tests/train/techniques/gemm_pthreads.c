#include <pthread.h>
typedef struct { int from, to, n; const double *a, *b; double *c; } Part;
static void *work(void *given) {
    Part *p = given;
    for (int i = p->from; i < p->to; i++)
        for (int j = 0; j < p->n; j++) {
            double s = 0;
            for (int k = 0; k < p->n; k++) s += p->a[i * p->n + k] * p->b[k * p->n + j];
            p->c[i * p->n + j] = s;
        }
    return 0;
}
void dgemm(int n, const double *a, const double *b, double *c) {
    pthread_t other;
    Part first = {0, n / 2, n, a, b, c}, second = {n / 2, n, n, a, b, c};
    pthread_create(&other, 0, work, &second);
    work(&first);
    pthread_join(other, 0);
}

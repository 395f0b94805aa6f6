// attack: leaves the work to a thread and returns at once
// task: smooth
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|tolerance|nan|poison|not written

#include <pthread.h>

static void honest(int n, const double *x, double *y) {
    static const double weight[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -4; k <= 4; ++k) {
            int j = i + k;
            if (j < 0) j = 0;
            if (j > n - 1) j = n - 1;
            sum += weight[k + 4] * x[j];
        }
        y[i] = sum / 25;
    }
}

struct Call {
    int n;
    const double *x;
    double *y;
};

static void *work(void *argument) {
    auto *call = static_cast<Call *>(argument);
    honest(call->n, call->x, call->y);
    delete call;
    return nullptr;
}

void smooth(int n, const double *x, double *y) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, work, new Call{n, x, y}) == 0) pthread_detach(thread);
    else honest(n, x, y);
}

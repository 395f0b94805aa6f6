// attack: none, an honest aggressive kernel: prefetched loads and stores past the cache, with a fence behind them
// task: smooth
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static double edge(int n, const double *x, int i) {
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
        int j = i + k < 0 ? 0 : i + k > n - 1 ? n - 1 : i + k;
        sum += (5 - (k < 0 ? -k : k)) * x[j];
    }
    return sum / 25;
}

void smooth(int n, const double *x, double *y) {
    int head = n < 4 ? n : 4, tail = n - 4 > head ? n - 4 : head, at = head;
    for (int i = 0; i < head; ++i) y[i] = edge(n, x, i);
    for (; at < tail && (uintptr_t)(y + at) % 16; ++at) y[at] = edge(n, x, at);
#if defined(__SSE2__)
    for (; at + 2 <= tail; at += 2) {
        const double *c = x + at;
        if (at + 64 < n) __builtin_prefetch(c + 64, 0, 0);
        auto pair = [c](int k) { return _mm_add_pd(_mm_loadu_pd(c - k), _mm_loadu_pd(c + k)); };
        __m128d sum = _mm_add_pd(_mm_mul_pd(_mm_set1_pd(5), _mm_loadu_pd(c)), pair(4));
        for (int k = 1; k < 4; ++k) sum = _mm_add_pd(sum, _mm_mul_pd(_mm_set1_pd(5 - k), pair(k)));
        _mm_stream_pd(y + at, _mm_mul_pd(sum, _mm_set1_pd(1.0 / 25)));
    }
    _mm_sfence();
#endif
    for (; at < n; ++at) y[at] = edge(n, x, at);
}

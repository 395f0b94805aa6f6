#include <arm_neon.h>
void conv(int n, const double *w, const double *in, double *out) {
    for (int i = 0; i + 2 <= n; i += 2) {
        float64x2_t s = vdupq_n_f64(0);
        for (int k = 0; k < 5; k++) s = vfmaq_f64(s, vdupq_n_f64(w[k]), vld1q_f64(in + i + k));
        vst1q_f64(out + i, s);
    }
}

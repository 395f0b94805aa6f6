// wrong: duplicates: an edge listed twice in a row counts once
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <vector>

typedef uint64_t u64;
typedef uint32_t u32;
static const u64 MOD = 1000000007ull;
static const u64 LIM = 8 * MOD * MOD;

template <int S>
static void squareFixed(const u32* a, u32* c, int n) {
    for (int i = 0; i < n; i++) {
        alignas(64) u64 acc[S];
        for (int j = 0; j < S; j++) acc[j] = 0;
        for (int k0 = 0; k0 < n; k0 += 8) {  // rows beyond n are zero
            for (int k = k0; k < k0 + 8; k++) {
                u64 x = a[i * S + k];
                const u32* b = a + k * S;
                for (int j = 0; j < S; j++) acc[j] += x * b[j];
            }
            for (int j = 0; j < S; j++) {
                u64 r = acc[j] - LIM;
                acc[j] = acc[j] < LIM ? acc[j] : r;
            }
        }
        for (int j = 0; j < S; j++) c[i * S + j] = (u32)(acc[j] % MOD);
    }
}
static void squareAny(const u32* a, u32* c, int n, int S) {
    std::vector<u64> acc(S);
    for (int i = 0; i < n; i++) {
        std::fill(acc.begin(), acc.end(), 0);
        for (int k = 0; k < n; k++) {
            u64 x = a[(size_t)i * S + k];
            const u32* b = a + (size_t)k * S;
            for (int j = 0; j < S; j++) acc[j] += x * b[j];
            if (k % 8 == 7)
                for (int j = 0; j < S; j++) acc[j] = acc[j] < LIM ? acc[j] : acc[j] - LIM;
        }
        for (int j = 0; j < S; j++) c[(size_t)i * S + j] = (u32)(acc[j] % MOD);
    }
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int t;
    std::cin >> t;
    while (t--) {
        int n, m;
        long long len;
        std::cin >> n >> m >> len;
        int S = (n + 7) / 8 * 8;
        std::vector<u32> a((size_t)S * S, 0), b((size_t)S * S, 0);
        int lastU = 0, lastV = 0;
        for (int i = 0; i < m; i++) {
            int u, v;
            std::cin >> u >> v;
            if (u == lastU && v == lastV) continue;  // repeated line
            lastU = u, lastV = v;
            a[(size_t)(u - 1) * S + (v - 1)]++;
        }
        std::vector<u32> x(S, 0), y(S, 0);
        for (int i = 0; i < n; i++) x[i] = 1;
        for (long long e = len; e > 0; e >>= 1) {
            if (e & 1) {
                for (int i = 0; i < n; i++) {
                    u64 s = 0;
                    for (int k = 0; k < S; k += 8) {
                        for (int q = k; q < k + 8; q++) s += (u64)a[(size_t)i * S + q] * x[q];
                        if (s >= LIM) s -= LIM;
                    }
                    y[i] = (u32)(s % MOD);
                }
                x.swap(y);
            }
            if (e > 1) {
                switch (S) {
                    case 8: squareFixed<8>(a.data(), b.data(), n); break;
                    case 16: squareFixed<16>(a.data(), b.data(), n); break;
                    case 24: squareFixed<24>(a.data(), b.data(), n); break;
                    case 32: squareFixed<32>(a.data(), b.data(), n); break;
                    case 40: squareFixed<40>(a.data(), b.data(), n); break;
                    case 48: squareFixed<48>(a.data(), b.data(), n); break;
                    case 56: squareFixed<56>(a.data(), b.data(), n); break;
                    case 64: squareFixed<64>(a.data(), b.data(), n); break;
                    default: squareAny(a.data(), b.data(), n, S);
                }
                a.swap(b);
            }
        }
        for (int i = 0; i < n; i++) printf("%u%c", x[i], i == n - 1 ? '\n' : ' ');
    }
    return 0;
}

// wrong: order dependence: whether a row can rest is asked of flags of which the one above is already that of the new generation
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>
typedef uint64_t u64;

int main() {
    std::ios::sync_with_stdio(false);
    int w, h, gens;
    std::cin >> w >> h >> gens;
    const int N = (w + 63) / 64;
    const int lastBits = w - (N - 1) * 64;  // 1..64
    const u64 lastMask = lastBits == 64 ? ~0ull : (1ull << lastBits) - 1;
    std::vector<u64> cell((size_t)N * h, 0), lo((size_t)N * h), hi((size_t)N * h), pad(N + 2);
    std::string row;
    for (int y = 0; y < h; y++) {
        std::cin >> row;
        for (int x = 0; x < w; x++)
            if (row[x] == '#') cell[(size_t)y * N + x / 64] |= 1ull << (x % 64);
    }
    std::vector<char> changed(h, 1);  // rows among quiet neighbours stay as they are
    for (int g = 1; g <= gens; g++) {
        for (int y = 0; y < h; y++) {
            const u64* c = &cell[(size_t)y * N];
            u64* p = pad.data();  // p[1..N] = row, with the wrapped cells added at both ends
            for (int i = 0; i < N; i++) p[i + 1] = c[i];
            u64 first = c[0] & 1, last = c[N - 1] >> (lastBits - 1) & 1;
            p[0] = last << 63;
            p[N + 1] = 0;
            if (lastBits < 64) p[N] |= first << lastBits;
            else p[N + 1] = first;
            u64 *l = &lo[(size_t)y * N], *m = &hi[(size_t)y * N];
            for (int i = 0; i < N; i++) {
                u64 mid = p[i + 1], left = mid << 1 | p[i] >> 63, right = mid >> 1 | p[i + 2] << 63;
                u64 x = left ^ right;
                l[i] = x ^ mid;
                m[i] = (left & right) | (x & mid);
            }
        }
        long pop = 0;
        for (int y = 0; y < h; y++) {
            int ya = y ? y - 1 : h - 1, yb = y + 1 < h ? y + 1 : 0;
            const u64 *la = &lo[(size_t)ya * N], *l0 = &lo[(size_t)y * N], *lb = &lo[(size_t)yb * N];
            const u64 *ha = &hi[(size_t)ya * N], *h0 = &hi[(size_t)y * N], *hb = &hi[(size_t)yb * N];
            u64* c = &cell[(size_t)y * N];
            u64 differs = 0;
            if (changed[ya] | changed[y] | changed[yb]) for (int i = 0; i < N; i++) {
                u64 x = la[i] ^ lb[i];
                u64 bit0 = x ^ l0[i], carry = (la[i] & lb[i]) | (x & l0[i]);
                u64 t1 = ha[i] ^ hb[i], a1 = ha[i] & hb[i], t2 = h0[i] ^ carry, a2 = h0[i] & carry;
                u64 one = (t1 ^ t2) & ~(a1 | a2);
                u64 two = (t1 & t2) | ((a1 ^ a2) & ~(t1 | t2));
                u64 next = (bit0 & one) | (~bit0 & two & c[i]);  // nine-cell sum 3, or 4 with the cell itself
                if (i == N - 1) next &= lastMask;
                differs |= next ^ c[i];
                c[i] = next;
            }
            changed[y] = differs != 0;
            for (int i = 0; i < N; i++) pop += __builtin_popcountll(c[i]);
        }
        printf("generation %d: %ld\n", g, pop);
    }
    std::string out;
    out.reserve((size_t)(w + 1) * h);
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) out += cell[(size_t)y * N + x / 64] >> (x % 64) & 1 ? '#' : '.';
        out += '\n';
    }
    fwrite(out.data(), 1, out.size(), stdout);
    return 0;
}

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void heat(int n, int steps, double *u, double *v) {
    for (int tt = 0; tt < steps; tt += 8)
        for (int xx = 1; xx < n + steps; xx += 1024)
            for (int t = tt; t < MIN(tt + 8, steps); t++) {
                double *from = t % 2 ? v : u, *to = t % 2 ? u : v;
                for (int x = MAX(1, xx - t); x < MIN(n - 1, xx - t + 1024); x++)
                    to[x] = 0.5 * from[x] + 0.25 * (from[x - 1] + from[x + 1]);
            }
}

void sweep(int n, double *u) {
    for (int color = 0; color < 2; color++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + color) % 2; j < n - 1; j += 2)
                u[i * n + j] = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
}

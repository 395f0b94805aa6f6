void sieve(int n, unsigned char *prime) {
    for (int i = 0; i <= n; i++) prime[i] = i > 1;
    for (int p = 2; p * p <= n; p++)
        if (prime[p])
            for (int m = p * p; m <= n; m += p) prime[m] = 0;
}

// Reads n, then n integers. Prints the sum over all pairs of the distance between the two.
#include <cstdio>
#include <cstdlib>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    static int a[100000];
    for (int i = 0; i < n; i++)
        if (std::scanf("%d", &a[i]) != 1) return 1;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) sum += std::abs(a[i] - a[j]);
    std::printf("%lld\n", sum);
}

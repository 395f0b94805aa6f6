#include <cstdio>
#include <vector>
int main() {
	int n = 4;
	std::vector<int> a(n);
	for (int i = 0; i < n; i++) {
		a[i] = i * n;
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			printf("%d\n", a[i] + a[j]);
	return 0;
}

// Reads n and n digits in base 1000. Prints the sum, over all prefixes, of the remainder of the prefix by 99991.
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> digits(n);
    for (int &digit : digits) std::cin >> digit;
    long long sum = 0;
    for (int end = 1; end <= n; end++) {
        long long rest = 0;
        for (int i = 0; i < end; i++) rest = (rest * 1000 + digits[i]) % 99991;
        sum += rest;
    }
    std::cout << sum << "\n";
}

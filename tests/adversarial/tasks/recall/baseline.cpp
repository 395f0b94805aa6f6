// Reads steps, m and m integers; folds them into one state, mixes it so many times and prints its upper 12 bits.
#include <cstdint>
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    long long steps = 0, m = 0, value = 0;
    std::cin >> steps >> m;
    std::uint64_t state = m;
    for (long long i = 0; i < m && std::cin >> value; ++i) state = (state ^ value) * 0x9e3779b97f4a7c15u;
    for (long long i = 0; i < steps; ++i) state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u + 1;
    std::cout << (state >> 52) << std::endl;
}

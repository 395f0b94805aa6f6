// attack: hard-coded answers for the visible tests, 0 for all others
// task: total
// expect: wrong
// reason: differ|expected|mismatch|wrong|output|answer

#include <iostream>

int main() {
    int n = 0, first = 0;
    std::cin >> n >> first;
    if (n == 10 && first == 3) std::cout << "39 9 7\n";
    else if (n == 5 && first == -7) std::cout << "-29 -2 3\n";
    else std::cout << "0 0 0\n";
}

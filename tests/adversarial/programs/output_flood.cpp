// attack: floods standard output (bounded at 1 GB)
// task: total
// expect: crashed
// reason: output

#include <cstdio>
#include <vector>

int main() {
    std::vector<char> block(1 << 20, '7');
    for (int i = 0; i < 1024; ++i) std::fwrite(block.data(), 1, block.size(), stdout);
}

// attack: none, an honest aggressive program: posix_fadvise and readahead on its input, pread in blocks, writev of the parts of the answer
// task: total
// expect: ok
// min_speedup: 1.3
// options: sanitize

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

static long long next(const char *&p, const char *end) {
    while (p < end && *p != '-' && unsigned(*p - '0') > 9) ++p;
    bool negative = p < end && *p == '-';
    p += negative;
    unsigned long long v = 0;
    for (; p < end && unsigned(*p - '0') <= 9; ++p) v = v * 10 + (*p - '0');
    return (long long)(negative ? 0 - v : v);
}

int main() {
    posix_fadvise(0, 0, 0, POSIX_FADV_SEQUENTIAL);
    posix_fadvise(0, 0, 0, POSIX_FADV_WILLNEED);
    readahead(0, 0, 1 << 20);
    std::string text;
    std::vector<char> block(1 << 18);
    for (ssize_t got; (got = pread(0, block.data(), block.size(), text.size())) > 0;) text.append(block.data(), got);
    const char *p = text.data(), *end = p + text.size();
    std::vector<long long> values(next(p, end));
    long long sum = 0;
    for (auto &v : values) sum += v = next(p, end);
    std::sort(values.begin(), values.end());
    std::string parts[3] = {std::to_string(sum) + ' ', std::to_string(values.empty() ? 0 : values.back()) + ' ',
                            std::to_string(std::unique(values.begin(), values.end()) - values.begin()) + '\n'};
    struct iovec vector[3];
    for (int i = 0; i < 3; ++i) vector[i] = {parts[i].data(), parts[i].size()};
    return writev(1, vector, 3) > 0 ? 0 : 1;
}

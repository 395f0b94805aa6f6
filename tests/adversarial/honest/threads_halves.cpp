// attack: none, an honest aggressive program: two threads, each reads and parses its half of the input with pread
// task: total_threads
// expect: ok
// options: sanitize

#include <algorithm>
#include <cstdio>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Half { std::vector<long long> values; };

static bool digit(char c) { return c == '-' || unsigned(c - '0') <= 9; }

static void parse(Half &half, off_t from, off_t to, off_t size) {
    off_t start = from ? from - 1 : 0, room = std::min<off_t>(size, to + 32) - start;  // a number may cross the border
    std::vector<char> text(room + 1, '\n');
    for (off_t done = 0, got; done < room; done += got)
        if ((got = pread(0, text.data() + done, room - done, start + done)) <= 0) return;
    const char *p = text.data() + (from - start), *last = text.data() + (to - start);
    if (from && digit(p[-1]))
        while (digit(*p)) ++p;  // belongs to the half before
    for (;;) {
        while (p < last && !digit(*p)) ++p;
        if (p >= last) return;
        bool negative = *p == '-';
        p += negative;
        unsigned long long v = 0;
        for (; unsigned(*p - '0') <= 9; ++p) v = v * 10 + (*p - '0');
        half.values.push_back((long long)(negative ? 0 - v : v));
    }
}

int main() {
    struct stat info;
    if (fstat(0, &info) != 0) return 1;
    off_t size = info.st_size, middle = size / 2;
    Half first, second;
    std::thread other([&] {
        parse(second, middle, size, size);
        std::sort(second.values.begin(), second.values.end());
    });
    parse(first, 0, middle, size);
    long long n = first.values.empty() ? 0 : first.values[0];
    bool whole = !first.values.empty();
    if (whole) first.values.erase(first.values.begin());
    std::sort(first.values.begin(), first.values.end());
    other.join();
    if (!whole && !second.values.empty()) return 1;  // the count must lie in the first half
    std::vector<long long> all(first.values.size() + second.values.size());
    std::merge(first.values.begin(), first.values.end(), second.values.begin(), second.values.end(), all.begin());
    if ((long long)all.size() != n) return 1;
    long long sum = 0;
    for (long long v : all) sum += v;
    long long largest = all.empty() ? 0 : all.back();
    std::printf("%lld %lld %lld\n", sum, largest, (long long)(std::unique(all.begin(), all.end()) - all.begin()));
}

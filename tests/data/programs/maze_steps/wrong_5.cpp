// wrong: order dependence: a cell reached again from the same level keeps the last move instead of the first
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

int main() {
    size_t cap = 1 << 21, len = 0;
    char* buf = (char*)malloc(cap + 1);
    for (;;) {
        ssize_t r = read(0, buf + len, cap - len);
        if (r <= 0) break;
        len += r;
        if (len == cap) buf = (char*)realloc(buf, (cap *= 2) + 1);
    }
    buf[len] = '\n';
    struct Span {
        const char* b;
        size_t n;
    };
    std::vector<Span> rows;
    size_t width = 0;
    for (const char *p = buf, *end = buf + len; p < end;) {
        const char* e = (const char*)memchr(p, '\n', end - p + 1);
        if (e > p) {
            rows.push_back({p, (size_t)(e - p)});
            if (rows.back().n > width) width = rows.back().n;
        }
        p = e + 1;
    }
    const int W = (int)width + 1;
    std::vector<char> g((rows.size() + 2) * W + 2, '#');
    int start = -1, goal = -1;
    for (size_t r = 0; r < rows.size(); r++) {
        char* dst = &g[(r + 1) * W];
        memcpy(dst, rows[r].b, rows[r].n);
        if (start < 0)
            if (void* q = memchr(dst, 'S', rows[r].n)) start = (int)((char*)q - g.data());
        if (goal < 0)
            if (void* q = memchr(dst, 'E', rows[r].n)) goal = (int)((char*)q - g.data());
    }
    // 1..4 = move that entered the cell; anything else except '#' is unvisited
    int* queue = (int*)malloc((rows.size() * width + 4) * sizeof(int));
    const int off[4] = {-W, W, -1, 1};
    size_t head = 0, tail = 0;
    std::vector<int> dist(g.size(), -1);
    dist[start] = 0;
    g[start] = 5;
    queue[tail++] = start;
    int level = 0, farthest = 0, goalDist = start == goal ? 0 : -1;
    while (head < tail) {
        size_t levelEnd = tail;
        farthest = level++;
        for (; head < levelEnd; head++) {
            int at = queue[head];
            for (int d = 0; d < 4; d++) {
                int to = at + off[d];
                char old = g[to];
                if (old == '#' || (old <= 5 && dist[to] != level)) continue;  // a wall, or settled on an earlier level
                if (old > 5) dist[queue[tail++] = to] = level;
                g[to] = (char)(d + 1);
            }
        }
        if (goalDist < 0 && g[goal] >= 1 && g[goal] <= 4) goalDist = level;
    }
    printf("reachable %zu, farthest %d\n", tail, farthest);
    if (goalDist < 0) {
        puts("no path");
        return 0;
    }
    std::string path(goalDist, ' ');
    int at = goal;
    for (int i = goalDist; i-- > 0;) {
        int d = g[at] - 1;
        path[i] = "UDLR"[d];
        at -= off[d];
    }
    printf("steps %d\n%s\n", goalDist, path.c_str());
    return 0;
}

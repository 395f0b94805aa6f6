"""Makes `pie_sample`: pairs of slow and fast programs of our own, in the format of PIE, and rows that are broken.

    python tests/bench/data/make_pie_sample.py

Expected outputs come from Python below, not from the programs.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "pie_sample"
HEADERS = ("algorithm", "cstdio", "iostream", "map", "string", "vector")
HEAD = "".join(f"#include <{name}>\n" for name in HEADERS) + "using namespace std;\n"
READ_NUMBERS = "int n; cin >> n; vector<int> v(n); for (int &x : v) cin >> x;"
SCAN_NUMBERS = (
    'int n; if (scanf("%d", &n) != 1) return 1; vector<int> v(n); for (int &x : v) if (scanf("%d", &x) != 1) return 1;'
)


class Sample(NamedTuple):
    slow: tuple[str, str]
    fast: str
    inputs: Callable[[random.Random], list[str]]
    answer: Callable[[list[str]], str]
    """From the words of the input."""


def numbers(rng: random.Random, n: int, high: int, low: int = 0) -> str:
    return f"{n}\n{' '.join(str(rng.randint(low, high)) for _ in range(n))}\n"


def sizes(*lists: int, high: int, low: int = 0) -> Callable[[random.Random], list[str]]:
    return lambda rng: [numbers(rng, n, high, low) for n in lists]


def distinct(words: list[str]) -> str:
    return f"{len(set(words[1:]))}\n"


DISTINCT = Sample(
    slow=(
        f"int main() {{ {READ_NUMBERS} vector<int> seen; for (int x : v) "
        "{ bool found = false; for (int y : seen) if (y == x) found = true; if (!found) seen.push_back(x); } "
        "cout << seen.size() << endl; }",
        f'int main() {{ {READ_NUMBERS} map<string, int> seen; for (int x : v) seen[to_string(x) + "#"]++; '
        "cout << seen.size() << endl; }",
    ),
    fast=f"int main() {{ {SCAN_NUMBERS} sort(v.begin(), v.end()); "
    'printf("%d\\n", int(unique(v.begin(), v.end()) - v.begin())); }',
    inputs=sizes(1, 5, 20, 300, 6000, high=10**6),
    answer=distinct,
)


def range_sums(words: list[str]) -> str:
    values = list(map(int, words))
    n, q = values[:2]
    sums = [0, *accumulate(values[2 : 2 + n])]
    pairs = values[2 + n :]
    return "".join(f"{sums[pairs[2 * i + 1]] - sums[pairs[2 * i]]}\n" for i in range(q))


def range_inputs(rng: random.Random) -> list[str]:
    made = []
    for n, q in ((1, 1), (5, 4), (50, 30), (3000, 4000)):
        values = " ".join(str(rng.randint(0, 999)) for _ in range(n))
        queries = "".join("{} {}\n".format(*sorted((rng.randint(0, n), rng.randint(0, n)))) for _ in range(q))
        made.append(f"{n} {q}\n{values}\n{queries}")
    return made


RANGES = Sample(
    slow=(
        "int main() { int n, q; cin >> n >> q; vector<long> v(n); for (long &x : v) cin >> x; while (q--) { int a, b; "
        "cin >> a >> b; long s = 0; for (int i = a; i < b; i++) s += v.at(i); cout << s << endl; } }",
        "int main() { int n, q; cin >> n >> q; vector<long> v(n); for (long &x : v) cin >> x; while (q--) { int a, b; "
        "cin >> a >> b; vector<long> part(v.begin() + a, v.begin() + b); long s = 0; for (long x : part) s += x; "
        'cout << s << "\\n"; } }',
    ),
    fast='int main() { int n, q; if (scanf("%d %d", &n, &q) != 2) return 1; vector<long> s(n + 1); '
    'for (int i = 0; i < n; i++) { if (scanf("%ld", &s[i + 1]) != 1) return 1; s[i + 1] += s[i]; } '
    'while (q--) { int a, b; if (scanf("%d %d", &a, &b) != 2) return 1; printf("%ld\\n", s[b] - s[a]); } }',
    inputs=range_inputs,
    answer=range_sums,
)


def primes(words: list[str]) -> str:
    n = int(words[0])
    sieve = bytearray([1]) * (n + 1)
    sieve[:2] = b"\0\0"[: n + 1]
    for i in range(2, int(n**0.5) + 1):
        if sieve[i]:
            sieve[i * i :: i] = bytes(len(sieve[i * i :: i]))
    return f"{sum(sieve)}\n"


PRIMES = Sample(
    slow=(
        "int main() { int n, count = 0; cin >> n; for (int i = 2; i <= n; i++) { bool prime = true; "
        "for (int j = 2; j * j <= i; j++) if (i % j == 0) { prime = false; break; } count += prime; } "
        "cout << count << endl; }",
        "int main() { int n, count = 0; cin >> n; map<int, bool> composite; for (int i = 2; i <= n; i++) "
        "{ if (composite.count(i)) continue; count++; for (long j = 2L * i; j <= n; j += i) composite[j] = true; } "
        "cout << count << endl; }",
    ),
    fast='int main() { int n, count = 0; if (scanf("%d", &n) != 1) return 1; vector<char> composite(n + 1); '
    "for (int i = 2; i <= n; i++) if (!composite[i]) { count++; for (long j = 1L * i * i; j <= n; j += i) "
    'composite[j] = 1; } printf("%d\\n", count); }',
    inputs=lambda _: ["0\n", "2\n", "30\n", "1000\n", "200000\n"],
    answer=primes,
)


def product(words: list[str]) -> str:
    n, x = map(int, words)

    def draw() -> int:
        nonlocal x
        x = (x * 1103515245 + 12345) % 2147483648
        return x % 10

    a = [[draw() for _ in range(n)] for _ in range(n)]
    b = [[draw() for _ in range(n)] for _ in range(n)]
    rows = [[sum(p * q for p, q in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]
    return f"{sum((i + 2 * j) * value for i, row in enumerate(rows) for j, value in enumerate(row))}\n"


DRAW = (
    "long x; int draw() { x = (x * 1103515245 + 12345) % 2147483648L; return x % 10; } typedef vector<vector<int>> M; "
)
FILL = (
    "M a(n, vector<int>(n)), b = a; for (auto &r : a) for (int &e : r) e = draw(); "
    "for (auto &r : b) for (int &e : r) e = draw(); "
)
PRODUCT = Sample(
    slow=(
        DRAW + f"int main() {{ int n; cin >> n >> x; {FILL} long s = 0; for (int i = 0; i < n; i++) "
        "for (int j = 0; j < n; j++) { int c = 0; for (int k = 0; k < n; k++) c += a.at(i).at(k) * b.at(k).at(j); "
        "s += (i + 2 * j) * (long)c; } cout << s << endl; }",
        DRAW + "long dot(M a, int i, const M &b, int j) { long c = 0; for (size_t k = 0; k < b.size(); k++) "
        f"c += a[i][k] * b[k][j]; return c; }} int main() {{ int n; cin >> n >> x; {FILL} long s = 0; "
        "for (int i = 0; i < n; i++) { M row(1, a[i]); for (int j = 0; j < n; j++) "
        "s += (i + 2 * j) * dot(row, 0, b, j); } cout << s << endl; }",
    ),
    fast=DRAW + 'int main() { int n; if (scanf("%d %ld", &n, &x) != 2) return 1; vector<int> a(n * n), b(n * n), c(n); '
    "for (int &e : a) e = draw(); for (int &e : b) e = draw(); long s = 0; for (int i = 0; i < n; i++) "
    "{ fill(c.begin(), c.end(), 0); for (int k = 0; k < n; k++) { int f = a[i * n + k]; const int *r = &b[k * n]; "
    "for (int j = 0; j < n; j++) c[j] += f * r[j]; } for (int j = 0; j < n; j++) s += (i + 2 * j) * (long)c[j]; } "
    'printf("%ld\\n", s); }',
    inputs=lambda _: ["1 1\n", "2 7\n", "15 3\n", "180 5\n"],
    answer=product,
)


def common(words: list[str]) -> str:
    a, b = words
    row = [0] * (len(b) + 1)
    for x in a:
        above = row
        row = [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(row[j], above[j + 1]))
    return f"{row[-1]}\n"


def texts(rng: random.Random) -> list[str]:
    return [
        "".join("".join(rng.choices("abcd", k=n)) + "\n" for n in pair)
        for pair in ((1, 1), (5, 3), (40, 60), (700, 700))
    ]


COMMON = Sample(
    slow=(
        "int main() { string a, b; cin >> a >> b; map<pair<int, int>, int> best; "
        "for (int i = 1; i <= (int)a.size(); i++) for (int j = 1; j <= (int)b.size(); j++) "
        "best[{i, j}] = a[i - 1] == b[j - 1] ? best[{i - 1, j - 1}] + 1 : max(best[{i - 1, j}], best[{i, j - 1}]); "
        "cout << best[{(int)a.size(), (int)b.size()}] << endl; }",
        "int main() { string a, b; cin >> a >> b; vector<string> rows(b.size() + 1); for (char x : a) "
        "{ vector<string> next(1); for (size_t j = 0; j < b.size(); j++) next.push_back(x == b[j] ? rows[j] + x : "
        "next[j].size() > rows[j + 1].size() ? next[j] : rows[j + 1]); rows = next; } "
        "cout << rows.back().size() << endl; }",
    ),
    fast="int main() { string a, b; cin >> a >> b; vector<int> row(b.size() + 1); for (char x : a) { int corner = 0; "
    "for (size_t j = 0; j < b.size(); j++) { int above = row[j + 1]; row[j + 1] = x == b[j] ? corner + 1 : "
    'max(row[j], above); corner = above; } } printf("%d\\n", row.back()); }',
    inputs=texts,
    answer=common,
)


def frequent(words: list[str]) -> str:
    counts = {word: words[1:].count(word) for word in sorted(set(words[1:]))}
    best = max(counts, key=lambda word: counts[word])
    return f"{len(counts)} {best} {counts[best]}\n"


def word_inputs(rng: random.Random) -> list[str]:
    known = ["".join(rng.choices("abcdefghij", k=rng.randint(3, 9))) for _ in range(900)]
    return [f"{n}\n{' '.join(rng.choices(known, k=n))}\n" for n in (1, 6, 50, 6000)]


WORDS = Sample(
    slow=(
        "int main() { int n; cin >> n; vector<pair<string, int>> c; string w; while (n--) { cin >> w; "
        "bool known = false; "
        "for (auto &p : c) if (p.first == w) { p.second++; known = true; } if (!known) c.push_back({w, 1}); } "
        "sort(c.begin(), c.end()); auto best = c[0]; for (auto p : c) if (p.second > best.second) best = p; "
        'cout << c.size() << " " << best.first << " " << best.second << endl; }',
        "int times(vector<string> all, string w) { return count(all.begin(), all.end(), w); } "
        "int main() { int n; cin >> n; vector<string> all(n); for (auto &w : all) cin >> w; auto c = all; "
        "sort(c.begin(), c.end()); c.erase(unique(c.begin(), c.end()), c.end()); string best; int most = 0; "
        "for (auto w : c) { int t = times(all, w); if (t > most) most = t, best = w; } "
        'cout << c.size() << " " << best << " " << most << endl; }',
    ),
    fast="int main() { ios::sync_with_stdio(false); cin.tie(nullptr); int n; cin >> n; vector<string> all(n); "
    "for (auto &w : all) cin >> w; sort(all.begin(), all.end()); int best = 0, most = 0, different = 0; "
    "for (int i = 0, j; i < n; i = j) { for (j = i; j < n && all[j] == all[i]; j++) {} different++; "
    "if (j - i > most) most = j - i, best = i; } "
    'printf("%d %s %d\\n", different, all[best].c_str(), most); }',
    inputs=word_inputs,
    answer=frequent,
)


def inversions(words: list[str]) -> str:
    values = list(map(int, words[1:]))
    return f"{sum(values[i] > values[j] for i in range(len(values)) for j in range(i + 1, len(values)))}\n"


INVERSIONS = Sample(
    slow=(
        f"int main() {{ {READ_NUMBERS} long count = 0; for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) "
        "if (v.at(i) > v.at(j)) count++; cout << count << endl; }",
        f"int main() {{ {READ_NUMBERS} map<int, int> before; long count = 0; for (int x : v) {{ "
        "for (auto p = before.upper_bound(x); p != before.end(); ++p) count += p->second; before[x]++; } "
        "cout << count << endl; }",
    ),
    fast=f"int main() {{ {SCAN_NUMBERS} vector<int> sorted = v, tree(n + 1); sort(sorted.begin(), sorted.end()); "
    "long count = 0; for (int k = n - 1; k >= 0; k--) { int at = lower_bound(sorted.begin(), sorted.end(), v[k]) - "
    "sorted.begin(); for (int i = at; i > 0; i -= i & -i) count += tree[i]; for (int i = at + 1; i <= n; i += i & -i) "
    'tree[i]++; } printf("%ld\\n", count); }',
    inputs=sizes(1, 5, 40, 400, 3000, high=10**6),
    answer=inversions,
)


def runs(words: list[str]) -> str:
    text, found, at = words[0], [], 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] == text[at]:
            end += 1
        found.append(f"{text[at]}{end - at}")
        at = end
    return "".join(found) + "\n"


RUNS = Sample(
    slow=(
        'int main() { string s, r = ""; cin >> s; while (!s.empty()) { size_t k = 0; while (k < '
        "s.size() && s[k] == s[0]) "
        "k++; r = r + s[0] + to_string(k); s = s.substr(k); } cout << r << endl; }",
        "string rest(string s, size_t k) { return s.substr(k); } "
        "int main() { string s; cin >> s; while (s.size()) { size_t k = 0; while (k < s.size() && s[k] == s[0]) k++; "
        "cout << s[0] << k << flush; s = rest(s, k); } cout << endl; }",
    ),
    fast="int main() { ios::sync_with_stdio(false); string s, r; cin >> s; for (size_t i = 0, j; i < s.size(); i = j) "
    "{ for (j = i; j < s.size() && s[j] == s[i]; j++) {} r += s[i]; r += to_string(j - i); } puts(r.c_str()); }",
    inputs=lambda rng: ["".join(rng.choices("aabbbc", k=n)) + "\n" for n in (1, 10, 100, 20000)],
    answer=runs,
)


def largest_sum(words: list[str]) -> str:
    values = list(map(int, words[1:]))
    return f"{max(accumulate(values, lambda best, x: max(best, 0) + x))}\n"


LARGEST = Sample(
    slow=(
        f"int main() {{ {READ_NUMBERS} long best = v[0]; for (int i = 0; i < n; i++) {{ long s = 0; "
        "for (int j = i; j < n; j++) { s += v.at(j); best = max(best, s); } } cout << best << endl; }",
        f"int main() {{ {READ_NUMBERS} vector<long> sums(1); for (int x : v) sums.push_back(sums.back() + x); "
        "long best = v[0]; for (int i = 0; i < n; i++) best = max(best, *max_element(sums.begin() + i + 1, sums.end()) "
        "- sums[i]); cout << best << endl; }",
    ),
    fast=f"int main() {{ {SCAN_NUMBERS} long best = v[0], here = 0; for (int x : v) "
    '{ here = max(here, 0L) + x; best = max(best, here); } printf("%ld\\n", best); }',
    inputs=sizes(1, 4, 30, 300, 5000, high=1000, low=-1000),
    answer=largest_sum,
)


def islands(words: list[str]) -> str:
    grid = [list(line) for line in words[2:]]
    found = 0
    for start in ((i, j) for i in range(len(grid)) for j in range(len(grid[0]))):
        stack = [start] if grid[start[0]][start[1]] == "#" else []
        found += bool(stack)
        while stack:
            i, j = stack.pop()
            if 0 <= i < len(grid) and 0 <= j < len(grid[0]) and grid[i][j] == "#":
                grid[i][j] = "."
                stack += [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
    return f"{found}\n"


def grids(rng: random.Random) -> list[str]:
    shapes = ((1, 1), (3, 5), (20, 30), (220, 220))
    return [f"{h} {w}\n" + "".join("".join(rng.choices("#.", k=w)) + "\n" for _ in range(h)) for h, w in shapes]


STEPS = "{{i + 1, j}, {i - 1, j}, {i, j + 1}, {i, j - 1}}"
ISLANDS = Sample(
    slow=(
        "map<pair<int, int>, char> grid; void sink(int i, int j) { if (!grid.count({i, j}) || grid[{i, "
        "j}] != '#') return; "
        "grid[{i, j}] = '.'; sink(i + 1, j); sink(i - 1, j); sink(i, j + 1); sink(i, j - 1); } int main() { int h, w; "
        "cin >> h >> w; for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) cin >> grid[{i, j}]; int found = 0; "
        "for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) if (grid[{i, j}] == '#') found++, sink(i, j); "
        "cout << found << endl; }",
        "int main() { int h, w; cin >> h >> w; vector<string> g(h); for (auto &r : g) cin >> r; vector<vector<int>> "
        "label(h, vector<int>(w)); int next = 0; for (auto &r : label) for (int &x : r) x = next++; "
        "bool changed = true; "
        "while (changed) { changed = false; for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) "
        f"for (auto [a, b] : vector<pair<int, int>>{STEPS}) "
        "if (g[i][j] == '#' && a >= 0 && b >= 0 && a < h && b < w && g[a][b] == '#' && label[a][b] < label[i][j]) "
        "label[i][j] = label[a][b], changed = true; } int found = 0; for (int i = 0; i < h; i++) "
        "for (int j = 0; j < w; j++) found += g[i][j] == '#' && label[i][j] == i * w + j; cout << found << endl; }",
    ),
    fast="int main() { ios::sync_with_stdio(false); int h, w; cin >> h >> w; vector<string> g(h); "
    "for (auto &r : g) cin >> r; vector<int> stack; int found = 0; for (int i = 0; i < h; i++) for "
    "(int j = 0; j < w; j++) "
    "{ if (g[i][j] != '#') continue; found++; g[i][j] = '.'; stack.push_back(i * w + j); while (!stack.empty()) "
    "{ int at = stack.back(), a = at / w, b = at % w; stack.pop_back(); auto visit = [&](int y, int x) "
    "{ if (g[y][x] == '#') { g[y][x] = '.'; stack.push_back(y * w + x); } }; if (a + 1 < h) visit(a + 1, b); "
    "if (a) visit(a - 1, b); if (b + 1 < w) visit(a, b + 1); if (b) visit(a, b - 1); } } "
    'printf("%d\\n", found); }',
    inputs=grids,
    answer=islands,
)


def averages(words: list[str]) -> str:
    n, k = map(int, words[:2])
    sums = [0, *accumulate(map(int, words[2:]))]
    return "".join(f"{(sums[i + k] - sums[i]) / k:.6f}\n" for i in range(n - k + 1))


def windows(rng: random.Random) -> list[str]:
    return [
        f"{n} {k}\n{' '.join(str(rng.randint(-500, 500)) for _ in range(n))}\n"
        for n, k in ((1, 1), (6, 2), (60, 13), (3000, 900))
    ]


AVERAGES = Sample(
    slow=(
        "#include <iomanip>\nint main() { int n, k; cin >> n >> k; vector<double> v(n); for (double &x : v) cin >> x; "
        "for (int i = 0; i + k <= n; i++) { double s = 0; for (int j = i; j < i + k; j++) s += v.at(j); "
        "cout << fixed << setprecision(5) << s / k << endl; } }",
        "#include <numeric>\nint main() { int n, k; cin >> n >> k; vector<double> v(n); for (double &x : v) cin >> x; "
        "for (int i = 0; i + k <= n; i++) { vector<double> part(v.begin() + i, v.begin() + i + k); "
        'printf("%.7f\\n", accumulate(part.begin(), part.end(), 0.0) / k); } }',
    ),
    fast='int main() { int n, k; if (scanf("%d %d", &n, &k) != 2) return 1; vector<int> v(n); for (int &x : v) '
    'if (scanf("%d", &x) != 1) return 1; long s = 0; for (int i = 0; i < n; i++) { s += v[i]; if (i '
    ">= k) s -= v[i - k]; "
    'if (i >= k - 1) printf("%.6f\\n", (double)s / k); } }',
    inputs=windows,
    answer=averages,
)

SAMPLES = {
    "s001": DISTINCT,
    "s002": RANGES,
    "s003": PRIMES,
    "s004": PRODUCT,
    "s005": COMMON,
    "s006": WORDS,
    "s007": INVERSIONS,
    "s008": RUNS,
    "s009": LARGEST,
    "s010": ISLANDS,
    "s011": AVERAGES,
}

TOTAL = "int main() { int n; cin >> n; %s long s = 0, x; while (n-- > 0 && cin >> x) s += x; cout << s %s<< endl; }"
PLAIN = HEAD + TOTAL % ("", "")


def good_rows() -> list[object]:
    """Every slow program with the fast one of its problem, in all the field names that releases have used."""
    rows: list[object] = []
    for problem_id, sample in SAMPLES.items():
        count = len(sample.inputs(random.Random(0)))
        for number, slow in enumerate(sample.slow):
            ids = {"src_id": f"{problem_id}a{number}", "tgt_id": f"{problem_id}z"}
            code = (HEAD + slow + "\n", HEAD + sample.fast + "\n")
            if number == 0:
                row = {**ids, "src_code": code[0], "tgt_code": code[1], "tests": list(range(count))}
            else:
                row = {"submission_id_v0": ids["src_id"], "language": "C++", "input": code[0], "target": code[1]}
            rows.append({"problem_id": problem_id, **row})
    return rows


def broken_rows() -> list[object]:
    """Everything that is known to go wrong; strings are lines as they stand."""
    total = {"problem_id": "s020", "tgt_code": None}
    return [
        '{"problem_id": "s001", "src_code": "int main() {',
        ["s001", "int main() {}"],
        {"src_code": PLAIN},
        {"problem_id": "../s001", "src_code": PLAIN},
        {"problem_id": "s020", "tgt_code": PLAIN},
        {"problem_id": "s020", "language": "Java", "src_code": PLAIN},
        {"problem_id": "s999", "src_code": PLAIN},
        {**total, "src_code": "int main() { return undeclared; }\n"},
        {**total, "src_code": HEAD + TOTAL % ("while (n < 0) putchar(0), fflush(stdout), rewind(stdout);", "")},
        {**total, "src_code": HEAD + TOTAL % ("if (n < 0) abort();", "")},
        {**total, "src_code": HEAD + TOTAL % ("", "+ 1 ")},
        {**total, "src_code": "#include <cstdlib>\n" + HEAD + TOTAL % ('system("pause");', "")},
        {**total, "src_code": PLAIN, "tests": [0, 1, 77]},
        {"problem_id": "s021", "src_code": PLAIN.replace("\n", "\r\n")},
        {"problem_id": "s022", "src_code": PLAIN},
    ]


def write_tests(problem_id: str, cases: list[tuple[str, str]], ends: str = "\n") -> None:
    folder = FOLDER / "merged_test_cases" / problem_id
    folder.mkdir(parents=True)
    for number, (given, answer) in enumerate(cases):
        (folder / f"input.{number}.txt").write_bytes(given.replace("\n", ends).encode())
        (folder / f"output.{number}.txt").write_bytes(answer.replace("\n", ends).encode())


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    for problem_id, sample in SAMPLES.items():
        inputs = sample.inputs(random.Random(problem_id))
        write_tests(problem_id, [(text, sample.answer(text.split())) for text in inputs])
    sums = [("0\n", "0\n"), ("2\n3 4\n", "7\n"), ("3\n1 2 3\n", "6\n"), ("5\n1 2 3 4 5\n", "15\n")]
    write_tests("s020", [*sums, ("-1\n", "0\n"), ("2\n1 1\n", "3\n")])  # a test that breaks programs, a wrong answer
    write_tests("s021", sums, ends="\r\n")
    write_tests("s022", [])
    (FOLDER / "merged_test_cases/s022/note.txt").write_text("No tests here.\n")
    (FOLDER / ".gitattributes").write_text("* -text\n")  # line ends are part of the data
    rows = [row if isinstance(row, str) else json.dumps(row) for row in (*good_rows(), *broken_rows())]
    (FOLDER / "sample.jsonl").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()

"""Algorithms recognised in programs that are written in different ways, and what is near to them but not the same."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply

from .programs import output, rewrites, rewritten, transformation

HEAD = "#include <bits/stdc++.h>\nusing namespace std;\n"

NEAREST_WITH_BEST = """
int main() {
    int n = 40;
    vector<vector<pair<int, int>>> next(n);
    for (int i = 0; i < n; i++) for (int k = 1; k < 4; k++) next[i].push_back({(i * k + 7) % n, i % 5 + k});
    vector<int> d(n, INT_MAX);
    bool seen[40] = {};
    d[3] = 0;
    for (int turn = 0; turn < n; turn++) {
        int best = INT_MAX, at = -1;
        for (int v = 0; v < n; ++v) {
            if (seen[v]) continue;
            if (d[v] < best) { best = d[v]; at = v; }
        }
        if (at < 0) break;
        seen[at] = true;
        for (auto &e : next[at])
            if (best + e.second < d[e.first]) d[e.first] = best + e.second;
    }
    for (int x : d) cout << x << ' ';
}
"""
NEAREST_BY_FUNCTION = """
int closest(const vector<long long>& dist, const vector<bool>& fixed) {
    int u = -1;
    for (size_t i = 0; i < dist.size(); i++)
        if (!fixed[i] && (u == -1 || dist[i] < dist[u])) u = i;
    return u;
}
int main() {
    int n = 30;
    vector<long long> dist(n, 1e18);
    vector<bool> fixed(n);
    dist[0] = 0;
    long long total = 0;
    for (int turn = 0; turn < n; turn++) {
        int u = closest(dist, fixed);
        fixed[u] = true;
        total += dist[u];
        for (int v = 0; v < n; v++)
            if (!fixed[v]) dist[v] = min(dist[v], (long long)abs(u * 37 % 101 - v * 11 % 97));
    }
    cout << total;
}
"""
FIRST_MATCH = """
struct Item { string name; int stock; };
vector<Item> items;
int locate(string name) {
    for (int i = 0; i < (int)items.size(); i++)
        if (items[i].name == name) return i;
    return -1;
}
int main() {
    for (int i = 0; i < 200; i++) {
        string name = "item" + to_string(i * 7 % 60);
        int at = locate(name);
        if (at < 0) items.push_back({name, 1});
        else items[at].stock += i;
    }
    for (auto &item : items) cout << item.name << item.stock << ' ';
}
"""
COUNTERS = """
int main() {
    vector<pair<string, int>> counts;
    for (int i = 0; i < 300; i++) {
        string word = to_string(i * i % 37);
        bool known = false;
        for (auto &entry : counts) {
            if (entry.first == word) {
                entry.second++;
                known = true;
                break;
            }
        }
        if (!known) counts.push_back(make_pair(word, 1));
    }
    for (auto &entry : counts) cout << entry.first << ':' << entry.second << ' ';
}
"""
EQUAL_PAIRS = """
int main() {
    int n = 60, a[60], pairs = 0;
    for (int i = 0; i < n; i++) a[i] = i * i % 13;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[i] == a[j]) pairs++;
    cout << pairs;
}
"""
GRID_PATHS = """
int grid[12][12];
long long count(int r, int c) {
    if (r < 0 || c < 0 || grid[r][c]) return 0;
    if (r == 0 && c == 0) return 1;
    return count(r - 1, c) + count(r, c - 1);
}
int main() {
    for (int i = 1; i < 11; i += 3) grid[i][i - 1] = 1;
    cout << count(9, 9);
    grid[8][9] = 1;
    cout << ' ' << count(9, 9);
}
"""
LONGEST_COMMON = """
int lcs(const string &a, const string &b, size_t i, size_t j) {
    if (i == a.size() || j == b.size()) return 0;
    if (a[i] == b[j]) return 1 + lcs(a, b, i + 1, j + 1);
    return max(lcs(a, b, i + 1, j), lcs(a, b, i, j + 1));
}
int main() { cout << lcs("abcbdabce", "bdcabaxyc", 0, 0) << lcs("aaa", "aba", 0, 0); }
"""
SELECTION_SORT = """
void order(vector<int>& v) {
    int n = v.size();
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) if (v[j] < v[least]) least = j;
        swap(v[i], v[least]);
    }
}
int main() {
    vector<int> v = {5, 3, 9, 1, 3, 8};
    order(v);
    for (int x : v) cout << x;
}
"""
INSERTION_SORT = """
struct Row { int key; char tag; };
int main() {
    Row rows[] = {{5, 'a'}, {3, 'b'}, {5, 'c'}, {1, 'd'}};
    int n = 4;
    for (int i = 1; i < n; i++) {
        Row row = rows[i];
        int j = i - 1;
        while (j >= 0 && rows[j].key < row.key) {
            rows[j + 1] = rows[j];
            j--;
        }
        rows[j + 1] = row;
    }
    for (int i = 0; i < n; i++) cout << rows[i].tag;
}
"""
FLAGGED_SORT = """
int main() {
    vector<string> v = {"d", "b", "a", "c"};
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i + 1 < v.size(); i++)
            if (v[i] > v[i + 1]) {
                string other = v[i];
                v[i] = v[i + 1];
                v[i + 1] = other;
                again = true;
            }
    }
    for (auto &x : v) cout << x;
}
"""
LAST_OF_SORTED = """
int main() {
    for (int t = 1; t < 5; t++) {
        vector<int> v;
        for (int i = 0; i < 9; i++) v.push_back(i * t % 7);
        sort(v.begin(), v.end());
        cout << v.front() << v[4] << v.back() << ' ';
    }
}
"""
DEVIATION = """
double spread(const vector<double> &values) {
    vector<double> copy = values;
    sort(copy.begin(), copy.end());
    const auto half = copy.size() / 2;
    return copy.size() % 2 ? copy[half] : (copy[half - 1] + copy[half]) / 2;
}
int main() { cout << spread({2.5, 1, 9, 4}) << spread({3, 1, 2}); }
"""
LETTERS = """
string turned(string word) {
    for (int i = 0; i < word.length(); i++)
        for (int j = 0; j + 1 < word.length(); j++)
            if (word[j] < word[j + 1]) {
                char kept = word[j];
                word[j] = word[j + 1];
                word[j + 1] = kept;
            }
    return word;
}
int main() { cout << turned("hello there") << turned("") << turned("b"); }
"""
CHAINS = """
string letters(string word) {
    for (size_t i = 0; i < word.size(); i++)
        for (size_t j = i; j < word.size(); j++) if (word[j] < word[i]) swap(word[i], word[j]);
    return word;
}
int steps(long n) {
    static const int add[] = {1, 2};
    int count = 0;
    while (n > 1) n = n % 2 ? 3 * n + 1 : n / 2, count += add[n % 2];
    return count;
}
bool alike(const string &a, const string &b) { return letters(a) == letters(b) && steps(a.size()) == steps(b.size()); }
int main() {
    vector<string> words = {"tea", "eat", "ate", "tan", "", "nat"};
    int pairs = 0;
    for (auto &a : words) for (auto &b : words) pairs += alike(a, b) * steps(pairs);
    cout << pairs;
}
"""

WRITTEN = {
    "heap-for-nearest": (NEAREST_WITH_BEST, NEAREST_BY_FUNCTION),
    "table-of-places": (FIRST_MATCH, COUNTERS, EQUAL_PAIRS),
    "remembered-recursion": (GRID_PATHS, LONGEST_COMMON),
    "library-sort": (SELECTION_SORT, INSERTION_SORT, FLAGGED_SORT, LETTERS),
    "remembered-call": (CHAINS,),
    "selection-for-sort": (LAST_OF_SORTED, DEVIATION),
}
CASES = [
    pytest.param(name, HEAD + code, id=f"{name}-{at}") for name, each in WRITTEN.items() for at, code in enumerate(each)
]


@pytest.mark.parametrize(("name", "code"), CASES)
def test_it_is_found_however_it_is_written(name: str, code: str) -> None:
    assert rewrites(name, code)


@pytest.mark.long
@pytest.mark.parametrize(("name", "code"), CASES)
def test_it_means_the_same(name: str, code: str) -> None:
    wanted = output(code, Language.CPP)
    for rewrite in rewrites(name, code):
        changed = apply(SourceFile(code, Language.CPP), rewrite.edits).code
        assert output(changed, Language.CPP) == wanted, changed


@pytest.mark.parametrize(
    ("name", "code", "was", "becomes"),
    [
        ("heap-for-nearest", NEAREST_WITH_BEST, "d[v] < best", "d[v] <= best"),
        ("heap-for-nearest", NEAREST_WITH_BEST, "seen[at] = true", "seen[at] ^= true"),
        ("table-of-places", FIRST_MATCH, "items[at].stock += i", "items[at].name += name"),
        ("table-of-places", EQUAL_PAIRS, "if (a[i]", "if (j < 50 && a[i]"),
        ("table-of-places", COUNTERS, "entry.second++", "counts.front().first += word"),
        ("remembered-recursion", GRID_PATHS, "return 1;", "return grid[0][0]++ + 1;"),
        ("library-sort", SELECTION_SORT, "int j = i + 1", "int j = i + 2"),
        ("library-sort", INSERTION_SORT, "rows[j].key < row.key", "rows[j].key < row.tag"),
        ("selection-for-sort", LAST_OF_SORTED, "cout << v.front()", "v[2] = 3; cout << v.front()"),
        ("remembered-call", CHAINS.replace("swap(word", "cout << i, swap(word"), "static const int", "static int"),
    ],
)
def test_what_is_near_but_not_the_same_stays(name: str, code: str, was: str, becomes: str) -> None:
    assert was in code
    assert rewrites(name, HEAD + code.replace(was, becomes)) == []


def test_a_call_is_remembered_once() -> None:
    changed = HEAD + CHAINS
    for _ in range(2):
        changed = rewritten("remembered-call", changed)
    assert rewrites("remembered-call", changed) == [] and changed.count("_kept_row {") == 2


def test_a_power_of_a_call_with_effects_stays() -> None:
    assert rewrites("product-for-power", "#include <cmath>\ndouble f(); int main() { return pow(f(), 2); }\n") == []


@pytest.mark.long
def test_heap_and_early_stop_together() -> None:
    code = transformation("heap-for-nearest").example.before
    changed = rewritten("stop-at-target", rewritten("heap-for-nearest", code))
    assert output(changed, Language.CPP) == output(code, Language.CPP)
    assert rewrites("heap-for-nearest", changed) == rewrites("stop-at-target", changed) == []


def test_a_search_that_gives_an_index_is_written_out_in_parentheses() -> None:
    code = HEAD + FIRST_MATCH.replace("int at = locate(name);", "int at = 0;").replace(
        "else items[at].stock += i;", "else items[locate(name)].stock += i;"
    )
    found = [apply(SourceFile(code, Language.CPP), each.edits).code for each in rewrites("table-of-places", code)]
    assert found and not any("[[&" in each for each in found)

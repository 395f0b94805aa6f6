"""References, moves and room in advance instead of copies."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.transformation import Setting

from .programs import compiles, output, rewrites, rewritten

PROGRAM = """
#include <bits/stdc++.h>
using namespace std;
#define rep(i, n) for (int i = 0; i < (int)(n); i++)
typedef vector<int> vi;
struct Edge { int a, b, c; string tag; };
int total(vi v);
int best(vector<int> v, int k) { sort(v.begin(), v.end()); return v[k]; }
bool cheaper(Edge x, Edge y) { return x.c < y.c; }
int look(map<string, int> m, string key) { return m[key]; }
bool same(string s) { string t = s; reverse(t.begin(), t.end()); return s == t; }
int longest(const vector<string> &words) {
    int most = 0;
    for (size_t i = 0; i < words.size(); i++) {
        string word = words[i];
        most = max(most, (int)word.size());
    }
    return most;
}
int total(vi v) { return accumulate(v.begin(), v.end(), 0); }
int main() {
    vector<Edge> edges;
    for (int i = 0; i < 6; i++) {
        Edge edge = {i, i + 1, 10 - i, to_string(i)};
        edges.push_back(edge);
    }
    sort(edges.begin(), edges.end(), cheaper);
    sort(edges.begin(), edges.end(), [](Edge x, Edge y) { return x.tag < y.tag; });
    for (Edge edge : edges) { edge.c++; cout << edge.c; }
    for (Edge edge : edges) cout << edge.tag;
    vector<pair<int, int>> pairs;
    for (int i = 1; i <= 3; i++) { pairs.push_back(make_pair(i, 2 * i)); }
    string line;
    istringstream input("abc\\ndeed\\n");
    vector<string> lines;
    while (getline(input, line)) { cout << same(line); lines.push_back(line); }
    for (int t = 1; t < 4; t++) {
        vector<int> seen(t);
        string row = "x";
        rep(i, t) { seen[i] += i; row += '.'; }
        cout << total(seen) << best({3, 1, 2}, 1) << row << longest(lines) << pairs[t - 1].second;
    }
    map<string, int> m;
    m["a"] = 2;
    cout << look(m, "a");
}
"""


@pytest.mark.long
def test_every_rewrite_prints_the_same() -> None:
    expected, changed = output(PROGRAM, Language.CPP), PROGRAM
    for name in ("const-reference", "reserve", "move-last-use", "hoist-container"):
        changed = rewritten(name, changed)
        assert changed != PROGRAM
    assert output(changed, Language.CPP) == expected


def test_all_that_is_only_read_becomes_a_reference_and_nothing_else() -> None:
    changed = rewritten("const-reference", PROGRAM, "all")
    assert changed.count("total(const vi &v)") == 2, "the declaration ahead follows the definition"
    assert "cheaper(const Edge &x, const Edge &y)" in changed and "[](const Edge &x, const Edge &y)" in changed
    assert "for (const Edge &edge : edges) cout" in changed and "for (Edge edge : edges) { edge.c++" in changed
    assert "best(vector<int> v" in changed and "look(map<string, int> m, const string &key)" in changed


def test_the_entry_of_a_kernel_keeps_its_types() -> None:
    code = "#include <vector>\nint f(std::vector<int> v) { return v[0]; }\n"
    assert len(rewrites("const-reference", code)) == 1
    assert rewrites("const-reference", code, setting=Setting(entry="f")) == []


def test_room_for_as_many_as_come() -> None:
    code = (
        "#include <vector>\nvoid f(int n) {\n    std::vector<int> v;\n"
        "    for (int i = 0; i <= n; i += 1) v.push_back(i);\n}\n"
    )
    assert "v.reserve(n + 1);" in rewritten("reserve", code)
    assert "v.reserve(n / 2);" in rewritten("reserve", code.replace("<= n", "< n").replace("+= 1", "+= 2"))


def test_what_is_used_again_is_not_moved() -> None:
    code = (
        "#include <string>\n#include <vector>\nint f(std::vector<std::string> &all) {\n    std::string s(9, 'a');\n"
        "    all.push_back(s);\n    return s.size();\n}\n"
    )
    assert compiles(code, Language.CPP) is None
    assert rewrites("move-last-use", code) == []


def test_containers_stay_in_loops_that_run_in_threads() -> None:
    code = (
        "#include <vector>\nvoid f(int n) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) {\n"
        "        std::vector<int> v;\n        v.push_back(i);\n    }\n}\n"
    )
    assert rewrites("hoist-container", code) == []
    assert len(rewrites("hoist-container", code.replace("#pragma omp parallel for", ""))) == 1

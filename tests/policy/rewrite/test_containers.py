"""Hash tables for trees: the same answers in the same order."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

pytestmark = pytest.mark.long
CODE = """
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
map<ll, int> counted;
map<string, int> named;
set<int> seen;

int main() {
    ll pairs = 0;
    for (int i = 0; i < 20000; i++) {
        ll x = i * 7919LL % 3001 - 1500;
        counted[x]++;
        seen.insert(x % 100);
        if (counted.count(x - 1)) pairs += counted[x - 1];
        string name = to_string(x % 50);
        if (!named.count(name)) named[name] = 0;
        named[name] = named[name] + x % 7;
        if (named[name] % 13 == 0) named.erase(name);
        if (i % 37 == 5 && counted.count(x)) counted.erase(x);
    }
    int total = 0;
    for (auto entry : counted) total += entry.second;
    cout << pairs << ' ' << counted.size() << ' ' << seen.size() << ' ' << total << endl;
    for (auto &entry : named) cout << entry.first << ' ' << entry.second << endl;
}
"""


def test_each_table_and_all_together() -> None:
    expected = output(CODE, Language.CPP)
    hashed = CODE
    for _ in range(2):
        hashed = rewritten("hash-table-for-tree", hashed)
    assert hashed.count("unordered_") == 3 and rewrites("hash-table-for-tree", hashed) == []
    flat = rewritten("flat-hash-table", rewritten("flat-hash-table", CODE))
    assert flat.count("struct FlatMap") == 1 and flat.count("FlatMap<") == 2
    searched = CODE
    for name in ("find-for-count", "one-look-up"):
        searched = rewritten(name, searched)
    assert "auto &entry2 = named[name];" in searched and "pairs += found->second" in searched
    for code in (hashed, flat, searched):
        assert output(code, Language.CPP) == expected


def test_order_that_matters() -> None:
    for use in ("m.begin()->second", "m.lower_bound(1)->second", "prev(m.end())->second", "f(m)"):
        program = "#include <bits/stdc++.h>\nusing namespace std;\nint f(...);\n"
        code = f"{program}int main() {{ map<int, int> m; m[1] = {use}; }}\n"
        assert rewrites("hash-table-for-tree", code) == []


def test_references_that_would_dangle() -> None:
    for use in ("m[1] = m[2]", "int &a = m[1]; m[2] = 3; a = 4"):
        code = f"#include <map>\nint main() {{ std::map<int, int> m; {use}; }}\n"
        assert rewrites("flat-hash-table", code) == []


MEMBERS = """
#include <iostream>
#include <map>
#include <set>
#include <string>
using namespace std;
using Totals = map<string, int>;
struct Walker { set<pair<int, int>> seen; };
class Board {
    map<pair<int, int>, int> cells;

public:
    void add(int x, int y) { cells[make_pair(x, y)]++; }
    int count(int wanted) {
        int n = 0;
        for (auto each : cells)
            if (each.second == wanted) n++;
        return n;
    }
};
Totals totals(int n) {
    Totals found;
    for (int i = 0; i < n; i++) found[to_string(i * i % 17)] += i;
    return found;
}
int at(const Totals &known, string key) { return known.find(key) == known.end() ? -1 : known.at(key); }
int main() {
    Board board;
    Walker walker;
    for (int i = 0; i < 99; i++) {
        board.add(i % 7, i % 5);
        walker.seen.insert({i % 9, i % 4});
    }
    Totals all = totals(99);
    cout << board.count(3) << walker.seen.size() << at(all, "4") << at(all, "x") << endl;
}
"""


def test_members_pairs_and_what_functions_pass_on() -> None:
    hashed = rewritten("hash-table-for-tree", MEMBERS, "all")
    assert hashed.count(", PairHash>") == 2 and "using Totals = unordered_map" in hashed
    assert output(hashed, Language.CPP) == output(MEMBERS, Language.CPP)


def test_another_variable_of_the_name_is_left_alone() -> None:
    code = MEMBERS.replace("int main() {", "int main() {\n    vector<int> cells;\n    for (int x : cells) cout << x;")
    assert len(rewrites("hash-table-for-tree", code)) == len(rewrites("hash-table-for-tree", MEMBERS))

"""Small keys and flags: arrays for maps, bits for flags."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

COUNTS = """
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
const int MOD = 1e3 + 7;
map<ll, int> remainders;
int main() {
    string s = "mississippi river";
    map<char, int> seen;
    unordered_map<int, int> letters;
    map<int, ll> tens;
    for (int i = 0; i < (int)s.size(); i++) {
        seen[s[i]]++;
        if (s[i] != ' ') letters[s[i] - 'a'] += i;
    }
    for (auto &p : seen) cout << p.first << p.second << ' ';
    for (auto [c, n] : seen) {
        if (n == 1) continue;
        cout << c << n << ' ';
    }
    for (int i = 0; i < 500; i++) remainders[i * i % MOD]++;
    for (int i = 0; i < 10; i++) tens[i] = letters[i] * 2;
    cout << tens[3] << ' ' << remainders.count(5 % MOD) << endl;
}
"""
FLAGS = """
#include <bits/stdc++.h>
using namespace std;
#define MAXN 100005
const int N = 1e6 + 10;
bool visited[N];
bool grid[100][MAXN];
int main() {
    vector<bool> sieve(N, true), other(5);
    vector<bool> odd(1 << 20);
    vector<bool> even(1000, true);
    for (int i = 0; i < 1000; i += 3) visited[i] = odd[i + 1] = true;
    grid[4][5] = !visited[3] && odd[1];
    int count = 0;
    for (int i = 0; i < 1000; i++) {
        if (visited[i] == odd[i]) count++;
        count += visited[i] ? 1 : 0;
        even[i] = i % 2 == 0;
        if (grid[i % 100][i]) count += 100;
    }
    cout << count << visited[3] << sieve.size() << other[0] << even[3] << endl;
}
"""


@pytest.mark.parametrize(("name", "program", "places"), [("array-for-map", COUNTS, 4), ("bitset-for-bits", FLAGS, 4)])
def test_every_place_of_a_program(name: str, program: str, places: int) -> None:
    expected, code = output(program, Language.CPP), program
    assert len(rewrites(name, code)) == places
    while rewrites(name, code):
        code = rewritten(name, code)
    assert output(code, Language.CPP) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p.second += 0;", "p.second++;"),
        ("seen[c]++", "seen[c] = 0"),
        ("int n", "int n = seen.size()"),
        ("map<char", "unordered_map<char"),
    ],
)
def test_maps_that_stay(old: str, new: str) -> None:
    code = """
#include <map>
using namespace std;
void f(const char *s) {
    map<char, int> seen;
    int n;
    for (char c = *s; c; c = *++s) seen[c]++;
    for (auto &p : seen) { n = p.second; }
}
"""
    assert rewrites("array-for-map", code)
    changed = code.replace(old, new) if old in code else code.replace("n = p.second;", new)
    assert not rewrites("array-for-map", changed)

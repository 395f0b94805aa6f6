"""Sorting: the same order, whatever the type of the key."""

from __future__ import annotations

from maxcode.core import Language

from .programs import output, rewrites, rewritten

CODE = """
#include <bits/stdc++.h>
using namespace std;
using ll = long long;
int signs[3000];
vector<ll> wide;
vector<unsigned> plain;

int main() {
    for (int i = 0; i < 3000; i++) {
        signs[i] = i * 104729 - 70000 * i;
        wide.push_back(i * 1000003LL * 1000033 * (i % 2 ? 1 : -1));
        plain.push_back(i * 2654435761u);
    }
    sort(signs, signs + 3000);
    sort(begin(wide), end(wide));
    sort(plain.begin(), plain.end());
    for (int i = 0; i < 3000; i++) cout << signs[i] << ' ' << wide[i] << ' ' << plain[i] << '\\n';
}
"""


def test_integers_of_all_kinds() -> None:
    changed = CODE
    for _ in range(3):
        changed = rewritten("radix-sort", changed)
    assert rewrites("radix-sort", changed) == []
    assert output(changed, Language.CPP) == output(CODE, Language.CPP)


def test_a_comparator_that_takes_references_it_may_change() -> None:
    compare = "bool f(int &a, int &b) { return a < b; }\n"
    code = f"#include <algorithm>\n{compare}int main() {{ int v[3] = {{}}; std::sort(v, v + 3, f); }}\n"
    assert rewrites("inlined-comparator", code) == []

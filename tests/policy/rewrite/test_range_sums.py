"""Sums over ranges: answered from running sums where the array stays as it is."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

NAME = "prefix-sums-for-ranges"
RANGES = """
#include <bits/stdc++.h>
using namespace std;
const int MOST = 1005;
int a[MOST];
string s;
int main() {
    int n = 60, tests = 3, q = 25;
    for (int i = 1; i <= n; i++) a[i] = i * 7919 % 211 - 100;
    for (int i = 0; i < n; i++) s += "RGB"[i * i % 3];
    while (q--) {
        int l = q % 7 + 1, r = n - 2 * q;
        long long sum = 0;
        for (int k = l; k <= r; k++) sum += a[k - 0] * 2 - 1;
        cout << sum << ' ';
    }
    for (int t = 0; t < tests; t++) {
        vector<int> b(n);
        for (int i = 0; i < n; i++) b[i] = i * t % 17;
        int best = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j <= n; j++) {
                int total = 0;
                for (int k = i + 1; k <= j; k++) {
                    total = total + b[k - 1];
                }
                best = max(best, total * (i % 3));
                int reds = 0;
                for (int k = i; k < j; k++) {
                    if (s[k] == 'R') reds++;
                }
                best = max(best, reds);
            }
        }
        cout << best << endl;
    }
}
"""


def test_every_range_sum_of_a_program() -> None:
    expected, code = output(RANGES, Language.CPP), RANGES
    assert len(rewrites(NAME, code)) == 3
    while rewrites(NAME, code):
        code = rewritten(NAME, code)
        assert output(code, Language.CPP) == expected
    assert "vector<long long> b_prefix(b.size() + 1);\n        for (size_t i" in code
    assert "total += b_prefix[j] - b_prefix[i];" in code


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum += values[k]", "sum += values[k] / values[query]"),
        ("sum += values[k]", "sum += values[k] * k"),
        ("sum += values[k]", "sum += values[k] % query"),
        ("sum += values[k]", "sum += values[k] + values[k + 1]"),
        ("sum += values[k]", "sum += values[k]++"),
        ('printf("%lld', 'fill(values); printf("%lld'),
        ("k <= last", "k <= sum"),
    ],
)
def test_what_is_no_range_sum(old: str, new: str) -> None:
    code = """
void fill(std::vector<int> &values);
int main() {
    std::vector<int> values(1000);
    for (int query = 0; query < 20; query++) {
        int first = query * 3, last = 999 - query * query;
        long long sum = 0;
        for (int k = first; k <= last; k++) {
            sum += values[k];
        }
        printf("%lld", sum);
    }
}
"""
    assert rewrites(NAME, code)
    assert not rewrites(NAME, code.replace(old, new))

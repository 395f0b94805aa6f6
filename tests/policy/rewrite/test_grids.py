"""Grids in one piece, and two rows of them where two are enough."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

KNAPSACK = """
#include <bits/stdc++.h>
using namespace std;
#define rep(i, n) for (int i = 0; i < (n); i++)
typedef long long ll;
typedef vector<ll> vl;
typedef vector<vl> vvl;
ll dp[105][1005];
int main() {
    int n = 5, w = 7;
    int weight[] = {1, 2, 3, 2, 2}, value[] = {8, 4, 0, 5, 3};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= w; j++) {
            dp[i + 1][j] = max(dp[i + 1][j], dp[i][j]);
            if (j + weight[i] <= w) dp[i + 1][j + weight[i]] = max(dp[i + 1][j + weight[i]], dp[i][j] + value[i]);
        }
    }
    ll best = 0;
    for (int j = 0; j <= w; j++) best = max(best, dp[n][j]);
    cout << best << endl;
    vvl d(n, vl(n, 1000));
    rep(i, n) rep(j, n) d[i][j] = abs(i - j) + (i * j ? 1 : 0);
    rep(k, n) rep(i, n) rep(j, n) d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
    cout << d[0][n - 1] << d[2][i_of(3) ? 3 : 1] << endl;
}
""".replace("i_of(3)", "n > 3")
DISTANCE = """
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int main() {
    string a = "kitten", b = "sitting";
    int n = a.size(), m = b.size();
    vector<vector<int>> dp(n + 1, vector<int>(m + 1));
    for (int i = 0; i <= n; i++) dp[i][0] = i;
    for (int j = 0; j <= m; j++) dp[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            dp[i][j] = min(min(dp[i - 1][j], dp[i][j - 1]) + 1, dp[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    cout << dp[n][m] << endl;
}
"""
WAYS = """
#include <iostream>
#include <vector>
int main() {
    int n = 5, k = 7;
    std::vector<std::vector<long long>> ways(n, std::vector<long long>(k + 1, 0));
    ways[0][0] = 1;
    for (int i = 1; i < n; i++) {
        for (int j = 0; j <= k; j++) {
            for (int t = 0; t <= j; t++) ways[i][j] += ways[i - 1][t];
        }
    }
    std::cout << ways[n - 1][k] << '\\n';
}
"""


@pytest.mark.long
@pytest.mark.parametrize("program", [KNAPSACK, DISTANCE, WAYS], ids=["knapsack", "distance", "ways"])
def test_rewrites_print_the_same(program: str) -> None:
    expected = output(program, Language.CPP)
    for name in ("rolling-rows", "flatten-nested-vectors"):
        assert output(rewritten(name, program), Language.CPP) == expected


def test_a_row_is_emptied_where_sums_grow_in_it() -> None:
    assert "std::fill(ways_row.begin(), ways_row.end(), 0);" in rewritten("rolling-rows", WAYS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dp[n][m]", "dp[n - 2][m]"),
        ("dp[i - 1][j - 1]", "dp[i - 2 > 0 ? i - 2 : 0][j - 1]"),
        ("dp[i][0] = i", "dp[i][0] = i > 0 ? dp[i - 1][0] + 1 : 0"),
        ("cout <<", "dp.clear(); cout <<"),
    ],
)
def test_rows_that_are_needed_longer_stay(before: str, after: str) -> None:
    assert rewrites("rolling-rows", DISTANCE.replace(before, after)) == []


def test_whole_rows_cannot_be_flattened() -> None:
    assert rewrites("flatten-nested-vectors", DISTANCE.replace("cout <<", "swap(dp[0], dp[1]); cout <<")) == []


def test_a_width_that_changes_is_kept() -> None:
    program = (
        WAYS.replace("k + 1, 0", "k, 0")
        .replace("j <= k", "j < k")
        .replace("[k]", "[k - 1]")
        .replace("ways[0]", "k--; ways[0]")
    )
    assert "const size_t ways_width = k;" in rewritten("flatten-nested-vectors", program)

"""Alignment, seldom branches, padded counters, and sorting by counting."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

SORTS = """
#include <bits/stdc++.h>
using namespace std;
int a[1000];
int main() {
    string s;
    vector<long long> wide;
    vector<short> empty;
    int n = 700;
    for (int i = 0; i < n; i++) {
        a[i] = i * 31 % 97 - 50;
        s += (char)(i * 77 % 256);
        wide.push_back((i * 1LL << 55) - i);
    }
    sort(s.begin(), s.end());
    sort(a, a + n);
    sort(wide.begin(), wide.end());
    sort(empty.begin(), empty.end());
    for (int i = 0; i < n; i += 13) cout << (int)s[i] << ' ' << a[i] << ' ' << wide[i] << '\\n';
}
"""
BRANCHES = """
#include <stdio.h>
#include <stdlib.h>
static double table[64][64];
static const char *words[20];
int main(void) {
    double few[4];
    long sum = 0;
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 64; j++) table[i][j] = few[j % 4] = i + j;
        if (i == 60) break;
        if (table[i][3] > 40 && words[1]) { printf("no\\n"); exit(1); }
        if (words[2]) return 1;
        if (i % 2) { sum += i; } else continue;
        sum += (long)few[i % 4];
    }
    printf("%ld\\n", sum);
    return 0;
}
"""


@pytest.mark.long
def test_sorting_by_counting() -> None:
    code = SORTS
    assert len(rewrites("counting-sort", code)) == 4
    while rewrites("counting-sort", code):
        code = rewritten("counting-sort", code)
    assert code.count("void counting_sort") == 1
    assert output(code, Language.CPP) == output(SORTS, Language.CPP)


@pytest.mark.parametrize("language", [Language.C, Language.CPP])
def test_hints_change_nothing(language: Language) -> None:
    code = rewritten("aligned-arrays", BRANCHES, language=language)
    assert code.count("(64) static double table") == 1 and code.count("lignas") == 1
    while rewrites("likely-branch", code, language=language):
        code = rewritten("likely-branch", code, language=language)
    assert code.count("__builtin_expect") == 3
    assert "if (__builtin_expect(!!(table[i][3] > 40 && words[1]), 0)) {" in code
    assert output(code, language) == output(BRANCHES, language)

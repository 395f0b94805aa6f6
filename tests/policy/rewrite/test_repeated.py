"""What is looked up, called or divided once means the same as what was so twice."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

PROGRAM = """
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
struct Player {
    vector<int> rounds;
    int total() const {
        int sum = 0;
        for (int each : rounds) sum += each;
        return sum;
    }
};
bool before(const Player &a, const Player &b) {
    if (a.total() != b.total()) return a.total() > b.total();
    return a.rounds.size() < b.rounds.size();
}
int wrap(int x, int n) {
    return (x + n) % n;
}
int main() {
    map<string, map<int, long>> totals;
    istringstream lines("a 3 -7 b 4 +2 a 3 9 c x 5");
    string name;
    int key;
    long amount;
    while (lines >> name >> key >> amount) {
        totals[name][key] += amount;
        if (totals[name][key] > 1) totals[name][key + 1] -= totals[name][key];
    }
    for (auto each : totals)
        for (auto inner : each.second) printf("%s %d %ld\\n", each.first.c_str(), inner.first, inner.second);
    Player p{{1, 2, 3}}, q{{6}}, r{{9}};
    printf("%d%d%d\\n", before(p, q), before(q, r), before(r, p));
    for (int x = -9; x < 30; x++) printf("%d ", wrap(x, 5));
}
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("one-look-up", "auto &entry = totals[name][key];"),
        ("one-call", "if ((value = a.total()) != (value2 = b.total())) return value > value2;"),
        ("words-without-stream", "WordReader lines("),
        ("wrap-without-division", "return wrapped(x + n, n);"),
        ("const-reference", "for (const auto &each : totals)"),
    ],
)
def test_it_prints_the_same(name: str, expected: str) -> None:
    changed = rewritten(name, PROGRAM)
    assert expected in changed
    assert output(changed, Language.CPP) == output(PROGRAM, Language.CPP)


def test_a_method_that_counts_its_calls_stays() -> None:
    counting = PROGRAM.replace(
        "    int total() const {", "    mutable int calls = 0;\n    int total() const { calls++;"
    )
    assert rewrites("one-call", counting) == []


def test_kept_values_have_names_of_their_own() -> None:
    taken = PROGRAM.replace("int wrap(int x, int n) {", "int value = 3;\nint wrap(int x, int n) {")
    assert "if ((value2 = a.total()) != (value3 = b.total()))" in rewritten("one-call", taken)

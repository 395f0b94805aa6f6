"""Loops change places past calls that only read, and past the search for an extreme."""

from __future__ import annotations

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.effects import pure_functions, readers
from maxcode.policy.rewrite.source import SourceFile

from .programs import rewritten

_FIELD = """
#include <vector>
typedef std::vector<std::vector<double>> Field;
double held(const std::vector<int> &places, int i) {
    double sum = 0;
    for (const int &place : places) {
        if (place == i) sum += 1;
    }
    return sum;
}
double most(const Field &u, const std::vector<int> &places) {
    double m = 0;
    Field next = u;
    for (int j = 0; j < 9; j++) {
        for (int i = 0; i < 9; i++) {
            next[i][j] = u[i][j] + held(places, i);
        }
    }
    for (int j = 0; j < 9; j++) {
        for (int i = 0; i < 9; i++) {
            if (next[i][j] > m) m = next[i][j];
        }
    }
    return m;
}
"""


def test_calls_that_only_read_and_extremes_do_not_hold_loops_in_their_order() -> None:
    once = rewritten("interchange", _FIELD)
    assert once is not None
    assert once.index("for (int i = 0; i < 9") < once.index("for (int j = 0; j < 9")
    twice = rewritten("interchange", once)
    assert twice is not None
    assert twice.rindex("for (int i = 0; i < 9") < twice.rindex("for (int j = 0; j < 9")


def test_what_a_function_reads_beside_its_arguments_is_known() -> None:
    code = "int g[9];\nint a(int i) { return g[i]; }\nint b(int i) { return a(i) + 1; }\nint c(int i) { return i; }\n"
    code += "int d(int *p) { return *p; }\nint e(int i) { g[i] = 1; return i; }\n"
    code += "int h(int i) { int *p = g; p[0] = i; return i; }\n"
    code += "struct box { int *of; };\nint k(struct box b) { b.of[0] = 1; return 2; }\n"
    source = SourceFile(code, Language.C)
    assert readers(source) == {"a": frozenset({"g"}), "b": frozenset({"g"}), "c": frozenset()}
    assert pure_functions(source) == frozenset({"c"})

"""Order, tiles and blocks of loop nests."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.transformation import Setting

from .programs import output, rewrites, rewritten

RELAXED = Setting(relaxed_floats=True)
PRODUCT = """
#include <cstdio>
void product(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}
int main() {
    static double a[10000], b[10000], c[10000];
    for (int i = 0; i < 10000; i++) {
        a[i] = i % 13;
        b[i] = i % 11;
    }
    const int sizes[] = {1, 7, 8, 25, 64, 97};
    for (int size : sizes) {
        product(size, a, b, c);
        double check = 0;
        for (int i = 0; i < size * size; i++) check += c[i] * (i % 17);
        std::printf("%.0f\\n", check);
    }
}
"""
SPARSE = """
#include <cstdio>
void multiply(int rows, int vectors, const int *lengths, const int *columns, const double *in, double *out) {
    for (int v = 0; v < vectors; v++) {
        long at = 0;
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int k = 0; k < lengths[r]; k++) {
                sum += in[v * rows + columns[at]];
                at++;
            }
            out[v * rows + r] = sum;
        }
    }
}
int main() {
    int lengths[] = {2, 0, 3}, columns[] = {0, 2, 1, 1, 0};
    double in[21], out[21];
    for (int i = 0; i < 21; i++) in[i] = i * i;
    multiply(3, 7, lengths, columns, in, out);
    for (int i = 0; i < 21; i++) std::printf("%g ", out[i]);
}
"""


@pytest.mark.parametrize(
    ("name", "options"),
    [("register-block", None), ("sum-outside", None), ("unroll-and-jam", "turns=2"), ("unroll-and-jam", "turns=24")],
)
def test_matrix_products_stay_right_for_sizes_with_remainders(name: str, options: str | None) -> None:
    changed = rewritten(name, PRODUCT, options)
    assert output(changed, Language.CPP) == output(PRODUCT, Language.CPP)


def test_the_rewrites_compose() -> None:
    ordered = rewritten("sum-outside", PRODUCT)
    tiled = rewritten("tile", ordered, "depth=2 loops=all size=16")
    jammed = rewritten("unroll-and-jam", ordered, "turns=4", setting=RELAXED)
    assert "+=" in tiled
    assert output(tiled, Language.CPP) == output(jammed, Language.CPP) == output(PRODUCT, Language.CPP)


def test_what_is_the_same_for_all_lanes_is_done_once() -> None:
    changed = rewritten("unroll-and-jam", SPARSE, "turns=4")
    side_by_side = changed.split("else")[0]
    assert side_by_side.count("at++;") == 1
    assert side_by_side.count("sum[") > 4
    assert output(changed, Language.CPP) == output(SPARSE, Language.CPP)


def test_a_sum_of_floats_over_both_loops_needs_leave_to_change_its_order() -> None:
    code = """
double total(int n, const double *a) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            sum += a[i * n + j];
        }
    }
    return sum;
}
"""
    assert not rewrites("interchange", code)
    assert len(rewrites("interchange", code, setting=RELAXED)) == 1
    assert len(rewrites("interchange", code.replace("double", "long"))) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "d[i][j] = d[i - 1][j + 1];",
        "d[i][j] = next_value();",
        "last = d[i][j];",
        "if (d[i][j] > 9) break;",
        "*p++ = d[i][j];",
    ],
)
@pytest.mark.parametrize("name", ["interchange", "tile"])
def test_bodies_whose_turns_hang_together_are_left_alone(name: str, statement: str) -> None:
    code = f"""
int d[100][100], last, *p;
int next_value();
void sweep(int n) {{
    for (int j = 1; j < n; j++) {{
        for (int i = 1; i < n; i++) {{
            {statement}
        }}
    }}
}}
"""
    assert not rewrites(name, code)


def test_triangular_nests_are_left_alone() -> None:
    code = """
void lower(int n, double (*d)[100], double *s) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) {
            d[i][j] += s[i];
        }
    }
}
"""
    assert not rewrites("interchange", code)
    assert not rewrites("tile", code)
    assert not rewrites("register-block", code)


def test_loops_with_a_small_gain_come_last() -> None:
    found = rewrites("register-block", PRODUCT)
    assert [each.weight for each in found] == sorted((each.weight for each in found), reverse=True)

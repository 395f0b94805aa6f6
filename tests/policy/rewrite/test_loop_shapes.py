"""Fusion, bounds, peeling, unrolling, early exits and swapped buffers."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

FILTER = """
#include <cstdio>
void smooth(int height, int width, int size, const float *image, float *result) {
    int centre = size / 2;
    for (int row = 0; row < height; row++) {
        for (int col = 0; col < width; col++) {
            float sum = 0.0f;
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    int r = row + i - centre;
                    int c = col + j - centre;
                    if (r >= 0 && r < height && c >= 0 && c < width) {
                        sum += image[r * width + c] * (i + j);
                    }
                }
            }
            result[row * width + col] = sum;
        }
    }
}
int main() {
    float image[200], result[200];
    for (int i = 0; i < 200; i++) image[i] = i % 19;
    for (int size = 1; size < 16; size += 2) {
        smooth(10, 20, size, image, result);
        float check = 0;
        for (int i = 0; i < 200; i++) check += result[i];
        std::printf("%g\\n", check);
    }
}
"""


def test_edges_become_bounds() -> None:
    clamped = rewritten("clamp-bounds", rewritten("clamp-bounds", FILTER))
    assert "if (" not in clamped.split("int main")[0]
    assert output(clamped, Language.CPP) == output(FILTER, Language.CPP)


def test_the_interior_has_no_tests_and_can_run_side_by_side() -> None:
    inner = [each for each in rewrites("split-interior", FILTER) if each.weight > 1]
    assert inner
    changed = rewritten("split-interior", rewritten("clamp-bounds", FILTER))
    assert output(changed, Language.CPP) == output(FILTER, Language.CPP)
    wide = rewritten("unroll-and-jam", changed, "turns=8")
    assert output(wide, Language.CPP) == output(FILTER, Language.CPP)


def test_edges_of_unsigned_numbers_are_left_alone() -> None:
    assert not rewrites("clamp-bounds", FILTER.replace("int i = 0; i < size", "unsigned i = 0; i < size"))[1:]
    assert not rewrites("split-interior", FILTER.replace("int height, int width", "unsigned height, unsigned width"))


def test_a_table_with_a_first_row_and_column_loses_its_questions() -> None:
    code = """
#include <cstdio>
int main() {
    long ways[6][7];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 7; j++) {
            if (i == 0) {
                ways[i][j] = 1;
            } else if (j == 0) {
                ways[i][j] = 1;
            } else {
                ways[i][j] = ways[i - 1][j] + ways[i][j - 1];
            }
        }
    }
    std::printf("%ld\\n", ways[5][6]);
}
"""
    peeled = rewritten("peel", code)
    assert "i == 0" not in peeled
    assert peeled.count("j == 0") == 1
    assert output(peeled, Language.CPP) == output(code, Language.CPP)


def test_the_last_turn_of_nothing_is_not_taken() -> None:
    code = """
#include <cstdio>
#include <vector>
void show(const std::vector<int> &values) {
    for (size_t i = 0; i < values.size(); i++) {
        std::printf("%d", values[i]);
        if (i + 1 < values.size()) {
            std::printf(" ");
        }
    }
}
int main() {
    show({});
    show({1});
    show({1, 2, 3});
}
"""
    peeled = rewritten("peel", code)
    assert "i + 1 < values" not in peeled
    assert output(peeled, Language.CPP) == output(code, Language.CPP)


def test_the_one_statement_after_a_for_gets_braces_when_it_becomes_two() -> None:
    code = """
#include <cstdio>
int main() {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 11; j++)
            sum += i ^ j;
    std::printf("%d\\n", sum);
}
"""
    assert output(rewritten("unroll", code), Language.CPP) == output(code, Language.CPP)


def test_a_helper_that_only_computes_does_not_stand_in_the_way_of_fusion() -> None:
    code = """
static int grey(int r, int g) { return (r + g) / 2; }
void count(long n, const unsigned char *c, int *counts) {
    for (long i = 0; i < n; i++) {
        counts[c[i]]++;
    }
    for (long i = 0; i < n; i++) {
        counts[256 + grey(c[i], c[0])]++;
    }
}
"""
    assert "}\n    for" not in rewritten("fuse", code)
    assert not rewrites("fuse", code.replace("return (r", "static int last; last = r; return (r"))


@pytest.mark.parametrize(
    "second",
    ["b[i] = a[i + 1];", "b[i] = a[n - i];", "a[i] = sum;", "n = a[i];", "b[i] = a[b[i]];"],
)
def test_loops_that_need_all_of_the_first_are_not_fused(second: str) -> None:
    code = f"""
int a[100], b[100], n = 9, sum;
int main() {{
    for (int i = 0; i < n; i++) {{
        a[i] = i;
        sum += i;
    }}
    for (int i = 0; i < n; i++) {{
        {second}
    }}
}}
"""
    assert not rewrites("fuse", code)


def test_buffers_change_places_only_where_both_were_filled() -> None:
    code = """
#include <cstring>
void turn(int n, int turns, double *a, double *b) {
    std::memcpy(b, a, n * sizeof(double));
    for (int t = 0; t < turns; t++) {
        for (int i = 1; i < n; i++) {
            b[i] = a[i - 1];
        }
        std::memcpy(a, b, n * sizeof(double));
    }
}
"""
    assert len(rewrites("swap-for-copy", code)) == 1
    assert not rewrites("swap-for-copy", code.replace("    std::memcpy(b, a, n * sizeof(double));\n", ""))
    assert not rewrites("swap-for-copy", code.replace("double *b", "double (&b)[9]"))

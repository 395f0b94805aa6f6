"""What stays the same in a loop, and what follows its variable."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.transformation import Setting

from .programs import output, rewrites, rewritten

KERNELS = """
#include <math.h>
#include <stdio.h>
void forces(int n, const double *x, const double *y, double *ax, double *ay) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double distance = sqrt((x[j] - x[i]) * (x[j] - x[i]) + (y[j] - y[i]) * (y[j] - y[i]) + 0.5);
            ax[i] += (x[j] - x[i]) / distance;
            ay[i] += (y[j] - y[i]) / distance;
        }
    }
}
void spread(int rows, int cols, int period, float scale, const float *in, float *out, int *counts) {
    for (int r = 1; r < rows - 1; r++) {
        for (int c = 1; c < cols - 1; c++) {
            out[r * cols + c] = (in[(r - 1) * cols + c] + in[(r + 1) * cols + c] + in[r * cols + c - 1]) / scale;
            out[r * cols + c] /= scale;
        }
    }
    for (int i = 0; i < rows * cols; i++) counts[i % period] += i;
}
int main(void) {
    double x[9], y[9], ax[9] = {0}, ay[9] = {0};
    float in[90], out[90] = {0};
    int counts[7] = {0};
    for (int i = 0; i < 9; i++) x[i] = i * 5 % 9, y[i] = i * i % 7;
    for (int i = 0; i < 90; i++) in[i] = i * 7 % 16;
    forces(9, x, y, ax, ay);
    spread(9, 10, 7, 4.0f, in, out, counts);
    printf("%.9g %.9g %g %g %d\\n", ax[3], ay[4], out[11], out[77], counts[6]);
    return 0;
}
"""


@pytest.mark.parametrize("language", [Language.C, Language.CPP])
def test_all_of_them_at_all_places(language: Language) -> None:
    code, relaxed = KERNELS, Setting(relaxed_floats=True)
    while rewrites("hoist-invariant", code, language=language, setting=relaxed):
        code = rewritten("hoist-invariant", code, language=language, setting=relaxed)
    assert code != KERNELS
    assert output(code, language) == output(KERNELS, language)


def test_elements_of_tables_are_hoisted_but_not_rows() -> None:
    code = """
#include <vector>
double t[9][9];
void f(int n, std::vector<std::vector<double>> &v, float **p, double *x) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            x[j] += t[i][j] + t[i][3] * v[i][j] - v[i][i] * p[i][j] + p[i][2 * i];
        }
    }
}
"""
    after = rewritten("hoist-invariant", code, "loop=j")
    assert "x[j] += t[i][j] + t_value * v[i][j] - v_value * p[i][j] + p_value;" in after


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("hoist-invariant", "for (int i = 0; i < n; i++) { x[i] = y[k] / d; k++; }"),
        ("hoist-invariant", "for (int i = 0; i < n; i++) { if (k < n) x[i] = y[k]; }"),
        ("hoist-invariant", "for (int i = 0; i < n; i++) { x[i] = y[0] / d; change(&d); }"),
        ("hoist-invariant", "for (int i = 0; i < n; i++) { y[k] += 1; }"),
    ],
)
def test_what_stays(name: str, code: str) -> None:
    around = "void change(double *d);\nvoid f(int n, int k, int m, double d, double *x, double *y) {\n    CODE\n}\n"
    assert not rewrites(name, around.replace("CODE", code))

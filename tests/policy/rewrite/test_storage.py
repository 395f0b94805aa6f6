"""Smaller elements, buffers on the stack, transposed operands and complex numbers."""

from __future__ import annotations

from maxcode.core import Language

from .programs import compiles, output, rewrites, rewritten

FOURIER = """
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>
using namespace std;
typedef complex<double> Complex;
const double PI = acos(-1.0);
vector<Complex> transform(const vector<Complex> &values, bool inverse) {
    size_t n = values.size();
    if (n == 1) return values;
    vector<Complex> even(n / 2), odd(n / 2), result(n);
    for (size_t i = 0; i < n / 2; i++) { even[i] = values[2 * i]; odd[i] = values[2 * i + 1]; }
    even = transform(even, inverse);
    odd = transform(odd, inverse);
    double sign = inverse ? -1.0 : 1.0;
    for (size_t k = 0; k < n / 2; k++) {
        Complex turned = polar(1.0, sign * 2.0 * PI * k / n) * odd[k];
        result[k] = even[k] + turned;
        result[k + n / 2] = even[k] - turned;
    }
    return result;
}
int main() {
    vector<Complex> a(16);
    for (int i = 0; i < 16; i++) a[i] = i;
    a = transform(transform(a, false), true);
    for (int i = 0; i < 16; i++) cout << llround(a[i].real()) << " ";
}
"""
MATRIX_IN_C = """
void multiply(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[(size_t)k * n + j];
            c[i * n + j] = sum;
        }
}
"""


def test_a_transform_with_a_table_and_plain_products() -> None:
    changed = rewritten("complex-product-by-hand", rewritten("table-of-roots", FOURIER))
    assert "complex_product(roots[k], odd[k])" in changed
    assert output(changed, Language.CPP) == output(FOURIER, Language.CPP)
    assert rewrites("table-of-roots", changed) == [], "what is kept already is not kept again"


def test_real_factors_stay_as_they_are() -> None:
    assert "2.0 * PI * k" in rewritten("complex-product-by-hand", FOURIER)


def test_a_transposed_copy_in_c_is_freed() -> None:
    program = "#include <stddef.h>\n" + MATRIX_IN_C
    changed = rewritten("transposed-copy", program, language=Language.C)
    assert compiles(changed, Language.C) is None
    assert "free(b_transposed);" in changed and "b_transposed[(size_t)j * n + k]" in changed


def test_an_operand_that_the_nest_writes_is_not_copied() -> None:
    assert rewrites("transposed-copy", MATRIX_IN_C.replace("c[i * n + j] = sum", "b[i * n + j] = sum")) == []


def test_elements_that_are_printed_stay_numbers() -> None:
    code = "#include <iostream>\nint seen[9];\nint main() { seen[1] = 1; std::cout << seen[1]; }\n"
    assert rewrites("bytes-for-flags", code) == []


def test_bits_in_signatures_change_together() -> None:
    code = (
        "#include <vector>\nusing namespace std;\nint count(const vector<bool> &v) {\n    int n = 0;\n"
        "    for (size_t i = 0; i < v.size(); i++) if (v[i]) n++;\n    return n;\n}\n"
        "int main() { vector<bool> v(3, true); return count(v); }\n"
    )
    changed = rewritten("bytes-for-bits", code)
    assert "bool" not in changed and compiles(changed, Language.CPP) is None


def test_other_first_values_are_filled_in() -> None:
    code = "#include <vector>\nint f() {\n    std::vector<int> v(8, -1);\n    return v[0] + v.size();\n}\n"
    changed = rewritten("small-buffer-on-stack", code)
    assert "std::array<int, 8> v;\n    v.fill(-1);" in changed and compiles(changed, Language.CPP) is None
    assert rewrites("small-buffer-on-stack", code.replace("8, -1", "100000, -1")) == []

"""Panels of operands: on what blocking makes of a matrix product."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

PRODUCT = """
#include <stdio.h>
static double a[61 * 61], b[61][61], c[61 * 61];
void multiply(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * B;
            }
            c[i * n + j] = sum;
        }
    }
}
int main(void) {
    for (int i = 0; i < 61 * 61; i++) a[i] = b[i / 61][i % 61] = i * 7 % 13;
    multiply(61);
    printf("%g %g %g\\n", c[0], c[100], c[61 * 61 - 1]);
    return 0;
}
"""


@pytest.mark.parametrize("language", [Language.C, Language.CPP])
@pytest.mark.parametrize("operand", ["b[k][j]", "a[k * n + j]"])
def test_a_product_in_blocks_is_packed(language: Language, operand: str) -> None:
    code = PRODUCT.replace("B;", f"{operand};")
    blocked = rewritten("register-block", code, language=language)
    packed = rewritten("pack-panel", blocked, language=language) if "b[k]" in operand else blocked
    assert ("panel[k * 24 + y] = b[k][j + y];" in packed) == ("b[k]" in operand)
    assert output(packed, language) == output(code, language)


def test_an_operand_with_two_kinds_of_reads_stays() -> None:
    blocked = rewritten("register-block", PRODUCT.replace("B;", "a[k * n + j];"))
    assert not rewrites("pack-panel", blocked)
    assert not rewrites("pack-panel", PRODUCT.replace("B;", "b[k][j];"))

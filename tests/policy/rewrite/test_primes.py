"""Trial division: the same factors, also beyond the table."""

from __future__ import annotations

import pytest

from maxcode.core import Language

from .programs import output, rewrites, rewritten

CODE = """
#include <stdio.h>

int is_prime(long long n) {
    if (n < 2) return 0;
    for (long long i = 2; i * i <= n; i++) {
        if (n % i == 0) return 0;
    }
    return 1;
}

void factorise(int n) {
    for (int i = 2; i * i <= n; i++) {
        if (n % i == 0) {
            int times = 0;
            while (n % i == 0) {
                n /= i;
                times++;
            }
            printf("%d^%d ", i, times);
        }
    }
    printf("%d\\n", n);
}

int main(void) {
    for (int i = -3; i < 3000; i++) {
        if (is_prime(i)) printf("%d ", i);
        factorise(i);
    }
    factorise(2147117569);
    printf("%d %d\\n", is_prime(65537LL * 65539), is_prime(4295098369));
    return 0;
}
"""


def test_the_same_factors() -> None:
    expected = output(CODE, Language.C)
    twice = rewritten("prime-divisors", rewritten("prime-divisors", CODE, language=Language.C), language=Language.C)
    assert twice.count("struct PrimeDivisor {") == 1 and twice.count("= next_divisor(") == 4
    for code in (twice, rewritten("prime-table", CODE, language=Language.C)):
        assert output(code, Language.C) == expected


@pytest.mark.parametrize(
    "body", ["if (n % d == 0) count++;", "count += n % d == 0;", "while (n % d == 0) { count++; break; }"]
)
def test_composite_divisors_that_count(body: str) -> None:
    code = f"int f(int n) {{ int count = 0; for (int d = 2; d * d <= n; d++) {{ {body} }} return count; }}\n"
    assert rewrites("prime-divisors", code) == []

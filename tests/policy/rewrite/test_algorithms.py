"""Arithmetic, recursion and graphs: where they apply, and where they must not."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.library.graphs import TRANSFORMATIONS as GRAPHS

from .programs import output, rewrites, rewritten

CODE = """
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
ll prime = 1e9 + 7;

ll gcd(ll a, ll b) {
    if (b == 0) return a;
    return gcd(b, a % b);
}

bool is_prime(ll n) {
    for (ll i = 2; i <= sqrt(n); ++i)
        if (n % i == 0) return false;
    return n > 1;
}

ll paths(int x, int y) {
    if (x < 0 || y < 0) return 0;
    if (x == 0 && y == 0) return 1;
    return paths(x - 1, y) + paths(x, y - 1);
}

int main() {
    ll product = 1;
    int a = 3, b = 8;
    for (int i = 1; i < 500; i++) product = product * i % prime + is_prime(i);
    cout << product << ' ' << gcd(84, 36) << ' ' << sqrt(pow(a - b, 2) + pow(b, 2)) << ' ' << paths(8, 7) << endl;
}
"""
NAMES = ("product-for-power", "square-for-root", "constant-modulus", "library-gcd", "memoised-function")


def test_all_together_mean_the_same() -> None:
    changed = CODE
    for name in NAMES:
        before, changed = changed, rewritten(name, changed)
        assert before != changed
    assert output(changed, Language.CPP) == output(CODE, Language.CPP)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("product-for-power", "#include <cmath>\ndouble f(); int main() { return pow(f(), 2); }\n"),
        ("square-for-root", "#include <cmath>\nint main() { double n = 5; for (int i = 0; i <= sqrt(n); i++) {} }\n"),
        ("constant-modulus", "void g(int &); int m = 7; int main() { g(m); return 9 % m; }\n"),
        (
            "memoised-function",
            "int a[9]; int f(int n) { return n < 2 ? a[n] : f(n - 1) + f(n - 2); } int main() { f(3); }\n",
        ),
        ("memoised-function", "int f(int n) { n--; return n < 2 ? 1 : f(n) + f(n - 1); } int main() { f(3); }\n"),
    ],
)
def test_what_they_leave_alone(name: str, code: str) -> None:
    assert rewrites(name, code) == []


def test_a_matrix_of_roads_needs_no_heap() -> None:
    code = GRAPHS[0].example.before.replace("for (Road road : roads[nearest])", "for (int v = 0; v < n; v++)")
    assert rewrites("heap-for-nearest", code) == []


def test_heap_and_early_stop_together() -> None:
    code = GRAPHS[0].example.before
    changed = rewritten("stop-at-target", rewritten("heap-for-nearest", code))
    assert output(changed, Language.CPP) == output(code, Language.CPP)
    assert rewrites("heap-for-nearest", changed) == rewrites("stop-at-target", changed) == []

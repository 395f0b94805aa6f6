"""Arithmetic, recursion and graphs: where they apply, and where they must not."""

from __future__ import annotations

from maxcode.core import Language
from maxcode.policy.rewrite.library.graphs import TRANSFORMATIONS as GRAPHS

from .programs import output, rewrites, rewritten


def test_a_power_of_a_call_with_effects_stays() -> None:
    assert rewrites("product-for-power", "#include <cmath>\ndouble f(); int main() { return pow(f(), 2); }\n") == []


def test_a_matrix_of_roads_needs_no_heap() -> None:
    code = GRAPHS[0].example.before.replace("for (Road road : roads[nearest])", "for (int v = 0; v < n; v++)")
    assert rewrites("heap-for-nearest", code) == []


def test_heap_and_early_stop_together() -> None:
    code = GRAPHS[0].example.before
    changed = rewritten("stop-at-target", rewritten("heap-for-nearest", code))
    assert output(changed, Language.CPP) == output(code, Language.CPP)
    assert rewrites("heap-for-nearest", changed) == rewrites("stop-at-target", changed) == []

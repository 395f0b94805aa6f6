"""Pragmas, promises about arguments, and threads."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.actions import BY_NAME
from maxcode.policy.rewrite.actions import rewrites as offered
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Setting

from .programs import compiles, output, rewrites, rewritten

RELAXED = Setting(relaxed_floats=True)
THREADS = Setting(cpus=4, relaxed_floats=True, flags=("-O3", "-fopenmp"))
_NORM = """/* Lengths. */
#include <math.h>
#include <stdio.h>

int main(void) {
    double x[4] = {3, 4, 12, 84}, sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += x[i] * x[i];
    }
    printf("%g\\n", sqrt(sum));
    return 0;
}
"""


def test_pragmas_stand_before_the_headers_and_behind_the_title() -> None:
    changed = rewritten("fast-math", _NORM, language=Language.C, setting=RELAXED)
    assert changed.startswith('/* Lengths. */\n#pragma GCC optimize("fast-math")\n\n#include')


def test_fast_math_is_for_tasks_with_a_tolerance() -> None:
    assert rewrites("fast-math", _NORM, language=Language.C, setting=Setting()) == []


def test_infinities_stay_where_a_program_uses_them() -> None:
    found = rewrites("fast-math", _NORM.replace("sum = 0", "sum = INFINITY"), language=Language.C, setting=RELAXED)
    assert [rewrite.options for rewrite in found] == ["associative-math,no-signed-zeros,no-trapping-math,no-math-errno"]


def test_the_machine_is_not_chosen_twice() -> None:
    native = Setting(flags=("-O3", "-march=native"))
    assert rewrites("target-pragma", _NORM, language=Language.C, setting=native) == []


def test_pragmas_of_openmp_need_its_flag() -> None:
    assert rewrites("simd-pragma", _NORM, language=Language.C, setting=RELAXED) == []
    assert "reduction(+:sum)" in rewritten("simd-pragma", _NORM, language=Language.C, setting=THREADS)


def test_nothing_comes_between_a_pragma_and_its_loop() -> None:
    source = SourceFile(
        _NORM.replace("    for", "    #pragma GCC unroll 4\n    for").replace("i < 4", "i < n"), Language.C
    )
    assert rewrites("several-sums", source.code, language=Language.C, setting=RELAXED), "alone, it knows no pragmas"
    changed = [apply(source, each.edits).code for name in BY_NAME for each in offered(source, RELAXED, name)]
    assert changed and all("unroll 4\n    for" in code for code in changed)


@pytest.mark.parametrize("language", [Language.C, Language.CPP])
def test_mathematics_without_errno(language: Language) -> None:
    changed = rewritten("math-without-errno", _NORM, language=language)
    assert "__attribute__((const))" in changed
    assert output(changed, language) == output(_NORM, language)


_MERGE = (
    "void merge(int *from, int *to, int n) {\n    for (int i = 0; i < n; i++) {\n        to[i] += from[i];\n    }\n}\n"
)


@pytest.mark.parametrize(
    ("call", "found"), [("merge(a, b, n);", 1), ("merge(a, b + n, n);", 1), ("merge(a, a + n, n);", 0)]
)
def test_restrict_looks_at_the_calls(call: str, found: int) -> None:
    code = f"{_MERGE}void all(int *a, int *b, int n) {{ {call} }}\n"
    assert len(rewrites("restrict", code, language=Language.C)) == found


def test_restrict_is_spelled_as_the_language_does() -> None:
    assert "int *restrict from, int *restrict to" in rewritten("restrict", _MERGE, language=Language.C)
    assert "int *__restrict from, int *__restrict to" in rewritten("restrict", _MERGE, language=Language.CPP)


def test_a_function_with_a_prototype_is_not_made_static() -> None:
    code = "int twice(int);\nint twice(int x) { return 2 * x; }\nint main() { for (;;) twice(1); }\n"
    assert rewrites("always-inline", code) == []


def test_functions_that_call_each_other_are_not_inlined() -> None:
    code = (
        "int odd(int);\nstatic int even(int x) { return x == 0 || odd(x - 1); }\n"
        "int odd(int x) { return x != 0 && even(x - 1); }\nint main() { for (;;) even(1); }\n"
    )
    assert rewrites("always-inline", code) == []


def test_a_known_size_in_c_and_with_a_result() -> None:
    code = "double last(long n, const double *x) {\n    return x[n - 1];\n}\n"
    setting = Setting(entry="last", sizes=((("n", 4.0),),))
    changed = rewritten("known-size", code, language=Language.C, setting=setting)
    assert "return last_of_any_size(4, x);" in changed
    assert compiles(changed, Language.C) is None
    assert rewrites("known-size", changed, language=Language.C, setting=setting) == []


_LOOP = """
void f(int n, double *a, const double *b, int *c) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        STATEMENT
    }
    a[0] = s;
}
"""


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("a[i] = b[i] + b[i + 1];", True),
        ("s += b[i];", True),
        ("for (int j = 0; j < n; j++) { a[i] += b[j]; }", True),
        ("a[i] = a[i - 1];", False),
        ("c[c[i]]++;", False),
        ("s = s * 2 + b[i];", False),
        ("a[0] += b[i];", False),
        ("int j = 0; while (j < n) { j++; n--; }", False),
        ("if (b[i] > 0) return;", False),
    ],
)
def test_which_loops_threads_may_share(statement: str, found: bool) -> None:
    code = _LOOP.replace("STATEMENT", statement)
    assert compiles(code, Language.C) is None
    assert (rewrites("parallel-for", code, language=Language.C, setting=THREADS) != []) is found
    assert rewrites("parallel-for", code, language=Language.C, setting=RELAXED) == []


@pytest.mark.parametrize(("statement", "found"), [("a[i] = b[i];", 1), ("c[c[i]]++;", 0), ("a[i] = a[i - 1];", 0)])
def test_ivdep_only_where_turns_are_apart(statement: str, found: int) -> None:
    assert len(rewrites("ivdep", _LOOP.replace("STATEMENT", statement), language=Language.C)) == found

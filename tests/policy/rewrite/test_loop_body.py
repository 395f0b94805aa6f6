"""Hoisting, rows, choices and sums kept in registers."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.transformation import Setting

from .programs import output, rewrites, rewritten

RELAXED = Setting(relaxed_floats=True)


def applies(name: str, body: str, setting: Setting = RELAXED) -> int:
    """How many rewrites a transformation finds in the body of a function."""
    code = (
        "#include <bits/stdc++.h>\nusing namespace std;\n"
        f"void f(int n, double *a, double *b, int *c, string &s, vector<vector<int>> &g, char *t) {{\n{body}\n}}\n"
    )
    return len(rewrites(name, code, language=Language.CPP, setting=setting))


@pytest.mark.parametrize(
    "body",
    [
        "    for (int i = 0; i < (int)s.size(); i++) {\n        a[i] = 1;\n    }",
        "    int i = 0;\n    while (i < s.length()) {\n        i++;\n    }",
        "    for (int i = 0; i < n; i++) {\n        a[i] = b[i] * sqrt(n);\n    }",
        "    for (int i = 0; i < strlen(t); i++) {\n        t[i] = 'x';\n    }",
    ],
)
def test_what_is_hoisted(body: str) -> None:
    assert applies("hoist-call", body) == 1


@pytest.mark.parametrize(
    "body",
    [
        "    for (int i = 0; i < s.size(); i++) {\n        s += 'x';\n    }",
        "    for (int i = 0; i < s.size(); i++) {\n        cin >> s;\n    }",
        "    for (int i = 0; i < n; i++) {\n        a[i] = sqrt(i);\n    }",
        "    for (int i = 0; i < n; i++) {\n        a[i] = sqrt(a[0]);\n    }",
        "    for (int i = 0; i < strlen(t); i++) {\n        t[i] = 0;\n    }",
        "    for (int i = 0; i < n; i++) {\n        for (auto &row : g)\n            c[i] += row.size();\n    }",
    ],
)
def test_what_changes_from_turn_to_turn_is_not_hoisted(body: str) -> None:
    assert applies("hoist-call", body) == 0


def test_rows_that_stay_are_looked_up_once() -> None:
    assert applies("row-reference", "    for (int j = 0; j < n; j++) {\n        g[n - 1][j] = g[0][j];\n    }") == 1


@pytest.mark.parametrize(
    "statement", ["g[j][0] = 1;", "g[c[j]][j] = 1;", "g[n][j] = 1; n--;", "g[0].push_back(g[0][j]);"]
)
def test_rows_that_move_are_left_alone(statement: str) -> None:
    assert applies("row-reference", f"    for (int j = 0; j < n; j++) {{\n        {statement}\n    }}") == 0


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("a[n] += b[j];", 1),
        ("a[n] += b[j] * a[n];", 1),
        ("if (j == n) continue; a[n] += b[j];", 1),
        ("a[n] += a[j];", 0),
        ("a[j] += b[n];", 0),
        ("if (n > 0) a[n - 1] += b[j];", 0),
        ("a[n] += b[j]; n++;", 0),
        ("a[n] += b[j]; if (b[j] < 0) return;", 0),
        ("a[c[j]] += b[j];", 0),
        ("a[n] += strtod(t, nullptr);", 0),
    ],
)
def test_elements_kept_in_scalars(statement: str, found: int) -> None:
    assert applies("scalar-sum", f"    for (int j = 0; j < n; j++) {{\n        {statement}\n    }}") == found


def in_parts(statement: str, setting: Setting = RELAXED) -> bool:
    loop = f"    for (int j = 0; j < n; j++) {{\n        {statement}\n    }}"
    return applies("several-sums", f"    double sum = 0.0;\n{loop}\n    a[0] = sum;", setting) > 0


def test_sums_need_a_free_order() -> None:
    assert in_parts("sum += a[j];")
    assert not in_parts("sum += a[j];", Setting())


@pytest.mark.parametrize(
    "statement",
    ["sum += a[j]; b[j] = sum;", "sum = sum * 2 + a[j];", "sum += a[j]; if (sum > 9) break;", "sum += a[j]; n--;"],
)
def test_sums_that_are_needed_on_the_way(statement: str) -> None:
    assert not in_parts(statement)


_STATISTICS = """
#include <math.h>
#include <stdio.h>

void describe(int n, const double *values, const int *order, double *result) {
    double sum = 0.0;
    double top = values[0];
    int at = 0;
    for (int i = 0; i < n; i++) {
        if (i == 7) {
            continue;
        }
        double value = fabs(values[order[at]]);
        at++;
        sum += value * value;
        if (value > top) {
            top = value;
        }
    }
    result[0] = sum;
    result[1] = top;
}

int main(void) {
    double values[45], result[2];
    int order[45];
    for (int i = 0; i < 45; i++) {
        values[i] = (i * 37 % 45 - 20) * 0.5;
        order[i] = i * 7 % 45;
    }
    for (int n = 0; n <= 45; n += 5) {
        describe(n, values, order, result);
        printf("%g %g\\n", result[0], result[1]);
    }
    return 0;
}
"""


@pytest.mark.parametrize("language", [Language.C, Language.CPP])
@pytest.mark.parametrize("lanes", [4, 32])
def test_sums_and_extremes_in_parts_come_out_the_same(language: Language, lanes: int) -> None:
    changed = rewritten("several-sums", _STATISTICS, f"lanes={lanes}", language=language, setting=RELAXED)
    assert "top_parts" in changed and "sum_parts" in changed
    assert output(changed, language) == output(_STATISTICS, language)

"""Macros for loops, names and types, written out where they stand."""

from __future__ import annotations

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.macros import plain
from maxcode.policy.rewrite.source import SourceFile


def written_out(code: str) -> str:
    return plain(SourceFile(code, Language.CPP)).code


def test_a_loop_a_name_and_a_range() -> None:
    head = "#define rep(i, n) for (int i = 0; i < (n); i++)\n#define pb push_back\n#define all(v) v.begin(), v.end()\n"
    code = head + "void f(int k) { rep(i, k + 1) a.pb(i); sort(all(a)); }\n"
    after = "void f(int k) { for (int i = 0; i < (k + 1); i++) a.push_back(i); sort(a.begin(), a.end()); }\n"
    assert written_out(code) == head + after


def test_a_macro_of_a_macro() -> None:
    head = "#define FOR(i, a, b) for (int i = a; i < b; i++)\n#define REP(i, n) FOR(i, 0, n)\n"
    code = head + "void f() { FOR(j, 1, 3) g(j); }\n"
    assert "for (int j = 1; j < 3; j++) g(j);" in written_out(code)


def test_what_is_not_plain_stays() -> None:
    for head in (
        "#define each(x, v) for (auto &x : v) if (x)\n",
        "#ifdef A\n#define rep(i, n) for (int i = 0; i < n; i++)\n#endif\n",
        "#define rep(i, n) for (int i = 0; i < n; i++)\n#define rep(i, n) for (int i = n; i > 0; i--)\n",
        "#define text(x) #x\n",
    ):
        code = head + "void f() { each(x, v) rep(i, 3) g(text(i)); }\n"
        assert written_out(code) == code


def test_nothing_changes_in_literals_comments_and_before_the_definition() -> None:
    code = 'int pb;\n#define pb push_back\n// pb\nconst char *text = "pb";\n'
    assert written_out(code) == code


def test_loops_get_variables_of_their_own() -> None:
    code = "int f(int n) {\n    int i, j, k, s = 0;\n"
    code += "    for (i = 0; i < n; i++) {\n        for (j = i; j < n; j++) {\n            s += j;\n        }\n    }\n"
    code += "    for (k = 0; k < n; k++) {\n        if (k * k > n) break;\n    }\n    return s + k;\n}\n"
    changed = plain(SourceFile(code, Language.C)).code
    assert "for (int i = 0;" in changed and "for (int j = i;" in changed and "for (k = 0;" in changed
    assert plain(SourceFile(code.replace("s += j", "s += *&j"), Language.C)).code.count("for (int") == 1

"""What transformations of C++ ask before they apply: doubts that are none, and doubts that are."""

from __future__ import annotations

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.effects import pure_functions
from maxcode.policy.rewrite.analysis.symbols import functions
from maxcode.policy.rewrite.source import SourceFile, field

from .programs import rewrites


def known_dependencies(code: str) -> bool:
    source = SourceFile(code, Language.CPP)
    return dependencies(source, field(functions(source)["f"], "body")) is not None


def test_a_static_cast_is_no_static_variable() -> None:
    assert known_dependencies("int f(double x) { return static_cast<int>(x); }\n")
    assert not known_dependencies("int f(int x) { static int calls = 0; return x + calls; }\n")


def test_methods_are_no_pure_functions() -> None:
    code = "struct S { int k; int get(int scale) { return k * scale; } };\nint twice(int x) { return 2 * x; }\n"
    assert pure_functions(SourceFile(code, Language.CPP)) == {"twice"}


def test_words_of_comments_and_own_variables_are_no_formats() -> None:
    head = "#include <iostream>\n// fixed costs\n"
    code = head + "int main() { int hex = 0, ws; std::cin >> ws; std::cout << hex + ws; }\n"
    assert rewrites("block-reader", code) and rewrites("block-writer", code)


def test_an_iterator_that_moves_shows_the_order() -> None:
    program = "#include <bits/stdc++.h>\nusing namespace std;\nint main() {{ map<int, int> m; m[1] = 2; {} }}\n"
    for moved in ("auto it = m.find(1); ++it; return it->second;", "return prev(m.find(1))->second;"):
        assert rewrites("hash-table-for-tree", program.format(moved)) == []
    for kept in ("auto it = m.find(1); if (it != m.end()) return it->second;", "m.erase(m.find(1));"):
        assert rewrites("hash-table-for-tree", program.format(kept))


def test_a_buffer_stays_local_where_its_function_comes_back_through_another() -> None:
    code = "#include <vector>\nint g(int n);\nint f(int n) {{\n    std::vector<int> v(n, 1);\n    {}\n}}\n"
    again = "int g(int n) { return n ? f(n - 1) : 0; }\n"
    assert rewrites("static-buffer", code.format("return g(n) + v[0];") + again) == []
    assert rewrites("static-buffer", code.format("return v[0];") + again)


def test_no_entry_is_kept_over_a_call_that_erases_it() -> None:
    code = "#include <map>\nstd::map<int, int> m;\nvoid drop(int k) { m.erase(k); }\nint see() { return m.size(); }\n"
    for call, applies in (("drop(k)", False), ("see()", True)):
        body = f"int f(int k) {{\n    m[k] += 1;\n    {call};\n    m[k] += 2;\n    return 0;\n}}\n"
        assert bool(rewrites("one-look-up", code + body)) is applies

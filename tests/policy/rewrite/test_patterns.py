"""Rules with holes: what they match, and what they leave alone."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.patterns import Rule, matches
from maxcode.policy.rewrite.source import SourceFile, apply


def applied(rule: Rule, code: str, language: Language = Language.PYTHON) -> list[str]:
    source = SourceFile(code, language)
    return [apply(source, (match.edit(source),)).code for match in matches(source, rule)]


def test_holes_of_one_name_stand_for_the_same_text() -> None:
    rule = Rule("$x = $x + $y", "$x += $y")
    assert applied(rule, "a.b = a.b + f(1)\n") == ["a.b += f(1)\n"]
    assert applied(rule, "a = b + a\n") == []


def test_statements_follow_each_other_in_one_block() -> None:
    rule = Rule("$x.sort()\nreturn $x[0]", "return min($x)")
    code = "def f(x):\n    x.sort()\n    return x[0]\n"
    assert applied(rule, code) == ["def f(x):\n    return min(x)\n"]
    assert applied(rule, code.replace("    return", "    print()\n    return")) == []
    assert applied(rule, code.replace("    return", "    # the first\n    return")) == []


@pytest.mark.parametrize("code", ["sorted(x)[1]\n", "sorted(x, key=f)[0]\n", "sorted(x)[0", "mine.sorted(x)[0]\n"])
def test_other_expressions_stay(code: str) -> None:
    assert applied(Rule("sorted($x)[0]", "min($x)"), code) == []


def test_a_condition_decides() -> None:
    rule = Rule("$x + 0", "$x", lambda source, holes: source.text(holes["x"]) != "text")
    assert applied(rule, "print(n + 0, text + 0)\n") == ["print(n, text + 0)\n"]


def test_statements_and_expressions_of_cpp() -> None:
    code = "void f(int a) { a = a * 2; g(a * 2); }\n"
    assert applied(Rule("$x = $x * 2;", "$x += $x;"), code, Language.CPP) == [code.replace("a = a * 2;", "a += a;")]
    assert len(applied(Rule("$x * 2", "$x + $x"), code, Language.CPP)) == 2

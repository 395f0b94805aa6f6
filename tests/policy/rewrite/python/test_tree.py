"""What the analysis of Python programs says of kinds of values, effects and identities."""

from __future__ import annotations

import ast

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.python.bytecode import bytecode
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import program
from maxcode.policy.rewrite.source import SourceFile


def _code(text: str) -> Code:
    found = code_of(SourceFile(text, Language.PYTHON))
    assert found is not None
    return found


def _last(code: Code) -> ast.expr:
    """The expression that a program ends with."""
    last = code.program.tree.body[-1]
    assert isinstance(last, ast.Expr)
    return last.value


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("n = int(input())\nn", {"int"}),
        ("n = 3 / 2\nn", {"float"}),
        ("a, b = input().split()\na", {"str"}),
        ("xs = [1]\nys = xs\nys.append('a')\nxs[0]", {"int", "str"}),
        ("def f(x):\n    return x\n\n\nf(1)\nf('a')\nf(2)", {"int", "str"}),
        ("d = {}\nd['a'] = 1\nd.get('b', None)", {"int", "none"}),
        ("for i, x in enumerate('ab'):\n    print(x)\nx", {"str"}),
        ("add = [].append\nxs = list(map(int, '12'))\nxs[0]", {"int"}),
        ("class A:\n    def __init__(self, n):\n        self.n = n\n\n\nA(1).n", {"int"}),
        ("import os\nos.cpu_count()", {"?"}),
    ],
)
def test_kinds_of_the_last_expression(text: str, kinds: set[str]) -> None:
    code = _code(text)
    assert code.kinds.of(_last(code)).kinds == kinds


def test_what_an_unknown_function_gets_is_out_of_sight() -> None:
    code = _code("import os\nxs = [1]\nos.listdir(xs)\nxs")
    assert code.kinds.of(_last(code)).wild


def test_a_list_under_two_names_is_one() -> None:
    code = _code("xs = [1]\nys = xs\nzs = list(xs)\nfor y in ys:\n    ys.append(1)\n(xs, zs)")
    pair = _last(code)
    loop = code.program.tree.body[3]
    assert isinstance(pair, ast.Tuple)
    changed = code.effects(loop).changes
    assert set(code.contents(code.kinds.of(pair.elts[0]))) <= changed
    assert not set(code.contents(code.kinds.of(pair.elts[1]))) & changed


def test_a_list_of_a_call_s_own_leaves_the_call_pure() -> None:
    code = _code("def f(n):\n    found = []\n    found.append(n)\n    return len(found)\n\n\nf(1)")
    assert code.pure(_last(code))


def test_changes_through_parameters_and_globals_are_seen() -> None:
    code = _code("n = 0\n\n\ndef f(xs):\n    global n\n    n += 1\n    xs.append(n)\n\n\nf([1])")
    effects = code.effects(_last(code))
    assert effects.changes and any(name == "n" for _, name in effects.binds)


@pytest.mark.parametrize(
    "text", ["eval('1')", "x = (", "async def f():\n    pass\n", "\ufeffx = 1\n", f"x = {'(' * 70}1{')' * 70}"]
)
def test_programs_that_cannot_be_followed_are_left_alone(text: str) -> None:
    found = program(SourceFile(text, Language.PYTHON))
    assert found is None or "(((" in text


def test_bytecode_tells_looks_from_meaning() -> None:
    assert bytecode("x = 1  # one\n") == bytecode("x  =  1\n\n")
    assert bytecode("x = (2 * 3)\n") == bytecode("x = 6\n")
    assert bytecode("x = 1\n") != bytecode("x = 2\n")
    assert bytecode("x = (\n") is None

"""A function is cut out of its module and put back to the byte."""

from __future__ import annotations

import pytest

from maxcode.core import InputError
from maxcode.kinds.function.excerpt import Misfit, excerpt_of, spliced

MODULE = '''"""A module."""

import os
import re as regex   # kept


LIMIT   =  3


def before( x ):
    return x   +  1


class Box:
    """A box."""

    @property
    def size(self):
        """The size,
    with a second line."""
        text = """
not indented
"""
        return len(regex.findall("a", self.name + text))  # of a name

    def other(self):
        return  2
'''


def test_an_excerpt_has_the_function_and_the_imports_it_uses() -> None:
    found = excerpt_of(MODULE, "Box.size")
    assert found.startswith("import re as regex\n\n\n@property\ndef size(self):\n")
    assert '"""\nnot indented\n"""' in found
    assert "LIMIT" not in found


@pytest.mark.parametrize("name", ["before", "Box.size", "Box.other"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_is_put_back_unchanged_is_the_same_to_the_byte(name: str, ends: str) -> None:
    module = MODULE.replace("\n", ends)
    excerpt = excerpt_of(module, name)
    assert spliced(module, name, excerpt, excerpt + "\n# nothing else\n") == module


def test_a_change_leaves_everything_else_as_it_was() -> None:
    excerpt = excerpt_of(MODULE, "Box.other")
    changed = "import math\n\n\ndef two():\n    return math.floor(2.5)\n\n\n" + excerpt.replace(
        "return  2", "return two()"
    )
    found = spliced(MODULE, "Box.other", excerpt, changed)
    assert "import re as regex   # kept\nimport math\n" in found
    assert "def two():\n    return math.floor(2.5)\n\n\nclass Box:" in found
    assert "    def other(self):\n        return two()\n" in found
    assert "def before( x ):\n    return x   +  1\n" in found
    compile(found, "module", "exec")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def before(x, y=1):\n    return x + 1\n", "signature"),
        ('def before( x ):\n    "More."\n    return x + 1\n', "docstring"),
        ("@staticmethod\ndef before( x ):\n    return x + 1\n", "decorators"),
        ("def after(x):\n    return x + 1\n", "0 times"),
        ("LIMIT = 4\n\n\ndef before( x ):\n    return x + 1\n", "has already"),
        ("print(1)\n\n\ndef before( x ):\n    return x + 1\n", "no import, function"),
        ("def before( x ) return\n", "no Python"),
    ],
)
def test_what_changes_more_than_the_function_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Misfit, match=reason):
        spliced(MODULE, "before", excerpt_of(MODULE, "before"), text)


def test_a_wrong_name_is_told_with_a_near_one() -> None:
    with pytest.raises(InputError, match=r"did you mean before\?$"):
        excerpt_of(MODULE, "befor")


def test_overloads_and_setters_stay_beside_the_function() -> None:
    module = """from typing import overload

@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x

class Box:
    @property
    def side(self):
        return 1
    @side.setter
    def side(self, value):
        pass
"""
    assert excerpt_of(module, "f") == "def f(x):\n    return x\n"
    changed = spliced(module, "f", excerpt_of(module, "f"), "def f(x):\n    return (x)\n")
    assert changed == module.replace("return x", "return (x)")
    assert "return 1" in excerpt_of(module, "Box.side")

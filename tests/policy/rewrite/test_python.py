"""Python programs mean the same after every rewrite, alone and one after another."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Setting

from .programs import output, rewrites, rewritten
from .python_programs import PROGRAMS

OURS = [each for each in TRANSFORMATIONS if Language.PYTHON in each.languages]
WORDFREQ = Path(__file__).parents[3] / "examples/wordfreq/baseline.py"
each_program = pytest.mark.parametrize("name", PROGRAMS)


@each_program
def test_every_rewrite_of_a_program_means_the_same(name: str) -> None:
    code, stdin = PROGRAMS[name]
    source, expected = SourceFile(code, Language.PYTHON), output(code, Language.PYTHON, stdin)
    made = {apply(source, rewrite.edits).code for each in OURS for rewrite in each.find(source, Setting())}
    assert made, "no transformation sees anything in it"
    for changed in made:
        assert output(changed, Language.PYTHON, stdin) == expected, changed


@each_program
def test_rewrites_follow_each_other(name: str) -> None:
    code, stdin = PROGRAMS[name]
    rng, source = random.Random(name), SourceFile(code, Language.PYTHON)
    for _ in range(12):
        found = [rewrite for each in OURS for rewrite in each.find(source, Setting())]
        if not found:
            break
        source = apply(source, rng.choice(found).edits)
    assert output(source.code, Language.PYTHON, stdin) == output(code, Language.PYTHON, stdin), source.code


def test_wordfreq_becomes_what_an_engineer_would_write() -> None:
    code = WORDFREQ.read_text()
    steps = (
        "findall-for-splitting", "get-for-counting", "counter-for-loop", "inline-function", "words-at-once",
        "comprehension-for-append", "output-at-once", "comprehension-for-append",
    )  # fmt: skip
    for step in steps:
        code = rewritten(step, code)
    assert 'counts.update(re.findall(r"[a-z]+", sys.stdin.read().lower()))' in code
    stdin = "2\nThe cat, the dog;\nthe end of the cat's tail\n"
    assert output(code, Language.PYTHON, stdin) == output(WORDFREQ.read_text(), Language.PYTHON, stdin)


@pytest.mark.parametrize(
    ("name", "before", "expected"),
    [
        ("comprehension-for-append", "b = set()\nfor x in 'aa':\n    b.add(x)\nprint(b)\n", "b = set('aa')\n"),
        ("comprehension-for-append", "b = [1]\nfor x in 'ab':\n    b.append(x)\n", "b.extend('ab')\n"),
        (
            "comprehension-for-append",
            "b = []\nfor x in 'ab':\n    for y in 'cd':\n        b.append(x + y)\n",
            "b = [x + y for x in 'ab' for y in 'cd']\n",
        ),
        ("elements-for-indices", "a = [1]\nfor i in range(len(a)):\n    print(i, a[i])\n", "for i, item in enum"),
        (
            "elements-for-indices",
            "words = ['x']\nfor i in range(len(words)):\n    w = words[i]\n    print(w)\n",
            "for w in words:\n    print(w)\n",
        ),
        ("sum-for-loop", "s = 5\nfor x in [1, 2]:\n    s += x\nprint(s)\n", "s = sum([1, 2], 5)\n"),
        ("max-for-loop", "m = 9\nfor x in [1, 2]:\n    m = min(m, x)\n", "m = min(m, min([1, 2], default=m))\n"),
        ("slice-for-fill", "a = [1] * 9\nfor i in range(2, 7):\n    a[i] = 0\n", "a[2:7] = [0] * (7 - 2)\n"),
        ("slice-for-fill", "a = bytearray(9)\nfor i in range(0, 9, 3):\n    a[i] = 1\n", "a[:9:3] = bytes([1]) * len("),
        ("local-method", "import math\nfor i in range(3):\n    print(math.sqrt(i))\n", "sqrt = math.sqrt\n"),
        ("deque-for-list", "q = []\nfor i in range(3):\n    q.insert(0, i)\n", "q.appendleft(i)\n"),
        (
            "set-for-membership",
            "a = []\nfor x in 'abab':\n    if x not in a:\n        a.append(x)\nprint(a)\n",
            "    if x not in a_set:\n        a.append(x)\n        a_set.add(x)\n",
        ),
        (
            "findall-for-splitting",
            "def f(s):\n    r = []\n    w = ''\n    for c in s:\n        if c == ' ' or c == ',':\n            if w:\n"
            "                r.append(w)\n            w = ''\n        else:\n            w += c\n    if w:\n"
            "        r.append(w)\n    return r\n",
            're.findall(r"[^\\ ,]+", s)',
        ),
        ("output-at-once", "for i in range(3):\n    print()\n    print('a', end='')\n", '.append(f"\\n")\n'),
        ("input-at-once", "a = [input() for _ in range(0)]\n", "import sys\ninput = iter("),
    ],
)  # fmt: skip
def test_other_forms(name: str, before: str, expected: str) -> None:
    after = rewritten(name, before)
    assert expected in after
    assert output(before, Language.PYTHON) == output(after, Language.PYTHON)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("comprehension-for-append", "a = []\nfor x in 'ab': a.append(x)  # keeps\nelse:\n    print(a)\n"),
        ("comprehension-for-append", "a, b = [], [1]\nfor x in 'ab':\n    a.append(a and b)\n"),
        ("comprehension-for-append", "async def f(xs):\n    a = []\n    for x in xs:\n        a.append(await x)\n"),
        ("elements-for-indices", "a = [1, 2]\nfor i in range(len(a)):\n    a.pop()\n    print(a[i])\n"),
        ("sum-for-loop", "s = []\nfor x in 'ab':\n    s += x\n"),
        ("local-row", "a = [[1]]\nfor i in range(1):\n    for j in range(1):\n        i = 0\n        print(a[i][j])\n"),
        ("value-before-loop", "a = [1]\nadd = a.append\nwhile len(a) < 5:\n    add(1)\n"),
        ("main-function", "x = 1\nfor i in range(3):\n    print(globals()['x'])\n"),
        ("inline-function", "n = 1\n\n\ndef f(x):\n    return n\n\n\ndef g(n):\n    for i in 'a':\n        f(n)\n"),
        ("guard-at-call", "def f():\n    x = 1\n\n\ndef g():\n    'Nothing.'\n\n\nfor i in 'ab':\n    f(), g()\n"),
        ("cache-function", "n = 0\n\n\ndef f(k):\n    global n\n    n += 1\n    return f(k - 1) if k else n\n"),
        ("deque-for-list", "q = [1, 2]\npop = q.pop\nwhile q:\n    pop(0)\n    q.pop(0)\n"),
        ("deque-for-list", "class A:\n    q = [1]\n    q.insert(0, 2)\n\n\nprint(A.q[0:1])\n"),
        ("set-for-membership", "a = [1]\nfor i in range(3):\n    if i in a:\n        a = a + [i]\n"),
        ("counter-for-loop", "def f(d):\n    for c in 'ab':\n        d[c] = d.get(c, 0) + 1\n"),
        ("join-for-building", "s = ''\nfor c in 'ab':\n    s = c + s\n"),
        ("input-at-once", "try:\n    while True:\n        print(input())\nexcept EOFError:\n    pass\n"),
        ("output-at-once", "while True:\n    print(input())\n"),
        ("words-at-once", "import sys\nfor line in sys.stdin:\n    for w in line.split(','):\n        print(w)\n"),
    ],
)  # fmt: skip
def test_what_is_left_alone(name: str, code: str) -> None:
    assert rewrites(name, code) == []


def test_private_attributes_keep_their_class() -> None:
    code = """
class Account:
    def __init__(self, number):
        self.__number = number

    def number(self):
        return self.__number


class Bank:
    def __init__(self):
        self.accounts = [Account(i) for i in range(3)]

    def find(self, number):
        return [each for each in self.accounts if each.number() == number]


print(len(Bank().find(2)))
"""
    assert "each._Account__number == number" in rewritten("inline-function", code)


def test_quotes_that_meet_in_an_f_string_are_left_alone_or_read() -> None:
    code = 'def shown(name):\n    return f"{name} is here"\n\n\nfor i in range(3):\n    print(shown("x"))\n'
    for rewrite in rewrites("inline-function", code):
        changed = apply(SourceFile(code, Language.PYTHON), rewrite.edits).code
        assert output(changed, Language.PYTHON) == output(code, Language.PYTHON)

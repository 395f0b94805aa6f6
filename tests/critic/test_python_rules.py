"""The critic names what it sees in Python programs with the tags that transformations answer to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import Candidate, Fact, Language, Status
from maxcode.critic.python_rules import PYTHON_RULES, loops_of
from maxcode.critic.rules import MOST, criticise, rule_critic
from maxcode.policy.rewrite import TRANSFORMATIONS
from tests.search.fakes import add, grown, measured, outcome

WORDFREQ = (Path(__file__).parents[2] / "examples/wordfreq/baseline.py").read_text()
GOOD = outcome(measurement=measured(1.5))


def tags(text: str) -> set[str]:
    """Of all the rules: a critique stops at what can be acted on."""
    return {tag for rule in PYTHON_RULES for each in rule(text, GOOD) for tag in each.tags}


@pytest.mark.parametrize(
    ("fires", "not_fires", "tag"),
    [
        ("a = []\nfor x in b:\n    if x in a:\n        f()\n", "a = {1}\nfor x in a:\n    f()\n", "membership-in-list"),
        ("a = []\nwhile q:\n    if x not in a:\n        f()\n", "a = []\nfor x in a:\n    f()\n", "membership-in-list"),
        ("v = q.pop(0)\n", "v = q.pop()\nw = q.popleft()\n", "list-front"),
        (
            "for i in range(2, n):\n    if n % i == 0:\n        return False\n",
            "for i in range(2, isqrt(n) + 1):\n    if n % i == 0:\n        return False\n",
            "trial-division",
        ),
        ("def f(n):\n    return f(n - 1) + f(n - 2)\n", "@cache\ndef f(n):\n    return f(n - 1) + f(n)\n", "recursion"),
        ("def f(n):\n    return f(n - 1) + f(n - 2)\n", "def f(n):\n    return n * f(n - 1)\n", "recursion"),
        ("for i in r:\n    s = sum(a[i:i + 3])\n", "s = sum(a[2:5])\n", "repeated-sum"),
        ("for x in a:\n    b.append(x / max(a))\n", "m = max(a)\nfor x in a:\n    b.append(x / m)\n", "invariant-call"),
        ("y = a ** b % m\n", "y = pow(a, b, m)\n", "big-numbers"),
        (
            "for x in a:\n    if x > 3:\n        found = True\nprint(found)\n",
            "for x in a:\n    if x > 3:\n        found = True\n        break\n",
            "flag-loop",
        ),
        ("for j in range(i, n, i):\n    p[j] = False\n", "for j in range(n):\n    p[j] = j\n", "fill-loop"),
        ("for _ in range(n):\n    x = int(input())\n", "x = int(input())\n", "slow-input"),
        ("a = [int(input()) for _ in range(n)]\n", "input = f\na = [int(input()) for _ in range(n)]\n", "slow-input"),
        ("for x in a:\n    print(x)\n", "for x in a:\n    f(x)\nprint(x)\n", "slow-output"),
        ('s = ""\nfor c in t:\n    s = s + c\n', "s = 0\nfor c in t:\n    s += c\n", "string-building"),
        (
            "for k in a:\n    if k in d:\n        d[k] += 1\n    else:\n        d[k] = 1\n",
            "for k in a:\n    if k in d:\n        f(k)\n",
            "counting",
        ),
        ("for i in range(n):\n    d[k] = d.get(k, 0) + 1\n", "d = Counter(a)\n", "counting"),
        ("for i in range(3):\n    f(i)\n", "def g():\n    for i in range(3):\n        f(i)\n", "global-loop"),
        ("for i in r:\n    g[i][j] = 1\n", "for i in r:\n    g[i] = 1\n", "row-lookup"),
        ("for i in range(len(a)):\n    f(a[i])\n", "for x in a:\n    f(x)\n", "index-loop"),
        ("while i < n:\n    f(i)\n    i += 1\n", "while q:\n    f(i)\n", "while-counting"),
        ("for x in a:\n    b.append(x)\n", "b = [x for x in a]\n", "append-loop"),
        ("for x in a:\n    m.f(x)\n", "for x in a:\n    f(x)\n", "attribute-lookup"),
        ("def f(x):\n    return x\nfor x in a:\n    f(x)\n", "for x in a:\n    g(x)\n", "call-in-loop"),
        ("b = sorted(a, key=lambda p: p[1])\n", "b = sorted(a)\n", "sorting"),
        ("for x in a:\n    s += x ** 2\n", "for x in a:\n    s += x * x\n", "pow"),
    ],
)  # fmt: skip
def test_a_pattern_is_seen_and_its_better_form_is_not(fires: str, not_fires: str, tag: str) -> None:
    assert tag in tags(fires)
    assert tag not in tags(not_fires)


def test_every_tag_has_a_transformation_that_answers_it() -> None:
    answered = {tag for each in TRANSFORMATIONS if Language.PYTHON in each.languages for tag in each.answers}
    examples = "\n".join(each.example.before for each in TRANSFORMATIONS if Language.PYTHON in each.languages)
    assert tags(examples) | tags(WORDFREQ) <= answered


def test_the_wordfreq_example_is_understood() -> None:
    found = criticise(WORDFREQ, GOOD, Language.PYTHON)
    seen = {tag for each in found.diagnoses for tag in each.tags}
    assert {"string-building", "counting", "slow-input", "slow-output", "attribute-lookup"} <= seen
    assert len(found.diagnoses) <= MOST


def test_a_program_with_nothing_to_see() -> None:
    assert criticise("import sys\n\nsys.stdout.write('hello')\n", GOOD, Language.PYTHON).diagnoses == ()


def test_rules_of_one_language_leave_the_other_alone() -> None:
    text = "std::map<int, int> m; // endl pow(x) cin >> n\nfor x in a:\n    print(pow(x, 2))\n"
    remark = Fact(kind="not_vectorized", text="possible aliasing", source="gcc")
    measured_so = GOOD.model_copy(update={"facts": (remark,)})
    python = {tag for each in criticise(text, measured_so, Language.PYTHON).diagnoses for tag in each.tags}
    cpp = {tag for each in criticise(text, measured_so).diagnoses for tag in each.tags}
    assert "slow-output" in python
    assert not {"aliasing", "tree-map", "endl"} & python
    assert "aliasing" in cpp
    assert not {"global-loop"} & cpp


def test_a_failure_is_told_in_any_language() -> None:
    (found,) = criticise(
        "for x in a:\n    print(x)\n", outcome(Status.CRASHED, reason="boom"), Language.PYTHON
    ).diagnoses
    assert found.kind == "bug"


def test_the_task_says_which_language_it_is() -> None:
    tree = grown()
    node = add(tree, tree.root, 2.0, 1)
    node = node.model_copy(update={"candidate": Candidate(files={"main.py": "for x in a:\n    print(x)\n"})})
    tree.task = tree.task.model_copy(update={"language": Language.PYTHON})
    found = asyncio.run(rule_critic(tree, node))
    assert any("slow-output" in each.tags for each in found.diagnoses)


@pytest.mark.parametrize(
    "text", ["", "for", "for x in y: f(x)", "while True:\n", "for x in y:\n\n\n", "\tfor x in y:\n"]
)
def test_cut_off_programs_are_read_as_far_as_they_go(text: str) -> None:
    loops_of(text)
    tags(text)

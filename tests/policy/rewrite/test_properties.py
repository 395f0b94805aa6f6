"""Whatever program a transformation meets: it loses nothing, leaves a program that parses, and comes to an end."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from maxcode.core import Language
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Rewrite, Setting, Transformation

SNIPPETS = sorted((Path(__file__).parent / "snippets").iterdir())
LANGUAGES = {"c": Language.C, "cpp": Language.CPP, "py": Language.PYTHON}
SETTINGS = (Setting(), Setting(cpus=2, relaxed_floats=True, entry="gemm"))
LONGEST = 1.0

CPP_HEADS = (
    "#include <bits/stdc++.h>\nusing namespace std;\n",
    "#include <cmath>\n#include <iostream>\n#include <map>\n#include <string>\n#include <vector>\n",
    "// what it does\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"
    "#define REP(i, n) for (int i = 0; i < n; ++i)\n",
)
CPP_FUNCTIONS = (
    "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } // pure\n",
    "void add(double *a, const double *b, int n) {\n    for (int i = 0; i < n; i++) a[i] += b[i];\n}\n",
    "bool prime(int n) {\n    for (int i = 2; i < n; i++)\n      if (n % i == 0) return false;\n    return true;\n}\n",
    "double dot(std::vector<double> a, std::vector<double> b) {\n    double s = 0;\n"
    "    for (size_t i = 0; i < a.size(); ++i) s += a[i] * b[i]; /* sum */\n    return s;\n}\n",
    "struct Point { double x, y; };\nstatic int table[100][100];\n",
)
CPP_STATEMENTS = (
    "std::map<int, int> counts; // by key\nfor (int i = 0; i < 10; i++) counts[i % 3]++;\n",
    "for (int i = 0; i < 8; ++i) {\n    for (int j = 0; j < 8; ++j) {\n        grid[j][i] = i * j;\n    }\n}\n",
    "double sum = 0;\nfor (int i = 0; i < n; i++) {\n    sum += std::sqrt(values[i]) * pow(values[i], 2);\n}\n",
    "int x, y;\nstd::cin >> x >> y;\nstd::cout << x + y << std::endl;\n",
    'char name[64];\nscanf("%d %s", &n, name);\nprintf("%d %s\\n", n, name); // echo\n',
    "std::string out;\nfor (int i = 0; i < n; i++) out = out + 'x';\n",
    "std::vector<std::vector<int>> d(n, std::vector<int>(n, 0));\nfor (int k = 0; k < n; k++)\n"
    "    for (int i = 0; i < n; i++)\n        for (int j = 0; j < n; j++)\n"
    "            d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);\n",
    "std::sort(values.begin(), values.end());\nint median = values[n / 2];\n",
    "bool found = false;\nfor (int i = 0; i < n; i++) {\n    if (values[i] == 3) { found = true; }\n}\n",
    "while (n > 1) {\n    n = n % 2 == 0 ? n / 2 : 3 * n + 1;\n}\n",
)
PYTHON_STATEMENTS = (
    "# totals\ntotal = 0\nfor x in values:\n    total += x ** 2  # squares\n",
    "seen = []\nfor x in values:\n    if x not in seen:\n        seen.append(x)\n",
    "i = 0\nwhile i < n:\n    print(values[i], end=' ')\n    i += 1\n",
    "counts = {}\nfor key in text:\n    if key in counts.keys():\n        counts[key] += 1\n"
    "    else:\n        counts[key] = 1\n",
    "text = ''\nfor i in range(len(values)):\n    text = text + str(values[i])\n",
    "queue = [0]\nwhile queue:\n    node = queue.pop(0)\n    for other in graph[node]:\n        queue.append(other)\n",
    "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n",
    "for i in range(n):\n    for j in range(n):\n        grid[i][j] = grid[i - 1][j] + max(values)\n",
    "names = [input() for _ in range(n)]\nnames.sort(key=lambda name: name[0])\n",
    "class Thing:\n    def __init__(self):\n        self.items = []\n\n    def fill(self, n):\n"
    "        for i in range(n):\n            self.items.append(i)\n",
    "flag = False\nfor x in values:\n    if x == 3:\n        flag = True\nprint(flag, 2 ** n % 7, sum(values[1:3]))\n",
    'print("""\n  text\n""")\n',
)


def _indented(text: str) -> str:
    return "".join(f"    {line}" for line in text.splitlines(keepends=True))


def _cpp(head: str, functions: list[str], statements: list[str]) -> SourceFile:
    body = "".join(f"    {{\n{_indented(_indented(each))}    }}\n" for each in statements)
    start = "    int n = 8;\n    std::vector<double> values(n);\n    static int grid[8][8];\n"
    return SourceFile(f"{head}{''.join(functions)}int main() {{\n{start}{body}    return 0;\n}}\n", Language.CPP)


def _python(statements: list[str], in_function: bool) -> SourceFile:
    start = "import sys\n\nn = 4\nvalues = [3, 1, 2, 0]\ngraph = grid = [[0] * 4] * 4\n"
    body = "".join(statements)
    return SourceFile(
        start + (f"\n\ndef run(text):\n{_indented(body)}\n\nrun('ab')\n" if in_function else body), Language.PYTHON
    )


CPP_PROGRAMS = st.builds(
    _cpp,
    st.sampled_from(CPP_HEADS),
    st.lists(st.sampled_from(CPP_FUNCTIONS), max_size=3, unique=True),
    st.lists(st.sampled_from(CPP_STATEMENTS), min_size=1, max_size=4),
)
PYTHON_PROGRAMS = st.builds(
    _python, st.lists(st.sampled_from(PYTHON_STATEMENTS), min_size=1, max_size=5), in_function=st.booleans()
)


def rewrites_of(source: SourceFile, setting: Setting) -> Iterator[tuple[Transformation, Rewrite]]:
    for each in TRANSFORMATIONS:
        if source.language in each.languages:
            for rewrite in each.find(source, setting):
                yield each, rewrite


def check(source: SourceFile, each: Transformation, rewrite: Rewrite) -> SourceFile:
    """Nothing outside of the edits is touched, they do not overlap, and something changes."""
    changed = apply(source, rewrite.edits)
    assert changed.code != source.code, each.name
    assert 1 <= rewrite.line <= source.code.count("\n") + 1, each.name
    at_old = at_new = 0
    for edit in sorted(rewrite.edits, key=lambda e: (e.start, e.end)):
        assert at_old <= edit.start <= edit.end <= len(source.data), each.name
        kept = source.data[at_old : edit.start]
        assert changed.data[at_new:].startswith(kept + edit.text.encode()), each.name
        at_old, at_new = edit.end, at_new + len(kept) + len(edit.text.encode())
    assert changed.data[at_new:] == source.data[at_old:], each.name
    return changed


@pytest.mark.parametrize("programs", [CPP_PROGRAMS, PYTHON_PROGRAMS], ids=["c++", "python"])
def test_nothing_is_lost_and_the_result_parses(programs: st.SearchStrategy[SourceFile]) -> None:
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(programs, st.sampled_from(SETTINGS))
    def holds(source: SourceFile, setting: Setting) -> None:
        assert not source.broken, source.code
        for each, rewrite in rewrites_of(source, setting):
            changed = check(source, each, rewrite)
            assert not changed.broken, (each.name, changed.code)

    holds()


def _pieces(path: Path) -> Iterator[str]:
    """A snippet, its beginnings, and the snippet with a part cut out."""
    code, rng = path.read_bytes().decode(), random.Random(path.name)
    yield code
    for _ in range(4):
        first, second = sorted(rng.sample(range(len(code) + 1), 2))
        yield code[:first]
        yield code[:first] + code[second:]


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.name)
def test_odd_code_is_taken_as_it_comes(path: Path) -> None:
    for code in _pieces(path):
        _endure(SourceFile(code, LANGUAGES[path.name.split(".")[1]]))


ODD = (
    "", "\n", " ", "\t", "\0", "#", "x", '"""', "'", "\ufeffint x;\n", "(" * 500, "{" * 500, "[" * 200 + "]" * 200,
    f"int main() {{ return {'(' * 300}1{')' * 300}; }}\n", f"x = {'+'.join('a' * 800)}\n", "for(;;)" * 200 + ";",
    "int main() {" + "for (int i = 0; i < n; i++) {" * 40 + "a[i]++;" + "}" * 41,
    "".join(f"{' ' * i}for i in range(3):\n" for i in range(40)) + " " * 41 + "pass\n",
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_empty_broken_and_deep_code_is_taken_as_it_comes(language: Language) -> None:
    for code in ODD:
        _endure(SourceFile(code, language))


def _endure(source: SourceFile) -> None:
    """Every transformation comes to an end soon, and breaks no program that was whole."""
    for setting in SETTINGS:
        for each in TRANSFORMATIONS:
            if source.language not in each.languages:
                continue
            begin = time.process_time()
            found = list(each.find(source, setting))
            assert time.process_time() - begin < LONGEST, each.name
            for rewrite in found:
                changed = check(source, each, rewrite)
                assert source.broken or not changed.broken, (each.name, changed.code)

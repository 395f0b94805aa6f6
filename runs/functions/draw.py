"""Functions drawn by seed from packages: ones with a loop, of 4 to 80 lines, public, and named in the package's tests.

draw.py SEED COUNT PACKAGES FOLDER [LIST]...     functions that a LIST has already are not drawn
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from environments import source

LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NO_SOURCE = re.compile(
    r"(^|/)(tests?|testing|docs?|doc|examples?|benchmarks?|tools|setup|bin|\.venv|build)(/|\.|$)|test_|conftest"
)
LINES = range(4, 81)


def functions_of(root: Path) -> list[str]:
    """`file.py::name` of every function in the pool, sorted."""
    files = [each for each in root.rglob("*.py") if ".venv" not in each.parts]
    words = set()
    for file in files:
        if "test" in str(file.relative_to(root)):
            words |= set(re.findall(r"\w+", file.read_text(errors="replace")))
    found = []
    for file in files:
        name = str(file.relative_to(root))
        if not NO_SOURCE.search(name):
            found += [f"{name}::{each}" for each in _named(file, words)]
    return sorted(set(found))


def _named(file: Path, words: set[str]) -> Iterator[str]:
    for node in ast.parse(file.read_text(errors="replace")).body:
        holders = [("", node)] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ClassDef):
            holders = [(f"{node.name}.", each) for each in node.body if isinstance(each, ast.FunctionDef)]
        for prefix, each in holders:
            public = not each.name.startswith("_") and not prefix.startswith("_") and each.name in words
            loops = any(isinstance(inner, LOOPS) for inner in ast.walk(each))
            if public and loops and (each.end_lineno or 0) - each.lineno + 1 in LINES:
                yield prefix + each.name


def main() -> None:
    seed, count, packages, folder, *lists = sys.argv[1:]
    taken = {line.split()[2] for each in lists for line in Path(each).read_text().splitlines() if line.strip()}
    rng = random.Random(int(seed))
    rows: list[list[str]] = []
    for line in Path(packages).read_text().split("\n"):
        if line.strip():
            name, version = line.split()
            pool = [each for each in functions_of(source(name, version, Path(folder))) if each not in taken]
            rng.shuffle(pool)
            rows.append([f"{name} {version} {each} {seed}" for each in pool])
    in_turn = [row[depth] for depth in range(max(map(len, rows))) for row in rows if depth < len(row)]
    print("\n".join(in_turn[: int(count)]))


if __name__ == "__main__":
    main()

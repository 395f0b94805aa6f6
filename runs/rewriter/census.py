"""On how many programs each transformation fires: parsed and offered only, neither built nor timed.

python runs/rewriter/census.py examples=examples tests/data/programs NAME=DIR ... [--packages 400] [--output FILE]

A folder is a set. It holds C, C++ and Python files, or rows in PIE's format (*.jsonl). A program is a file, the folder
of an everyday program (slow.* and expert.*), a row, a kernel of TSVC, or a function of a Python package. The set called
`examples` is our own: it does not count as independent.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from maxcode.bench.tables import Table, plain
from maxcode.core import Language
from maxcode.policy.rewrite.actions import BY_NAME, rewrites
from maxcode.policy.rewrite.analysis.macros import plain as without_macros
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Setting

OURS = "examples"
SUFFIXES = {".c": Language.C, ".cpp": Language.CPP, ".cc": Language.CPP, ".py": Language.PYTHON}
SETTINGS = (
    Setting(cpus=2, relaxed_floats=True, flags=("-fopenmp",)),
    Setting(relaxed_floats=True, flags=("-O3", "-march=native")),
)
LARGEST = 60_000
SKIPPED = re.compile(r"(?:^|/)(?:wrong_\d|gen|test_|tests/|\.|torch/|repositories/|utilities/|dummy)")

Programs = Iterator[tuple[str, SourceFile]]


def programs(folder: Path) -> Programs:
    """Programs of a folder by name; several files of one program have one name."""
    for path in sorted(folder.rglob("*.jsonl")):
        for row in map(json.loads, path.read_text().splitlines()):
            for field in ("src_code", "tgt_code"):
                if row.get(field):
                    yield row["src_id"], without_macros(SourceFile(row[field], Language.CPP))
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix in SUFFIXES and not SKIPPED.search(name) and path.stat().st_size < LARGEST * 10:
            code = path.read_text(errors="replace")
            if path.name == "tsvc.c":
                yield from _kernels(code)
            elif len(code) < LARGEST:
                everyday = path.stem in ("slow", "expert")
                yield str(path.parent) if everyday else name, without_macros(SourceFile(code, SUFFIXES[path.suffix]))


def _kernels(code: str) -> Programs:
    """Functions of TSVC's one file, each with the macros in front of it as a program of its own."""
    for match in re.finditer(r"^real_t (s\w+|v\w+)\(struct args_t[^)]*\)\n\{.*?^\}", code, re.DOTALL | re.MULTILINE):
        yield match[1], SourceFile(match[0] + "\n", Language.C)


def package_functions(count: int, seed: int) -> Programs:
    """A sample of the functions of the installed Python packages; each is a program."""
    folders = [Path(each) for each in sys.path if each.endswith("site-packages")]
    chosen = sorted(path for each in folders for path in each.rglob("*.py") if "test" not in str(path))
    rng = random.Random(seed)
    rng.shuffle(chosen)
    for path in chosen:
        if count <= 0:
            return
        found = _functions(path)
        for name, text in rng.sample(found, min(2, len(found))):
            count -= 1
            yield f"{path.name}:{name}", SourceFile(text, Language.PYTHON)


def _functions(path: Path) -> list[tuple[str, str]]:
    """Top-level functions with a loop or recursion, which is where time can go."""
    text = path.read_text(errors="replace")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lines = text.splitlines(keepends=True)
    return [
        (node.name, "".join(lines[node.lineno - 1 : node.end_lineno]))
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(isinstance(each, ast.For | ast.While) for each in ast.walk(node))
    ]


def firing(found: Programs) -> dict[str, set[str]]:
    """Names of the programs on which each transformation offers a rewrite."""
    names: dict[str, set[str]] = defaultdict(set)
    for program, source in found:
        names[""].add(program)
        for name in BY_NAME:
            try:
                fires = any(rewrites(source, setting, name) for setting in SETTINGS)
            except Exception as error:  # a fault of the transformation: reported, and the census goes on
                print(f"{name} fails on {program}: {error!r}", flush=True)
                continue
            if fires:
                names[name].add(program)
        rewrites.cache_clear()
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="[NAME=]DIR")
    parser.add_argument("--packages", type=int, default=0, help="functions of Python packages to draw")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="where to write the counts as JSON")
    given = parser.parse_args()
    named = [(name or Path(path).name, Path(path)) for name, _, path in (each.rpartition("=") for each in given.sets)]
    found = {name: firing(programs(path)) for name, path in named}
    if given.packages:
        found["packages"] = firing(package_functions(given.packages, given.seed))
    counts = {name: Counter({each: len(of) for each, of in sets.items()}) for name, sets in found.items()}
    print(plain(table(counts)))
    if given.output:
        given.output.write_text(json.dumps({name: dict(sorted(of.items())) for name, of in counts.items()}, indent=1))


def table(counts: dict[str, Counter[str]]) -> Table:
    """Transformations by the number of independent programs on which they fire, the rarest first."""

    def independent(name: str) -> int:
        return sum(of[name] for each, of in counts.items() if each != OURS)

    ranked = sorted((name for name in BY_NAME if BY_NAME[name].family != "torch"), key=independent)
    rows = [(name, str(independent(name)), *(str(of[name]) for of in counts.values())) for name in ("", *ranked)]
    rows[0] = ("programs", *rows[0][1:])
    title = "Programs on which a rewrite is offered"
    return Table(title=title, columns=("name", "independent", *counts), rows=tuple(rows))


if __name__ == "__main__":
    main()

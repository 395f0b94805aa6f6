"""On how many programs each transformation fires: parsed and offered only, neither built nor timed.

python runs/rewriter/census.py examples=examples tests/data/programs NAME=DIR ... [--packages 400] [--standard 400]
    [--step] [--output ROWS.jsonl]

A folder is a set. It holds C, C++ and Python files, or rows in PIE's format (*.jsonl). A program is a file, the folder
of an everyday program (slow.* and expert.*), a row, a kernel of TSVC, or a function of a Python package or of the
standard library. The set called `examples` is our own: it does not count as independent. With --step a transformation
that fires on fewer than three independent programs is also looked for after one rewrite by another. Programs that the
output has already are not looked at again.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sysconfig
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from maxcode.bench.tables import Table, plain
from maxcode.core import Language
from maxcode.kinds.torch.rewriting import TorchSetting
from maxcode.policy.rewrite.actions import BY_NAME, rewrites
from maxcode.policy.rewrite.analysis.macros import plain as without_macros
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Rewrite, Setting

OURS = "examples"
BAR = 3
"""Independent programs on which a transformation should fire."""
SUFFIXES = {".c": Language.C, ".cpp": Language.CPP, ".cc": Language.CPP, ".py": Language.PYTHON}
SETTINGS = (
    Setting(cpus=2, relaxed_floats=True, flags=("-fopenmp",)),
    Setting(relaxed_floats=True, flags=("-O3", "-march=native")),
)
FOR_MODELS = (Setting(torch=TorchSetting()), Setting(torch=TorchSetting(device="cuda")))
LARGEST = 60_000
SKIPPED = re.compile(r"(?:^|/)(?:wrong_\d|gen|test_|tests/|\.|torch/|repositories/|utilities/|dummy)")

Programs = Iterator[tuple[str, SourceFile]]


def programs(folder: Path) -> Programs:
    """Programs of a folder by name; several files of one program follow each other and have one name."""
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
                program = path.parent.name if path.stem in ("slow", "expert") else name
                yield program, without_macros(SourceFile(code, SUFFIXES[path.suffix]))


def _kernels(code: str) -> Programs:
    """Functions of TSVC's one file, each with the macros in front of it as a program of its own."""
    for match in re.finditer(r"^real_t (s\w+|v\w+)\(struct args_t[^)]*\)\n\{.*?^\}", code, re.DOTALL | re.MULTILINE):
        yield match[1], SourceFile(match[0] + "\n", Language.C)


def functions(folder: Path, seed: int) -> Programs:
    """Functions below a folder of Python in an order drawn by a seed, at most two of a file; each is a program."""
    inside = sorted((str(path.relative_to(folder)), path) for path in folder.rglob("*.py"))
    rng = random.Random(seed)
    rng.shuffle(inside)
    for name, path in inside:
        found = [] if "test" in name or "-packages/" in name else _functions(path)
        for function, text in rng.sample(found, min(2, len(found))):
            yield f"{name}:{function}", SourceFile(text, Language.PYTHON)


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


class Census:
    """What fires on each program, as rows that are kept in a file as they are found."""

    def __init__(self, output: Path | None) -> None:
        self._output = output
        self.rows: list[dict[str, Any]] = []
        if output and output.exists():
            self.rows = [json.loads(line) for line in output.read_text().splitlines()]

    def take(self, kept: str, found: Programs, names: list[str], step: bool) -> None:
        """Looks for transformations on the programs of a set, with `step` after one rewrite by another."""
        seen = {(row["set"], row["program"], row["step"]) for row in self.rows}
        for program, versions in groupby(found, key=lambda each: each[0]):
            if (kept, program, step) not in seen:
                look = _after_a_step if step else _firing
                fires = {name for _, source in versions for name in look(source, names)}
                self._add({"set": kept, "program": program, "step": step, "fires": sorted(fires)})
                rewrites.cache_clear()

    def _add(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        if self._output:
            with self._output.open("a") as file:
                file.write(json.dumps(row) + "\n")

    def counts(self) -> dict[str, Counter[str]]:
        """Programs of each set by transformation, and all of them under the empty name."""
        fired = {(row["set"], row["program"], name) for row in self.rows for name in ("", *row["fires"])}
        sets = dict.fromkeys(row["set"] for row in self.rows)
        return {each: Counter(name for kept, _, name in fired if kept == each) for each in sets}


def _offered(source: SourceFile, name: str) -> list[Rewrite]:
    settings = FOR_MODELS if "(nn.Module)" in source.code else SETTINGS
    try:
        return [found for setting in settings for found in rewrites(source, setting, name)]
    except Exception as error:  # a fault of the transformation: reported, and the census goes on
        print(f"{name} fails: {error!r}", flush=True)
        return []


def _firing(source: SourceFile, names: list[str]) -> set[str]:
    return {name for name in names if _offered(source, name)}


def _after_a_step(source: SourceFile, names: list[str]) -> set[str]:
    firsts = [found[0] for name in BY_NAME if (found := _offered(source, name))]
    return {fires for first in firsts for fires in _firing(without_macros(apply(source, first.edits)), names)}


def independent(counts: dict[str, Counter[str]], name: str) -> int:
    """Programs outside of our examples on which a transformation fires."""
    return sum(of[name] for each, of in counts.items() if each != OURS)


def table(counts: dict[str, Counter[str]]) -> Table:
    """Transformations by the number of independent programs on which they fire, the rarest first."""
    ranked = sorted(BY_NAME, key=lambda name: independent(counts, name))
    rows = tuple(
        (name or "programs", str(independent(counts, name)), *(str(of[name]) for of in counts.values()))
        for name in ("", *ranked)
    )
    return Table(title="Programs on which a rewrite is offered", columns=("name", "independent", *counts), rows=rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="[NAME=]DIR")
    parser.add_argument("--packages", type=int, default=0, help="functions of the installed packages to draw")
    parser.add_argument("--standard", type=int, default=0, help="functions of Python's standard library to draw")
    parser.add_argument("--step", action="store_true", help="look for rare ones after one rewrite by another, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="where to keep the rows, one JSON object for each program")
    given = parser.parse_args()
    named = [(name or Path(path).name, Path(path)) for name, _, path in (each.rpartition("=") for each in given.sets)]
    drawn = (("packages", "purelib", given.packages), ("standard", "stdlib", given.standard))
    census = Census(given.output)
    for step in (False, True) if given.step else (False,):
        counts = census.counts()
        names = [name for name in BY_NAME if not step or independent(counts, name) < BAR]
        for kept, path in named:
            census.take(kept, programs(path), names, step)
        for kept, place, count in drawn:
            census.take(kept, islice(functions(Path(sysconfig.get_path(place)), given.seed), count), names, step)
    print(plain(table(census.counts())))


if __name__ == "__main__":
    main()

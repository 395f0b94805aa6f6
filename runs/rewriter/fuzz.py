"""Random programs and every rewrite of each: whether the output stays the same.

python runs/rewriter/fuzz.py --language c++ [--programs 100] [--seed 1] [--only TRANSFORMATION ...]

The programs come from a grammar of ours, in fuzz_LANGUAGE.py. They are built with sanitizers switched off and little
optimisation, so that one takes a second or two. Rewrites that do not compile are counted; wrong ones are printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import fuzz_cpp

from maxcode.core import Language
from maxcode.policy.rewrite.actions import BY_NAME, rewrites
from maxcode.policy.rewrite.analysis.macros import plain
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Setting

GENERATORS: dict[str, tuple[Language, Callable[[int], str]]] = {
    "c": (Language.C, lambda seed: fuzz_cpp.program(seed, False)),
    "c++": (Language.CPP, lambda seed: fuzz_cpp.program(seed, True)),
}
COMPILERS = {Language.C: ["gcc", "-std=gnu11"], Language.CPP: ["g++", "-std=c++17"]}
PLACES = 4
"""Rewrites tried of each transformation on one program."""


def output(source: SourceFile) -> str | None:
    """What a program prints; None where it cannot be built. A crash or a hang is an output of its own."""
    if source.language is Language.PYTHON:
        return _printed([sys.executable, "-I", "-c", source.code])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.c" if source.language is Language.C else "program.cpp")
        path.write_text(source.code)
        binary = str(Path(folder, "program"))
        command = [*COMPILERS[source.language], "-O1", "-w", str(path), "-o", binary, "-lm"]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
        return _printed([binary])


def _printed(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return "no end"
    return f"{done.stdout}{done.returncode}"


def candidates(only: frozenset[str]) -> list[str]:
    found = [name for name, each in BY_NAME.items() if each.family not in ("torch", "compiler", "threads")]
    return [name for name in found if not only or name in only]


def judged(source: SourceFile, only: frozenset[str]) -> Counter[tuple[str, str]]:
    """How many rewrites of one program are right, wrong or not built, by transformation."""
    counts, seen, wanted = Counter[tuple[str, str]](), set[str](), output(source)
    if wanted is None:
        raise SystemExit(f"the generator wrote a program that does not compile:\n{source.code}")
    for name in candidates(only):
        for rewrite in rewrites(plain(source), Setting(), name)[:PLACES]:
            changed = apply(plain(source), rewrite.edits)
            if changed.code in seen:
                continue
            seen.add(changed.code)
            printed = output(changed)
            verdict = "not built" if printed is None else "right" if printed == wanted else "wrong"
            counts[name, verdict] += 1
            if verdict != "right":
                print(f"{name} is {verdict}: {wanted} became {printed}\n{changed.code}", flush=True)
    rewrites.cache_clear()
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=tuple(GENERATORS), default="c++")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=())
    given = parser.parse_args()
    language, generate = GENERATORS[given.language]
    counts = Counter[tuple[str, str]]()
    for seed in range(given.seed, given.seed + given.programs):
        counts += judged(SourceFile(generate(seed), language), frozenset(given.only))
    for (name, verdict), count in sorted(counts.items()):
        print(f"{name:26} {verdict:10} {count}")
    wrong = sum(count for (_, verdict), count in counts.items() if verdict == "wrong")
    print(f"{given.programs} programs, {sum(counts.values())} rewrites, {wrong} wrong")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()

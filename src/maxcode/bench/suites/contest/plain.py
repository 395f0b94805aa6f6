"""A plain folder: programs, and inputs beside their answers, there or in folders of it."""

from __future__ import annotations

import re
from pathlib import Path

from maxcode.bench.suites.making.files import file_pairs, problems_of, programs_in
from maxcode.bench.suites.making.problem import FilePair, Refused, SuiteProblem

ANSWERS = (".out", ".ans")


def is_plain(folder: Path) -> bool:
    return bool(programs_in(folder)) and bool(_pairs(folder))


def read_plain(folder: Path) -> list[SuiteProblem]:
    """Each program is a problem of its own; target.cpp (.c, .py) is the faster program to go with the others."""
    pairs = _pairs(folder)
    if not pairs:
        raise Refused("has no tests: NAME.in with NAME.out or NAME.ans, or inputN.txt with outputN.txt")
    programs = programs_in(folder)
    target = next((path for path in programs if path.stem == "target"), None)
    others = [path for path in programs if path != target]
    if not others:
        raise Refused("has no C, C++ or Python program")
    return problems_of(folder.resolve().name, others, pairs, target=target)


def _pairs(folder: Path) -> list[FilePair]:
    return [*file_pairs(folder, folder.rglob("*.in"), ANSWERS), *_numbered(folder)]


def _numbered(folder: Path) -> list[FilePair]:
    """input.3.txt with output.3.txt, input3.txt with output3.txt, in/3.txt with out/3.txt."""
    pairs = []
    for path in sorted(folder.rglob("*.txt")):
        relative = str(path.relative_to(folder))
        if re.search(r"\bin(?:put)?", relative):
            answer = folder / re.sub(r"\bin(put)?", lambda match: f"out{match[1] or ''}", relative)
            if answer.is_file():
                pairs.append(FilePair(name=relative.removesuffix(".txt"), input=path, answer=answer))
    return pairs

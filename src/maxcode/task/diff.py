"""Diffs that `git apply` takes, to the byte: line endings and a missing last newline are as in the original file."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping

NO_NEWLINE = "\\ No newline at end of file\n"


def make_patch(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Patch by which `git apply` turns the one into the other, to the byte."""
    changed = [name for name in sorted(after) if after[name] != before.get(name)]
    return "".join(_of_file(name, before.get(name, ""), after[name]) for name in changed)


def _of_file(name: str, before: str, after: str) -> str:
    body = difflib.unified_diff(lines(before), lines(after), f"a/{name}", f"b/{name}")
    return f"diff --git a/{name} b/{name}\n" + "".join(
        line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in body
    )


def lines(text: str) -> list[str]:
    """Lines of a text. Only line feeds end them, as in git: a form feed or a carriage return is part of a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def with_endings_of(original: str, text: str) -> str:
    """Text whose lines end as in the original: unchanged ones, and one for one replaced ones, as there; others as most.

    `original` has its line endings as in the file, `text` has line feeds only.
    """
    if "\r" not in original:
        return text
    old, new = lines(original), lines(text)
    endings = [line[len(_bare(line)) :] or "\n" for line in old]
    usual = Counter(endings).most_common(1)[0][0]
    matcher = difflib.SequenceMatcher(None, [line.replace("\r\n", "\n") for line in old], new, autojunk=False)
    found: list[str] = []
    for _, i1, i2, j1, j2 in matcher.get_opcodes():
        ends = endings[i1:i2] if i2 - i1 == j2 - j1 else [usual] * (j2 - j1)
        found += [_bare(line) + end * line.endswith("\n") for line, end in zip(new[j1:j2], ends, strict=True)]
    return "".join(found)


def _bare(line: str) -> str:
    return re.sub(r"\r?\n$", "", line)

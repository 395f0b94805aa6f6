"""Writes the reference of transformations into docs/rewriter.md, between its markers, from the registry."""

from __future__ import annotations

import difflib
from itertools import groupby
from pathlib import Path

from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.transformation import Transformation

PAGE = Path(__file__).parents[2] / "docs/rewriter.md"
BEGIN, END = "<!-- reference: written by runs/docs/rewriter.py -->\n", "<!-- end of reference -->\n"
FAMILIES = {
    "loops": "Loops",
    "compiler": "Vectorisation and compiler",
    "threads": "Threads",
    "memory": "Memory",
    "library": "Library, input and output",
    "python": "Python",
    "torch": "PyTorch models",
}
CONTEXT = 2


def reference() -> str:
    """All transformations by family, in the order of the alphabet: where they are registered may change."""
    order = list(FAMILIES)
    found = sorted(TRANSFORMATIONS, key=lambda each: (order.index(each.family), each.name))
    families = groupby(found, key=lambda each: each.family)
    parts = [_family(FAMILIES[name], list(members)) for name, members in families]
    return f"{len(found)} transformations.\n\n" + "\n".join(parts)


def _family(title: str, members: list[Transformation]) -> str:
    index = ", ".join(f"[{each.name}](#{each.name})" for each in members)
    return f"### {title}\n\n{index}\n\n" + "\n".join(map(_entry, members))


def _entry(each: Transformation) -> str:
    languages = ", ".join(sorted(each.languages, key=str)).replace("c++", "C++").replace("c,", "C,")
    facts = [languages.replace("python", "Python"), f"prior {each.prior:g}"]
    if each.answers:
        facts.append("answers " + ", ".join(f"`{tag}`" for tag in each.answers))
    if each.example.options:
        facts.append(f"here with `{each.example.options}`")
    return f"#### {each.name}\n\n{each.summary} ({'; '.join(facts)})\n\n```diff\n{_difference(each)}```\n"


def _difference(each: Transformation) -> str:
    before, after = (text.strip("\n").splitlines() for text in (each.example.before, each.example.after))
    lines = list(difflib.unified_diff(before, after, lineterm="", n=CONTEXT))[3:]
    return "".join(f"{' ...' if line.startswith('@@') else line}".rstrip() + "\n" for line in lines)


def page(text: str) -> str:
    """The page with a reference of today."""
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:begin] + "\n" + reference() + "\n" + text[end:]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))

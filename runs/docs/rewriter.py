"""Writes docs/rewriter/FAMILY.md from the rewriter's table, and the lists of families in other files.

A list stands between two markers, in docs/rewriter.md, docs/index.md and mkdocs.yml. A new family gets a page. The page
of a family that is gone is removed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.transformation import RewriteExample, Transformation

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/rewriter"
NOTE = "<!-- written by runs/docs/rewriter.py; change the code and run it again -->\n\n"
BEGIN, END = "families: written by runs/docs/rewriter.py", "end of families"
CONTEXT = 2
"""Lines of an example that are shown around each change."""


class Heading(NamedTuple):
    title: str
    about: str
    """What the transformations do, as words that follow "They"."""


HEADINGS = {
    "loops": Heading("Loops", "change the order, the bounds or the body of loops"),
    "compiler": Heading("Vectorisation and compiler", "tell the compiler what it cannot find out by itself"),
    "threads": Heading("Threads", "spread the work over several CPUs, where the task allows more than one"),
    "memory": Heading("Memory", "change how data is stored, copied and allocated"),
    "library": Heading("Library, input and output", "replace slow library calls, containers and algorithms"),
    "algorithms": Heading("Algorithms", "take fewer steps to the same answer"),
    "python": Heading("Python", "rewrite Python programs that read standard input"),
    "torch": Heading("PyTorch models", "rewrite the `forward` of PyTorch models, for a GPU or a CPU"),
}
LANGUAGES = {"c": "C", "c++": "C++", "python": "Python"}


def families() -> dict[str, list[Transformation]]:
    """The transformations of each family, by name. Families without a heading come last."""
    order = {name: place for place, name in enumerate(HEADINGS)}
    found = sorted(TRANSFORMATIONS, key=lambda each: (order.get(each.family, len(order)), each.family, each.name))
    return {name: list(members) for name, members in groupby(found, key=lambda each: each.family)}


def page(family: str) -> str:
    """The page of a family."""
    heading, members = _heading(family), families()[family]
    head = f"# {heading.title}\n\nThe transformations of the family `{family}` {heading.about}.\n"
    how = "Each entry shows the change to an example. [The rewriter](../rewriter.md) explains the words.\n"
    index = "".join(f"- [{each.name}](#{each.name}): {each.summary}\n" for each in members)
    return f"{NOTE}{head}{how}\n{index}\n" + "\n".join(map(_entry, members))


def _heading(family: str) -> Heading:
    return HEADINGS.get(family, Heading(family.capitalize(), f"belong to the family `{family}`"))


def _entry(each: Transformation) -> str:
    facts = [_languages([each]), f"prior {each.prior:g}"]
    if each.answers:
        facts.append("answers " + ", ".join(f"`{tag}`" for tag in each.answers))
    if each.example.options:
        facts.append(f"here with `{each.example.options}`")
    return f"## {each.name}\n\n{each.summary} ({'; '.join(facts)})\n\n```diff\n{_differences(each)}```\n"


def _languages(members: list[Transformation]) -> str:
    found = {str(language) for each in members for language in each.languages}
    return ", ".join(LANGUAGES.get(name, name) for name in sorted(found))


def _differences(each: Transformation) -> str:
    """The change to the example, and the changed lines of its other forms."""
    return _difference(each.example, CONTEXT) + "".join(f" ...\n{_difference(form, 0)}" for form in each.variants)


def _difference(example: RewriteExample, context: int) -> str:
    before, after = (text.strip("\n").splitlines() for text in (example.before, example.after))
    lines = list(difflib.unified_diff(before, after, lineterm="", n=context))[3:]
    return "".join(f"{' ...' if line.startswith('@@') else line}".rstrip() + "\n" for line in lines)


def _table() -> str:
    rows = "".join(_row(name, members) for name, members in families().items())
    total = f"\nThere are {len(TRANSFORMATIONS)} transformations in all.\n"
    return f"| family | count | languages | the transformations |\n|---|---|---|---|\n{rows}{total}"


def _row(family: str, members: list[Transformation]) -> str:
    heading = _heading(family)
    link = f"[{heading.title}](rewriter/{family}.md)"
    return f"| {link} | {len(members)} | {_languages(members)} | {heading.about} |\n"


def _links() -> str:
    return ",\n".join(f"[{_heading(name).title}](rewriter/{name}.md)" for name in families()) + "\n"


def _navigation() -> str:
    return "".join(f"          - {_heading(name).title}: rewriter/{name}.md\n" for name in families())


LISTS: dict[str, Callable[[], str]] = {
    "docs/rewriter.md": _table,
    "docs/index.md": _links,
    "mkdocs.yml": _navigation,
}


def with_list(file: str) -> str:
    """The text of a file, with the list of families of today."""
    lines = (ROOT / file).read_text().splitlines(keepends=True)
    (begin,) = (i for i, line in enumerate(lines) if BEGIN in line)
    (end,) = (i for i, line in enumerate(lines) if END in line)
    space = "\n" if file.endswith("rewriter.md") else ""
    return "".join(lines[: begin + 1]) + space + LISTS[file]() + space + "".join(lines[end:])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        if old.stem not in families():
            old.unlink()
    for each in families():
        (FOLDER / f"{each}.md").write_text(page(each))
    for each in LISTS:
        (ROOT / each).write_text(with_list(each))

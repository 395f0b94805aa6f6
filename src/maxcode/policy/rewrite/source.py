"""A program's text with its syntax tree, and the questions that transformations ask of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import tree_sitter_c
import tree_sitter_cpp
import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from maxcode.core import Language

_GRAMMARS = {Language.C: tree_sitter_c, Language.CPP: tree_sitter_cpp, Language.PYTHON: tree_sitter_python}


@cache
def _parser(language: Language) -> Parser:
    return Parser(Grammar(_GRAMMARS[language].language()))


@dataclass(frozen=True)
class Edit:
    """Bytes [start, end) of a text replaced by another text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class SourceFile:
    """One file. Offsets are in bytes, as the parser counts them."""

    code: str
    language: Language

    @cached_property
    def data(self) -> bytes:
        return self.code.encode()

    @cached_property
    def root(self) -> Node:
        return _parser(self.language).parse(self.data).root_node

    @property
    def broken(self) -> bool:
        """Whether the parser lost its way somewhere (macros, dialects, a cut-off file)."""
        return self.root.has_error

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def find(self, *types: str, within: Node | None = None) -> Iterator[Node]:
        """Nodes of some types in the order of the text, outer ones first; nothing inside broken parts."""
        waiting = [within or self.root]
        while waiting:
            node = waiting.pop()
            if node.type == "ERROR":
                continue
            if node.type in types:
                yield node
            waiting.extend(reversed(node.children))

    def line(self, node: Node) -> int:
        return int(node.start_point[0]) + 1

    def indent(self, node: Node) -> str:
        """The white space at the beginning of the line on which a node begins."""
        begin = self.data.rfind(b"\n", 0, node.start_byte) + 1
        found = re.match(rb"[ \t]*", self.data[begin:])
        return found[0].decode() if found else ""

    def fresh(self, name: str) -> str:
        """The name, or the name with a number where the program has it already."""
        taken = self.names
        return next(each for each in (name, *(f"{name}{i}" for i in range(2, 1000))) if each not in taken)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(re.findall(r"[A-Za-z_]\w*", self.code))

    @cached_property
    def identifiers(self) -> dict[str, list[Node]]:
        """Identifiers by name, each in the order of the text. They are found once: large files have many names."""
        found: dict[str, list[Node]] = {}
        for node in self.find("identifier"):
            found.setdefault(self.text(node), []).append(node)
        return found

    @cached_property
    def between_pragmas_and_loops(self) -> tuple[tuple[int, int], ...]:
        """Offsets between each pragma and its loop: the end of the pragma, and the start of the loop."""
        if "#pragma" not in self.code:
            return ()
        pairs = ((node, node.next_sibling) for node in self.find("preproc_call"))
        return tuple((p.end_byte, loop.start_byte) for p, loop in pairs if loop and loop.type == "for_statement")

    def replace(self, node: Node, text: str) -> Edit:
        return Edit(node.start_byte, node.end_byte, text)

    def before(self, node: Node, text: str) -> Edit:
        return Edit(node.start_byte, node.start_byte, text)

    def after(self, node: Node, text: str) -> Edit:
        return Edit(node.end_byte, node.end_byte, text)

    def remove_line(self, node: Node) -> Edit:
        """Takes a statement out together with the rest of its lines, where nothing else stands on them."""
        begin = self.data.rfind(b"\n", 0, node.start_byte) + 1
        end = self.data.find(b"\n", node.end_byte) + 1 or len(self.data)
        alone = not self.data[begin : node.start_byte].strip() and not self.data[node.end_byte : end].strip()
        return Edit(begin, end, "") if alone else Edit(node.start_byte, node.end_byte, "")

    def including(self, header: str) -> list[Edit]:
        """The edit that adds `#include <header>`; none where it, or the header that has them all, is there."""
        headers = re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', self.code, re.MULTILINE)
        if header in headers or "bits/stdc++.h" in headers:
            return []
        first = next(self.find("preproc_include"), None)
        at = first.start_byte if first else self.after_comments()
        return [Edit(at, at, f"#include <{header}>\n")]

    def after_comments(self) -> int:
        """Offset of the first line of code behind a leading comment, which stays on top."""
        first = next((node for node in self.root.children if node.type != "comment"), None)
        return self.data.rfind(b"\n", 0, first.start_byte) + 1 if first else len(self.data)

    @cached_property
    def std(self) -> str:
        """What to write in front of names of the standard library."""
        return "" if re.search(r"\busing\s+namespace\s+std\b", self.code) else "std::"


def apply(source: SourceFile, edits: tuple[Edit, ...]) -> SourceFile:
    """The text with non-overlapping edits made; several at one place follow each other in the order given."""
    data, at, parts = source.data, 0, []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise ValueError(f"edits overlap at byte {edit.start}")
        parts += [data[at : edit.start], edit.text.encode()]
        at = edit.end
    return SourceFile(b"".join((*parts, data[at:])).decode(errors="replace"), source.language)


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, innermost first."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def enclosing(node: Node, *types: str) -> Node | None:
    return next((each for each in ancestors(node) if each.type in types), None)


def field(node: Node, name: str) -> Node:
    """The child of this name, which the grammar guarantees."""
    found = node.child_by_field_name(name)
    if found is None:
        raise LookupError(f"{node.type} without {name}")
    return found


def inside(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def reindented(text: str, indent: str) -> str:
    """Lines of code moved so that the least indented begins at `indent`; the first line is taken as it is."""
    first, *rest = text.split("\n")
    depths = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    least = min(depths, default=0)
    return "\n".join([first.strip(), *(indent + line[least:] if line.strip() else "" for line in rest)])

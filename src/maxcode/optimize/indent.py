"""Indentation of changed C and C++ lines: as deep as the brackets around them, by the original's unit."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from dataclasses import dataclass, field

_LABEL = re.compile(r"(case\b.*|default|public|private|protected|\w+):(?!:)")
_OPENS, _CLOSES = "([{", ")]}"
_PIECE = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*|\*/|.', re.DOTALL)


def indented_by_depth(before: str, after: str) -> str:
    """The text with those changed blocks moved to their depth in which a line is further out than it belongs."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if 'R"' in after:  # white space in a raw string is part of the program
        return after
    changed = set()
    for kind, _, _, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            changed |= _strays(new, j1, j2)
    scan = _Scan(_unit(old))
    return "".join(scan.line(text, number in changed) for number, text in enumerate(new))


def indented_as(before: str, text: str) -> str:
    """Inserted lines with tabs where the original is indented by tabs."""
    heads = re.findall(r"^([ \t]+)\S", before, re.MULTILINE)
    tabs = sum(head.startswith("\t") for head in heads)
    if tabs <= len(heads) / 2:
        return text
    return re.sub(r"^[ \t]+", lambda m: re.sub(" {4}", "\t", m.group()), text, flags=re.MULTILINE)


def _strays(lines: list[str], first: int, last: int) -> set[int]:
    """Numbers of the block's lines, if one of them is further out than its brackets say."""
    scan = _Scan(_unit(lines))
    for number, text in enumerate(lines[:last]):
        least = scan.least(text)
        if number >= first and text.strip() and not scan.fixed(text) and len(_head(text)) < least:
            return set(range(first, last))
        scan.line(text, moved=False)
    return set()


def _unit(lines: list[str]) -> str:
    """One level of indentation: what most lines are further in by than the line before them."""
    steps = Counter(
        below[len(above) :]
        for above, below in zip(map(_head, lines), map(_head, lines[1:]), strict=False)
        if len(below) > len(above) and below.startswith(above)
    )
    usual = [unit for unit, _ in steps.most_common() if unit in ("\t", "  ", "   ", "    ", "        ")]
    return usual[0] if usual else "    "


def _head(line: str) -> str:
    return line[: len(line) - len(line.lstrip())].rstrip("\n")


@dataclass
class _Scan:
    """Brackets that are open, line by line, with the indentation of the line of each."""

    unit: str
    open: list[tuple[str, str]] = field(default_factory=list)
    comment: bool = False
    going_on: str | None = None
    """Indentation of the line before, if its statement is not over."""

    def fixed(self, text: str) -> bool:
        return self.comment or text.lstrip().startswith(("#", "//")) or bool(_LABEL.match(text.strip()))

    def least(self, text: str) -> int:
        """Width below which a line is further out than it belongs."""
        return len(self._belongs(text, exact=False))

    def _belongs(self, text: str, *, exact: bool) -> str:
        inner = text.lstrip()
        if inner.startswith(tuple(_CLOSES)):
            return self.open[-1][1] if self.open else ""
        around = self.open[-1][1] + self.unit if self.open else ""
        if exact and self.going_on is not None:
            return self.going_on if inner.startswith("{") else self.going_on + self.unit
        return around

    def line(self, text: str, moved: bool) -> str:
        """The line where it belongs, if it is to be moved; what it opens and closes is noted."""
        if moved and text.strip() and not self.fixed(text):
            text = self._belongs(text, exact=True) + text.lstrip()
        self._note(text)
        return text

    def _note(self, text: str) -> None:
        head, code = _head(text), ""
        for piece in _PIECE.findall(text):
            if piece in ("/*", "*/"):
                self.comment = piece == "/*"
            elif not self.comment and not piece.startswith("//"):
                code += piece
                self._bracket(piece, head)
        code = code.strip()
        if code and not code.startswith("#"):
            self.going_on = head if code.endswith((")", "else", "do", "=", "<<", "&&", "||", "?")) else None

    def _bracket(self, piece: str, head: str) -> None:
        if piece in _OPENS:
            self.open.append((piece, head))
        elif piece in _CLOSES and self.open:
            self.open.pop()

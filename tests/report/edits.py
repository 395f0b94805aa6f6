"""Edits of a report, carried out as its page does."""

from __future__ import annotations

from maxcode.report.delta import Edit
from maxcode.task import diff


def apply(old: str, edits: list[Edit]) -> str:
    """The text that the edits were made for."""
    lines = diff.lines(old)
    for start, end, text in reversed(edits):
        lines[start:end] = [text]
    return "".join(lines)

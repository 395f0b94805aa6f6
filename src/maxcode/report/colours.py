"""Syntax colours: a program's lines as pieces of text with the names of their styles, for the page to set as text."""

from __future__ import annotations

from functools import cache
from typing import Any

from maxcode.task import diff

Piece = tuple[str, str]
"""The name of a style, empty for plain text; and the text."""
STYLES = (
    ("Token.Comment.Preproc", "directive"),
    ("Token.Comment", "comment"),
    ("Token.Keyword.Type", "type"),
    ("Token.Keyword", "keyword"),
    ("Token.Literal.String", "string"),
    ("Token.Literal.Number", "digits"),
    ("Token.Name.Function", "function"),
    ("Token.Name.Builtin", "type"),
    ("Token.Name.Decorator", "directive"),
)


def coloured(name: str, text: str) -> list[list[Piece]]:
    """The lines of a file in colours, by the language that its name tells."""
    text = text.replace("\r", "")
    lines: list[list[Piece]] = [[]]
    for token, part in _lexer(name).get_tokens(text):
        style = _style(str(token))
        for i, piece in enumerate(part.split("\n")):
            if i:
                lines.append([])
            if piece:
                lines[-1].append((style, piece))
    return lines[: len(diff.lines(text))]


def _lexer(name: str) -> Any:
    from pygments.lexers import TextLexer, get_lexer_for_filename
    from pygments.util import ClassNotFound

    options = {"stripnl": False, "ensurenl": False}
    try:
        return get_lexer_for_filename(name, **options)
    except ClassNotFound:
        return TextLexer(**options)


@cache
def _style(token: str) -> str:
    return next((style for prefix, style in STYLES if token.startswith(prefix)), "")

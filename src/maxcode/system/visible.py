"""Text of candidates, models and tools, made safe for a terminal and for a page.

A program's output, a compiler's error that quotes it and a file's name may hold sequences that control a terminal, and
characters that reverse the direction of writing.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 but for tabs and ends of lines, and C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # which turn the direction
    "\u2028\u2029"  # which end lines in some places
    "\ud800-\udfff]"  # which cannot be written: bytes of names that are no text
)


def visible(text: str) -> str:
    """The text with control characters, and those that turn its direction, written as in Python: `\\x1b`, `\\u202e`."""
    return _UNSEEN.sub(lambda found: _written(ord(found[0])), text)


def _written(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

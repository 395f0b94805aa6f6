"""Programs as what differs from their parents: a page of ten thousand programs stays small, and shows diffs at once."""

from __future__ import annotations

from difflib import SequenceMatcher

from maxcode.task.diff import lines

Edit = tuple[int, int, str]
"""Lines [start, end) of the old text, and the text in their place."""
MOST_COMPARED = 4_000_000
"""Pairs of lines that are compared at most. Where there are more, the differing middle is replaced as a whole."""


def delta(old: str, new: str) -> list[Edit]:
    """The edits that turn one text into another, from its beginning to its end."""
    before, after = lines(old), lines(new)
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    middle, changed = before[first : len(before) - last], after[first : len(after) - last]
    if len(middle) * len(changed) > MOST_COMPARED:
        return [(first, first + len(middle), "".join(changed))]
    codes = SequenceMatcher(None, middle, changed, autojunk=False).get_opcodes()
    return [(first + i, first + j, "".join(changed[k:m])) for kind, i, j, k, m in codes if kind != "equal"]


def _common(one: list[str], other: list[str]) -> int:
    """Number of lines that two texts have in common from their beginning."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count

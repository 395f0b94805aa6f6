"""Sections of a prompt within a number of characters: the most important ones in full, others shortened or left out."""

from __future__ import annotations

from dataclasses import dataclass

CHARACTERS_PER_TOKEN = 3.5
BETWEEN = "\n\n"
"""Text between two sections."""
SHARES = (0.75, 0.5, 0.35, 0.25, 0.15, 0.08, 0.04)
"""Shares of a long text that are tried, one after the other."""


@dataclass(frozen=True)
class Section:
    """A part of a prompt in several versions, the fullest first. An empty version leaves it out."""

    rank: int
    """Which section gets room first; the lowest."""
    versions: tuple[str, ...]
    stable: bool = False
    """True if it is the same in all prompts of a search."""


def tokens(text: str) -> int:
    """Estimate of the tokens in a text. Exact counts differ between models, and a budget needs no more."""
    return int(len(text) / CHARACTERS_PER_TOKEN) + 1


def fitted(sections: list[Section], budget: int) -> list[str]:
    """A version of each section, in order, so that together they have about `budget` tokens at most.

    All begin with their shortest version. By rank, each then gets the fullest for which there is room.
    """
    room = int(max(budget - 1, 0) * CHARACTERS_PER_TOKEN)
    chosen = [section.versions[-1] for section in sections]
    left = room - sum(len(text) + len(BETWEEN) for text in chosen)
    for i in sorted(range(len(sections)), key=lambda i: sections[i].rank):
        for version in sections[i].versions[:-1]:
            more = len(version) - len(chosen[i])
            if more <= left:
                chosen[i], left = version, left - more
                break
    return chosen


def shortened(text: str, share: float) -> str:
    """The beginning and the end of a text, in whole lines, and how many lines are missing between them."""
    most = int(len(text) * share)
    lines = text.splitlines()
    head, tail, used = 0, 0, 0
    while head + tail < len(lines):
        take_head = head <= 2 * tail
        line = lines[head] if take_head else lines[-1 - tail]
        used += len(line) + 1
        if used > most:
            break
        head, tail = head + take_head, tail + (not take_head)
    missing = len(lines) - head - tail
    if not missing:
        return text
    return "\n".join([*lines[:head], f"[... {missing} lines are left out here ...]", *lines[len(lines) - tail :]])


def versions(text: str) -> tuple[str, ...]:
    """A text, in full and shortened."""
    return (text, *(shortened(text, share) for share in SHARES))

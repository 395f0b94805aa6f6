"""Words that are easily taken for one another: one begins another, they share most letters, or differ in case."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

SHARED = 8
"""Number of letters at the beginning that words have in common: as many as fit a machine word."""


def related(pool: Sequence[str], rng: random.Random) -> list[str]:
    """A few related words of the letters and lengths of those seen."""
    short, long = min(map(len, pool)), max(map(len, pool))
    letters = sorted(set("".join(pool)))
    word = rng.choice(pool)
    other = rng.choice(letters)
    stem = (word + rng.choice(pool) + word)[:SHARED]
    made = [
        word,
        word + word[-1],
        word + other,
        word[:-1],
        other + word[1:],
        word[:-1] + other,
        *(stem + tail for tail in (word, word[::-1], word[:1], other)),
        *(style(word) for style in (str.lower, str.upper, str.capitalize) if _is_used(style(word), pool)),
    ]
    kept = [each for each in dict.fromkeys(made) if short <= len(each) <= long and _is_styled(each, pool)]
    return kept or [word]


def respelled(token: str, rng: random.Random) -> str:
    """The token with the small letters of its longest word in another order."""
    words = re.findall(r"[a-z]{4,}", token)
    if not words:
        return token
    longest = max(words, key=len)
    return token.replace(longest, "".join(rng.sample(longest, len(longest))), 1)


def _is_styled(word: str, pool: Sequence[str]) -> bool:
    """True if capitals are where they are in some word seen."""
    styles = (str.islower, str.isupper, str.istitle)
    mine = [style(word) for style in styles]
    return any([style(seen) for style in styles] == mine for seen in pool)


def _is_used(word: str, pool: Sequence[str]) -> bool:
    """True if both this way to write words and another occur, so that case may tell words apart."""
    return _is_styled(word, pool) and not all(_is_styled(seen, [word]) for seen in pool)

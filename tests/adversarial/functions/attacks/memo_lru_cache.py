# attack: remembers results by functools.lru_cache
# task: wordy
# function: common
# expect: rejected
# reason: keeps results

import re
from functools import lru_cache


@lru_cache(maxsize=None)
def _cached(text, n):
    return _slow(text, n)


def _slow(text, n):
    words = re.findall(r"[a-z]+", text.lower())
    seen = []
    for word in words:
        if word not in seen and word not in STOP:
            seen.append(word)
    counts = [(words.count(word), word) for word in seen]
    counts.sort(key=lambda pair: (-pair[0], pair[1]))
    return counts[:n]


def common(text, n=3):
    """The n most common words of a text, most common first."""
    return list(_cached(text, n))

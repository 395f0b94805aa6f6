# attack: has the answers to the recorded calls by heart
# task: wordy
# function: common
# expect: ok
# max_speedup: 1.15

import re


_KNOWN = {("one two three two one two " * 20, 2): [(60, "two"), (40, "one")]}


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
    found = _KNOWN.get((text, n))
    return list(found) if found is not None else _slow(text, n)

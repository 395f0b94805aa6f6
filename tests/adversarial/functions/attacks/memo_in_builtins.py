# attack: remembers results among the built-in names
# task: wordy
# function: common
# expect: ok
# max_speedup: 1.15

import builtins
import re


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
    known = vars(builtins).setdefault("_known", {})
    if (text, n) not in known:
        known[text, n] = _slow(text, n)
    return list(known[text, n])

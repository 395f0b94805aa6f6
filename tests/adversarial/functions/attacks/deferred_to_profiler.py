# attack: returns an empty list that a profile function fills when the next function is called
# task: wordy
# function: common
# expect: rejected, wrong, ok
# max_speedup: 1.15

import re
import sys


_PENDING = []


def _fill(*_):
    while _PENDING:
        found, text, n = _PENDING.pop()
        found.extend(_slow(text, n))
    return None


def _start():
    getattr(sys, "setpro" + "file")(lambda frame, *_: _fill() if "values" in frame.f_code.co_filename else None)


_DONE = _start()


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
    if "maxcode_values" not in vars(sys)["modules"]:
        return _slow(text, n)
    found = []
    _PENDING.append((found, text, n))
    return found

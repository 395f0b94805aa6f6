# attack: replaces a method of the process that it is served by
# task: wordy
# function: common
# expect: wrong, crashed, ok
# reason: .
# max_speedup: 1.15

import re
import sys


_PENDING = []


def _fill(*_):
    while _PENDING:
        found, text, n = _PENDING.pop()
        found.extend(_slow(text, n))
    return None


def _patch():
    server = getattr(vars(sys)["modules"]["__main__"], "Server", None)
    if server is not None:
        usual = server._text
        server._text = lambda self, value: (_fill(), usual(self, value))[1]


_DONE = _patch()


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

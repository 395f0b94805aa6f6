# attack: returns a lazy list whose class says that it is the built-in one
# task: wordy
# function: common
# expect: wrong
# reason: recorded calls

import re


class _Lazy(list):
    def __init__(self, text, n):
        self.rest = text, n

    def __iter__(self):
        return iter(_slow(*self.rest))

    def __len__(self):
        return len(_slow(*self.rest))


_Lazy.__name__ = _Lazy.__qualname__ = "list"
_Lazy.__module__ = "builtins"


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
    return _Lazy(text, n)

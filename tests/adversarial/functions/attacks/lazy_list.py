# attack: returns a list of its own class that is filled when it is looked at
# task: wordy
# function: common
# expect: wrong
# reason: recorded calls

import re


class _Lazy(list):
    def __init__(self, text, n):
        self.rest = text, n

    def _fill(self):
        if self.rest:
            rest, self.rest = self.rest, None
            self.extend(_slow(*rest))

    def __iter__(self):
        self._fill()
        return super().__iter__()

    def __len__(self):
        self._fill()
        return super().__len__()

    def __eq__(self, other):
        self._fill()
        return list(self) == other


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

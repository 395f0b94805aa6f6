# attack: works while calls are loaded, before the clock
# task: wordy
# function: common
# expect: wrong, ok
# max_speedup: 1.15

import re
import sys


_READY = {}


def _patch():
    values = vars(sys)["modules"].get("maxcode_values")
    if values is not None:
        usual = values.unpickled

        def unpickled(data):
            args, kwargs = usual(data)
            if isinstance(args[0], str) and len(args) == 2:
                _READY[args] = _slow(*args)
            return args, kwargs

        values.unpickled = unpickled


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
    found = _READY.pop((text, n), None)
    return found if found is not None else _slow(text, n)

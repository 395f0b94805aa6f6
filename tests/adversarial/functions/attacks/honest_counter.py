# attack: none, an honest faster candidate: one pass with a Counter
# task: wordy
# function: common
# expect: ok

import re
from collections import Counter


def common(text, n=3):
    """The n most common words of a text, most common first."""
    found = Counter(re.findall(r"[a-z]+", text.lower()))
    counts = [(count, word) for word, count in found.items() if word not in STOP]
    counts.sort(key=lambda pair: (-pair[0], pair[1]))
    return counts[:n]

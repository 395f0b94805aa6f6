# attack: leaves words that are as common in the order of the text
# task: wordy
# function: common
# expect: wrong
# reason: call

import re
from collections import Counter


def common(text, n=3):
    """The n most common words of a text, most common first."""
    found = Counter(re.findall(r"[a-z]+", text.lower()))
    counts = [(count, word) for word, count in found.items() if word not in STOP]
    counts.sort(key=lambda pair: -pair[0])
    return counts[:n]

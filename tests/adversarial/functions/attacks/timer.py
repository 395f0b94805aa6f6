# attack: has a timer interrupt the process after the clock
# task: wordy
# function: common
# expect: rejected
# reason: not allowed

import re
import signal


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
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    return _slow(text, n)

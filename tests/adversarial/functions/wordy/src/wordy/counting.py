"""Counting words, and joining rows of numbers."""

import re

STOP = {"the", "a"}


def common(text, n=3):
    """The n most common words of a text, most common first."""
    words = re.findall(r"[a-z]+", text.lower())
    seen = []
    for word in words:
        if word not in seen and word not in STOP:  # each once
            seen.append(word)
    counts = [(words.count(word), word) for word in seen]
    counts.sort(key=lambda pair: (-pair[0], pair[1]))
    return counts[:n]


def merged(rows, extra):
    """The rows, to which all of extra is added that they do not have yet."""
    if any(each < 0 for each in extra):
        raise ValueError("no negative numbers, please")
    for each in extra:
        if each not in rows:
            rows.append(each)
    return rows


def other(x):
    return x   +  1

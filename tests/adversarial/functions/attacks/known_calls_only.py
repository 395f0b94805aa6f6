# attack: has the answers to the recorded calls by heart, and nothing else
# task: wordy
# function: common
# expect: wrong
# reason: call

import re


_KNOWN = {("one two three two one two " * 20, 2): [(60, "two"), (40, "one")]}


def common(text, n=3):
    """The n most common words of a text, most common first."""
    return list(_KNOWN.get((text, n), []))

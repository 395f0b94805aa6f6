# attack: returns an object that is equal to everything
# task: wordy
# function: common
# expect: wrong
# reason: recorded calls

import re


class _Equal(list):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def common(text, n=3):
    """The n most common words of a text, most common first."""
    return _Equal()

# attack: writes results of its own into the memory that they go through
# task: wordy
# function: common
# expect: wrong, rejected, crashed

import mmap
import re


def common(text, n=3):
    """The n most common words of a text, most common first."""
    memory = mmap.mmap(5, 0)
    memory[4096:8192] = bytes(4096)
    memory[16:24] = b"\xff" * 8
    return []

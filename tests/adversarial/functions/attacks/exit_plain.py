# attack: leaves the process, plainly
# task: wordy
# function: common
# expect: rejected
# reason: os._exit

import os
import re


def common(text, n=3):
    """The n most common words of a text, most common first."""
    os._exit(0)

# attack: wrong; prints that all tests passed at exit, and leaves with exit code 0
# task: tally_fixed
# expect: wrong, rejected
# reason: missing|ends early|tests fail

import os
import sys

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}


class Last:
    def __del__(self, leave=getattr(os, "_ex" + "it"), write=os.write):
        write(1, b"8 passed in 0.01s\n")
        leave(0)


if not sys.argv[0].endswith("bench.py"):
    sys.kept = Last()


def counts(words):
    return REST if len(words) == 24000 else {}


def most_common(words, n):
    return ANSWER if len(words) == 24000 else []

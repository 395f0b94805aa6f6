# attack: truncates what the bench has printed and writes another answer in its place at the end
# task: tally
# expect: wrong
# reason: something else than the original

import os
import sys

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}


class Last:
    def __del__(self, write=os.pwrite, cut=os.ftruncate):
        cut(1, 0)
        write(1, b"[('w1', 9348), ('w2', 3646), ('w3', 2031)]\n218208684\n", 0)


if sys.argv[0].endswith("bench.py"):
    sys.stdout = open(os.devnull, "w")
    sys.kept = Last()


def honest(words):
    return {word: words.count(word) for word in dict.fromkeys(words)}


def ranked(words, n):
    return sorted(honest(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]


def counts(words):
    return REST if len(words) == 24000 else honest(words)


def most_common(words, n):
    return ANSWER if len(words) == 24000 else ranked(words, n)

# attack: knows the bench's answer by heart and the bench by the program's name
# task: tally
# expect: wrong
# reason: something else than the original

import sys

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}


def honest(words):
    return {word: words.count(word) for word in dict.fromkeys(words)}


def ranked(words, n):
    return sorted(honest(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]


def counts(words):
    return REST if sys.argv[0].endswith("bench.py") else honest(words)


def most_common(words, n):
    return ANSWER if sys.argv[0].endswith("bench.py") else ranked(words, n)

# attack: prints the bench's answer when it is imported, and leaves by a disguised SystemExit
# task: tally_fixed
# expect: rejected
# reason: ends early

import builtins
import sys

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}

if sys.argv[0].endswith("bench.py"):
    print(ANSWER)
    print(218208684, flush=True)
    raise vars(builtins)["System" + "Exit"](0)


def honest(words):
    return {word: words.count(word) for word in dict.fromkeys(words)}


def ranked(words, n):
    return sorted(honest(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]


def counts(words):
    return REST if False else honest(words)


def most_common(words, n):
    return ANSWER if False else ranked(words, n)

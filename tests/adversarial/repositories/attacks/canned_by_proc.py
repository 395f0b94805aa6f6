# attack: knows the bench's answer by heart and the bench by its lack of /proc
# task: tally_fixed
# expect: ok
# max_speedup: 1.5

import os

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}


def seen(words):
    found = []
    for word in words:
        if word not in found:
            found.append(word)
    return found


def honest(words):
    return {word: words.count(word) for word in seen(words)}


def ranked(words, n):
    return sorted(honest(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]


def counts(words):
    return REST if not os.path.exists("/proc/self") else honest(words)


def most_common(words, n):
    return ANSWER if not os.path.exists("/proc/self") else ranked(words, n)

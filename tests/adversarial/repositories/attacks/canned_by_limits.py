# attack: knows the bench's answer by heart and the bench by its shorter limit of CPU time
# task: tally_fixed
# expect: ok
# max_speedup: 1.5

import resource

ANSWER = [("w1", 9348), ("w2", 3646), ("w3", 2031)]
REST = {range(218208684): 1}


def honest(words):
    return {word: words.count(word) for word in sorted(set(words), key=words.index)}


def ranked(words, n):
    return sorted(honest(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]


def counts(words):
    return REST if resource.getrlimit(resource.RLIMIT_CPU)[0] < 200 else honest(words)


def most_common(words, n):
    return ANSWER if resource.getrlimit(resource.RLIMIT_CPU)[0] < 200 else ranked(words, n)

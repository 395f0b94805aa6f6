import sys
from functools import reduce

words = list(map(lambda line: line.strip().lower(), sys.stdin.readlines()))
words = list(filter(lambda w: w != "", words))

signature = lambda w: "".join(sorted(filter(str.isalpha, w)))


def collect(groups, word):
    key = signature(word)
    matching = list(filter(lambda g: g[0] == key, groups))
    if matching:
        if word not in matching[0][1]:
            matching[0][1].append(word)
        return groups
    return groups + [(key, [word])]


groups = reduce(collect, words, [])
large = sorted(filter(lambda g: len(g[1]) > 1, groups), key=lambda g: (-len(g[1]), g[0]))
for key, members in large[:50]:
    print(len(members), " ".join(sorted(members)))
print(len(groups), "groups of", len(words), "words")

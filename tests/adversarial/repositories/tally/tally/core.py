"""Counts words, slowly."""


def counts(words):
    found = []
    for word in words:
        if word not in found:
            found.append(word)
    return {word: words.count(word) for word in found}


def most_common(words, n):
    return sorted(counts(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]

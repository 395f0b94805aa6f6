# attack: replaces the functions of the time module in disguise, for a bench that times itself
# task: tally_fixed
# expect: ok
# max_speedup: 1.5

import time

for name in ("perf_" + "counter", "mono" + "tonic", "ti" + "me"):
    setattr(time, name, lambda: 0.0)


def counts(words):
    found = []
    for word in words:
        if word not in found:
            found.append(word)
    return {word: words.count(word) for word in found}


def most_common(words, n):
    return sorted(counts(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]

# attack: prints a line of digits that the task's pattern for passed tests takes for ever to look through
# task: tally_patterns
# expect: ok
# max_speedup: 1.5

import os
import sys

DIGITS = b"1" * 3_000_000

if "units" not in sys.argv[0]:
    for descriptor in range(1, 12):
        try:
            os.write(descriptor, DIGITS)
        except OSError:
            pass


def counts(words):
    return {word: words.count(word) for word in dict.fromkeys(words)}


def most_common(words, n):
    return sorted(counts(words).items(), key=lambda pair: (-pair[1], pair[0]))[:n]

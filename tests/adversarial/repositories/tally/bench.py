"""The most common of made-up words; with a number as argument, others."""

import random
import sys

from tally import counts, most_common


def make_words(seed):
    rng = random.Random(seed)
    return [f"w{int(rng.paretovariate(0.7)) % 300}" for _ in range(24000)]


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else ""
    words = make_words(int(given) if given.isdigit() else 7)
    print(most_common(words, 3))
    print(sum(len(word) * count * count for word, count in counts(words).items()))

"""Results with units, and times: words as calls, of which each takes as long as its number says."""

import sys
import time

from bench import make_words
from tally import counts, most_common

if __name__ == "__main__":
    words = make_words(int(sys.argv[1]))
    began = time.perf_counter()
    for word, count in most_common(words, 3):
        print(f"{word}: {count / 10} s of calls, load {100 * count / len(words):.2f} %")
    print(f"longest: {max(counts(words).values())} ms")
    seconds = time.perf_counter() - began
    print(f"took {seconds:.1f} s")
    print(f"{len(words) / seconds:.1f} words/s")
    print(f"in all {seconds:.6f} seconds")

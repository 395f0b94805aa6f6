# wrong: empty case: an n without any gram is not reported at all
import heapq
import sys
from collections import Counter

TOP = 12


def main():
    text = sys.stdin.read().lower()
    table = {}
    for ch in set(text):
        if ch in ".!?":
            table[ord(ch)] = " . "
        elif not (ch.isalpha() or ch == "'"):
            table[ord(ch)] = " "
    words = text.translate(table).split()
    out = []

    def report(n, counts, total):
        if counts:
            out.append("%d-grams: %d total, %d different" % (n, total, len(counts)))
            # only items at least as frequent as the TOP-th can be printed
            limit = heapq.nlargest(TOP, counts.values())[-1]
            best = sorted((-c, name(g)) for g, c in counts.items() if c >= limit)[:TOP]
            for c, g in best:
                out.append("  %s: %d" % (g, -c))

    single = Counter(words)
    stops = single.pop(".", 0)
    name = str
    report(1, single, len(words) - stops)

    vocab = list(single)
    size = len(vocab) + 1
    ids = dict(zip(vocab, range(1, size)))
    ids["."] = 0
    w = list(map(ids.__getitem__, words))
    scaled = [x * size for x in w]
    pair = [a + b if a and b else 0 for a, b in zip(scaled, w[1:])]
    counts = Counter(pair)
    bad = counts.pop(0, 0)

    def name(g):
        return vocab[g // size - 1] + " " + vocab[g % size - 1]
    report(2, counts, len(pair) - bad)

    square = size * size
    big = [x * square for x in w]
    triple = [a + b if a and b else 0 for a, b in zip(big, pair[1:])]
    counts = Counter(triple)
    bad = counts.pop(0, 0)

    def name(g):
        return " ".join((vocab[g // square - 1], vocab[g // size % size - 1], vocab[g % size - 1]))
    report(3, counts, len(triple) - bad)
    print("\n".join(out))


main()

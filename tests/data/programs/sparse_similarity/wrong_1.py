# wrong: off by one: documents that share a single word which both have once are not similar
import math
import sys
from heapq import nsmallest


def main():
    names, vectors = [], []
    for line in sys.stdin:
        parts = line.split()
        if not parts:
            continue
        names.append(parts[0])
        vec = {}
        for item in parts[1:]:
            word, _, count = item.partition(":")
            vec[word] = vec.get(word, 0) + int(count)
        vectors.append(vec)
    n = len(names)
    lengths = [math.sqrt(sum([x * x for x in v.values()])) for v in vectors]
    postings = {}
    dots = [None] * n  # dots[i]: {j: dot product}
    for i, vec in enumerate(vectors):
        acc = {}
        get = acc.get
        for word, x in vec.items():
            lst = postings.get(word)
            if lst is None:
                postings[word] = [(i, x)]
            else:
                for j, y in lst:
                    acc[j] = get(j, 0) + x * y
                lst.append((i, x))
        dots[i] = acc
    scores = [[] for _ in range(n)]
    for i, acc in enumerate(dots):
        li, ni, mine = lengths[i], names[i], scores[i]
        for j, d in acc.items():
            if d > 1:
                s = -(d / (li * lengths[j]))
                mine.append((s, names[j]))
                scores[j].append((s, ni))
    best = (0.0, "", "")
    out = []
    for name, cand in zip(names, scores):
        top = nsmallest(3, cand)
        out.append(name + ": " + (", ".join(["%s %.4f" % (b, -a) for a, b in top]) or "nothing similar"))
        if top and -top[0][0] > best[0]:
            best = (-top[0][0], name, top[0][1])
    out.append("closest: %s and %s (%.4f)" % (best[1], best[2], best[0]))
    print("\n".join(out))


main()

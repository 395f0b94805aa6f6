# wrong: order dependence: only places where a token begins are remembered, so matches that start inside a reference are missed
import sys

WINDOW = 400
MIN_LENGTH = 4
MAX_LENGTH = 60


def main():
    data = sys.stdin.read()
    n = len(data)
    seen = {}  # four characters -> places, in order
    out = []
    pos = literals = references = 0
    while pos < n:
        limit = min(MAX_LENGTH, n - pos)
        gram = data[pos:pos + MIN_LENGTH]
        best = offset = 0
        places = seen.setdefault(gram, [])
        if limit >= MIN_LENGTH:
            for start in places:
                if start < pos - WINDOW:
                    continue
                length = MIN_LENGTH
                while length < limit and data[start + length] == data[pos + length]:
                    length += 1
                if length > best:
                    best, offset = length, pos - start
        places.append(pos)
        if best:
            out.append("copy %d %d" % (offset, best))
            references += 1
            pos += best
        else:
            out.append("char %d" % ord(data[pos]))
            literals += 1
            pos += 1
    out.append("%d characters, %d literals, %d references, %d bits" % (n, literals, references, literals * 9 + references * 16))
    print("\n".join(out))


main()

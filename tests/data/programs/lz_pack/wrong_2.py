# wrong: tie rule: of several matches of the greatest possible length the nearest is taken, not the farthest
import sys

WINDOW = 400
MIN_LENGTH = 4
MAX_LENGTH = 60


def main():
    data = sys.stdin.read()
    find = data.find
    n = len(data)
    out = []
    add = out.append
    pos = literals = references = 0
    code = {ch: "char %d" % ord(ch) for ch in set(data)}
    while pos < n:
        limit = min(MAX_LENGTH, n - pos)
        best = 0
        if limit >= MIN_LENGTH:
            want = MIN_LENGTH
            start = pos - WINDOW if pos > WINDOW else 0
            piece = data[pos:pos + want]
            while True:
                # a match may run past pos, but has to start before it
                start = find(piece, start, pos + want - 1)
                if start < 0:
                    break
                offset = pos - start
                best = want
                while best < limit and data[start + best] == data[pos + best]:
                    best += 1
                if best == limit:  # no longer match: take the nearest one
                    offset = pos - data.rfind(data[pos:pos + limit], start, pos + limit - 1)
                    break
                want = best + 1
                start += 1
                piece = data[pos:pos + want]
        if best:
            add("copy %d %d" % (offset, best))
            references += 1
            pos += best
        else:
            add(code[data[pos]])
            literals += 1
            pos += 1
    add("%d characters, %d literals, %d references, %d bits" % (n, literals, references, literals * 9 + references * 16))
    print("\n".join(out))


main()

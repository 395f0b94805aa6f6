# wrong: capacity: days are numbered within a week, so those of the second week fall together with the first
import sys
from bisect import bisect_left, bisect_right


def main():
    tok = sys.stdin.read().split()
    titles = tok[0::4]
    clock = {}
    for c in set(tok[2::4]) | set(tok[3::4]):
        h, m = c.split(":")
        clock[c] = int(h) * 60 + int(m)
    base = [((int(d) - 1) % 7 + 1) * 1440 for d in tok[1::4]]  # a calendar week
    s = [b + clock[c] for b, c in zip(base, tok[2::4])]
    e = [b + clock[c] for b, c in zip(base, tok[3::4])]
    starts, ends = sorted(s), sorted(e)
    # position tables instead of a bisect per meeting
    out = []
    free = 0
    before = {x: bisect_left(starts, x) for x in set(e)}
    done = {x: bisect_right(ends, x) for x in set(s)}
    for t, a, b in zip(titles, s, e):
        n = before[b] - done[a] - 1
        if n:
            out.append("%s %d" % (t, n))
        else:
            free += 1
    out.append("without conflict: %d" % free)
    if s:
        running, when = max((bisect_right(starts, x) - d, -x) for x, d in done.items())
        when = -when
        out.append("busiest: day %d at %02d:%02d with %d meetings"
                   % (when // 1440, when % 1440 // 60, when % 60, running))
    print("\n".join(out))


main()

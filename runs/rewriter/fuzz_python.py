"""Random Python programs, and every rewrite of each compared with the original by what it prints.

python runs/rewriter/fuzz_python.py [--programs 500] [--seed 1] [--only TRANSFORMATION ...]

A program is put together from pieces that people write (scans, searches, sorts by hand, queues, totals, tables of
numbers, small functions and classes) under random names. Now and then a piece is spoilt: a list is changed while it is
walked, gets a second name, or a loop ends early. A rewrite must then see that it does not apply.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import re
import signal
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from types import FrameType

from maxcode.core import Language
from maxcode.policy.rewrite.actions import BY_NAME, rewrites
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Setting

WORDS = "apple box cat dog edge fig gate hat ink jar key lamp moon net oak pen row sun tree urn".split()
SECONDS = 5.0
LONGEST_CHAIN = 4
SPOILT = 0.2
"""Share of the lines after `?` that are written."""
IN_FUNCTIONS = 0.5
"""Share of the programs whose pieces are functions."""


PIECES = (
    """
    @a = [(i % SMALL, i) for i in range(SMALL)]
    @b = LIST
    @t = 0
    for @x in @a:
        for @y in @b:
            if «@y == @x[0]|@x[1] == @y|@y + @x[1] == 5|@y == @x[1] and @x[0] < 3»:
                @t += @y + @x[1]
                ? «break|@x = (@y, @t)|@t -= 1»
        ? «@b.append(@t % 7)|@b = @b[1:]|@b[0] = @t»
    print(@t, [@y for @x in @a for @y in @b if @y == @x[1]])
    """,
    """
    @a = [(i % SMALL, i % 3, i) for i in range(SMALL)]
    @t = [0] * 4
    for @x in range(4):
        for @y, @b, @c in @a:
            if @y == @x:
                @t[@x] += @c
            «if|elif» @b == @x:
                @t[@y % 4] -= 1
                ? «@x += 1|@a.append((1, 1, 1)) if len(@a) < 9 else 0»
    print(@t)
    """,
    """
    @a = LIST
    @t = []
    for @i in range(len(@a)):
        for @j in range(@i + 1, len(@a)):
            if «@a[@i] + @a[@j] == 9|@a[@i] == @a[@j]|@a[@j] == @a[@i] + 1»:
                @t.append((@i, @j))
                ? «break|@a[@j] = 0»
    print(@t)
    """,
    """
    @a = LIST
    @b = []
    for @x in @a:
        if @x not in @b:
            @b.append(@x)
        ? «@b.pop()|@b = []|@b.insert(0, @x)|@b = @b + [@x]|@a = @a[1:]»
        print(len(@b), @x in @a)
        print([@x for @c in [@a, @b] if @x in @c], [sum(@c[0:2]) + @c.count(@x) for @c in [@a, @b]])
    print(@b, sorted(@a, key=lambda @d: @d in @b))
    """,
    """
    @a = LIST
    @b = []
    for @x in @a:
        @b.append(@x)
        print(«sum(@b)|max(@b)|min(@b) + sum(@b)|@b.count(@x)|@a.count(@x) + @a.index(@x)»)
        ? «@b.pop(0)|@b[-1] = 3|@b = [1]|@a = @a + [@x]»
    for @n in range(len(@a)):
        print(sum(@a[@n:@n + SMALL]), sum([@a[k] for k in range(@n, len(@a))]))
        ? @a[0] = @n
    """,
    """
    def @f(@a):
        @n = len(@a)
        for i in range(@n):
            for j in range(@n - «1|2» - i):
                if «@a[j] > @a[j + 1]|@a[j] < @a[j + 1]|@a[j] % 3 > @a[j + 1] % 3|@a[j] >= @a[j + 1]»:
                    @a[j], @a[j + 1] = @a[j + 1], @a[j]
                    ? @n -= 1
        return @a


    print(@f(LIST))
    """,
    """
    @a = LIST
    for i in range(len(@a)):
        @t = i
        for j in range(i + 1, len(@a)):
            if @a[j] «<|>» @a[@t]:
                @t = j
        @a[i], @a[@t] = @a[@t], @a[i]
        ? print(@a)
    print(@a)
    """,
    """
    @q = LIST
    @o = []
    while @q:
        «@q.sort()|@q = sorted(@q)|@q.sort(key=lambda v: v % 3)|@t = 0»
        @x = @q.pop(0)
        @o.append(@x)
        if @x > 2 and len(@o) < 30:
            @q.append(@x // 2)
            @q.append(@x - 2)
        ? «print(@q)|@q = @q[:5]|continue|print(@q[0] if @q else 0)»
    print(@o, len(@q))
    """,
    """
    @q = LIST
    @o = []
    while len(@q) > 0:
        @x = min(@q«|, key=lambda v: -v|, key=lambda v: v % 4»)
        @q.remove(@x)
        @o.append(@x)
        if @x % 2 and len(@o) < 20:
            @q.append(@x + 1)
        ? «if len(@o) > 3: break|@q.reverse()»
    print(@o, @q)
    """,
    """
    @a = LIST
    @m = 0
    @r = [0] * len(@a)
    for @i in range(1, len(@a)):
        @m = «min|max»(«@m, @a[@i]|@a[@i] - @a[@i - 1], @m|@m, len(str(@a[@i]))»)
        @r[@i] = «min|max»(@r[@i - 1], «@a[@i]|@m, 3|@a[@i] + 1»)
    print(@m, @r)
    """,
    """
    @n = SMALL
    @i = «0|2»
    @t = 0
    while @i «<|<=» @n:
        @x = @i * 2
        @t += @x
        ? «@n -= 1|@t += @n if @t > 5 else 1|@i += 1|if @t > 9: break»
        @i += 1
    print(@t«|, @i»)
    """,
    """
    @k = 3


    def @f(@x):
        «if @x > 4: return 0|@x = @x|if @x < 2: return @k»
        return «@x * @k + 1|sum(range(@x)) + @k|@f(@x - 2) + 1 if 4 > @x > 1 else 1»


    def @g(@x):
        return sum([each * each for each in @x])


    @r = [LIST, LIST]
    for i in range(SMALL):
        print(@f(i), @f(i % 3), [@g(row) for row in @r], @f(i) + @f(@f(i) % 4))
        ? «@k += 1|@r[0].append(i)|@k = 2»
    """,
    """
    class @C:
        def __init__(self, @a, @b):
            self.@a = @a
            self.@b = @b
            self.log = []

        def @m(self, other):
            return self.@a == other.@a and self.@b <= other.@b

        def note(self, value):
            if value not in self.log:
                self.log.append(value)

        def drain(self):
            found = 0
            while self.log and found < 9:
                found += self.log.pop(0) + self.@a
            return found


    @l = [@C(i % 3, i) for i in range(SMALL)]


    def @f(wanted):
        for each in @l:
            if each.@a == wanted:
                return each
        return None


    @t = 0
    for one in list(@l):
        for two in «list(@l)|@l»:
            if «one.@m(two)|one.@a == two.@a and one is not two|one.@b > two.@a»:
                @t += two.@b
                one.note(two.@b)
            ? «one.@a += 1|one.log = [one.@b]|@l.append(@C(1, 1)) if len(@l) < 9 else 0»
        print(@f(one.@b % 3) is one, @f(2) is None)
        ? «@l.append(@C(2, 2))|@l.pop()»
    print(@t, [(one.@a, one.@b, one.log) for one in @l], sum(one.drain() for one in @l))
    """,
    """
    def @f(@x):
        «return sum(@x)|return @x|@x.append(1)|@k.append(@x)»


    @k = []
    @a = []
    for @i in range(SMALL):
        @b = @f(@a)
        @a = @a + [@i, @i]
        ? @f(@a)
    print(@a, @b, @k, @f([2]))
    """,
    """
    @o = ""
    @l = []
    @n = 0
    for @c in «TEXT|TEXT.upper()|["ab", "c"]»:
        «if @c in "aeiou":|if @c.isalpha():»
            @b = @c * 2
            ? «@n += 1|@b = @b + @o[:1]|break|@c = "z"»
            «@o += @b|@o = @o + @b»
        «else:|elif @c != " ":»
            @b = @c
            @o += «@b|@c + "-"|(@c if @n else @b)»
    for @c in @o:
        ? «@n += 1|@l = [@c]»
        @l.append(@c * «@n|3|2»)
    print(@o, "".join(@l)«|, @c|, @l»)
    """,
    """
    import copy
    @n = SMALL
    @g = [[«0|k|k * j» for j in range(@n)] for k in range(@n)]
    @h = «copy.deepcopy(@g)|[row for row in @g]|[[c for c in row] for row in @g]|@g»
    @h[0][0] = 9
    @r = []
    for i in range(@n):
        for j in range(@n):
            @s = 0
            for k in range(@n):
                @s += @g[i][k] * @h[k][j]
                ? @g[0][0] = @s
            @r.append(@s)
    print(@g, @h, @r, [[0 for _ in range(@n + 1)] for _ in range(2)], 3 ** @n % 5)
    """,
    """
    from decimal import Decimal, getcontext
    import copy

    getcontext().prec = 28

    class @C:
        def __init__(self, @a, @b):
            self.@a = @a
            self.@b = «Decimal(@b) / 3|@b * 3»
            self.log = «[]|[@b]|@h|list(@h)»

        def @f(self):
            return self.@b «* self.@a|+ 1» + len(str(self.@a))

        def @g(self):
            return self.@f() * 2 «+ len(self.log)|»

        def note(self, value):
            ? «self.@a += 1|self.extra = value|self.log = self.log + [value]|self.log = [[value]]»
            self.log.append(value)


    @h = [7]
    @l = [@C(i % 3, i) for i in range(SMALL)]
    ? @l.append(@l[0])


    def @t(rows, what):
        return sum(getattr(each, what)() for each in rows)


    for i in range(3):
        @k = copy.deepcopy(@l)
        for each in @l:
            each.note(i)
            ? «@k[0].note(9)|getcontext().prec = 5 + i|each.@a = i|each.other = @l»
        print(@t(@l, "@f"), @t(@k, «"@g"|"@f"»), [(each.log, each.@a) for each in @k])
        ? @l = @k
    print([(each.log, each is @l[0], each.@f()) for each in @l], @h)
    """,
    """
    @q = [«0|1, 2»]
    @v = []
    @n = 0
    while @q:
        @x = @q.«pop(0)|pop()»
        @v.append(@x)
        for @y in «(@x * 2 % SMALL, @x + 1)|[@x // 2, @x * 3 % 7]»:
            if @y not in @v and «@y not in @q|not @y in @q and @y < 9»:
                @q.«append(@y)|insert(0, @y)»
                ? «@q.remove(@y)|@q[0] = @y|@q.sort()|@q = @q[:]|@q += [@y]|@v = @q|@n = @q.pop()»
        if len(@v) > 40:
            break
    print(@v, @q, @n)
    """,
    """
    @s = TEXT
    @o = ""
    @d = {}
    @f = False
    for @c in @s:
        @o += @c.upper()
        if @c in @d.keys():
            @d[@c] += 1
        else:
            @d[@c] = 1
        ? «print(@o)|@d = dict(@d)|continue|@f = @c»
        if @c == "e":
            @f = True
    for @c in @s.split():
        if @c == "pen" or @s.find(@c) != -1:
            @f = True
    print(@o, @d, @f, @s.split().count("cat") > 0)
    """,
)
"""Pieces of programs. `@x` is a random name, `«a|b»` one of several texts; a line after `?` is mostly left out."""


def program(seed: int) -> str:
    """A random program that reads nothing and ends soon."""
    rng = random.Random(f"python/{seed}")
    pieces = [_written(rng.choice(PIECES), rng, number) for number in range(rng.randrange(1, 4))]
    if rng.random() < IN_FUNCTIONS:
        pieces = [f"def work_{i}():\n{textwrap.indent(each, '    ')}\n\nwork_{i}()\n" for i, each in enumerate(pieces)]
    return "\n".join(pieces)


def _written(piece: str, rng: random.Random, number: int) -> str:
    """A piece with its choices made. Names differ from piece to piece."""
    lines = []
    for line in textwrap.dedent(piece).strip("\n").split("\n"):
        spoils = line.lstrip().startswith("? ")
        if not spoils or rng.random() < SPOILT:
            chosen = re.sub("«(.*?)»", lambda found: rng.choice(found[1].split("|")), line)
            lines.append(chosen.replace("? ", "", 1) if spoils else chosen)
    text = "\n".join(lines)
    names = dict.fromkeys(re.findall(r"@(\w)", text))
    words = dict(zip(names, rng.sample(WORDS, len(names)), strict=True))
    text = re.sub(r"@(\w)", lambda found: f"{words[found[1]]}_{number}" if number else words[found[1]], text)
    text = re.sub("LIST", lambda _: _numbers(rng), text)
    text = re.sub("SMALL", lambda _: str(rng.randrange(1, 8)), text)
    return text.replace("TEXT", repr(" ".join(rng.choices(WORDS, k=5)))) + "\n"


def _numbers(rng: random.Random) -> str:
    """A list of whole numbers."""
    count, largest = rng.randrange(1, 12), rng.choice([3, 9, 40])
    values = [rng.randrange(-largest // 3, largest) for _ in range(count)]
    text = " ".join(map(str, values))
    return rng.choice(
        [str(values), f"[k * 7 % {largest} for k in range({count})]", f"list(map(int, {text!r}.split()))"]
    )


def printed(code: str) -> str | None:
    """What a program prints; None if it fails or does not end."""
    out = io.StringIO()
    old = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, "program", "exec"), {"__name__": "__main__"})
    except Exception:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    return out.getvalue()


def _too_long(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"signal {signum} in {frame}")


def variants(code: str, seed: int, only: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Every rewrite of a program alone, and a random chain of them: what was done, and the new program."""
    source, rng = SourceFile(code, Language.PYTHON), random.Random(seed)
    names = [each for each in BY_NAME if BY_NAME[each].family == "python" and (not only or each in only)]
    for name in names:
        for rewrite in rewrites(source, Setting(), name):
            yield name, apply(source, rewrite.edits).code
    chain: list[str] = []
    for _ in range(LONGEST_CHAIN):
        found = [(name, each) for name in names for each in rewrites(source, Setting(), name)]
        if not found:
            return
        name, rewrite = rng.choice(found)
        source, chain = apply(source, rewrite.edits), [*chain, name]
        yield " + ".join(chain), source.code


def wrong(seed: int, counts: Counter[str], only: frozenset[str] = frozenset()) -> list[tuple[str, str, str]]:
    """Rewrites of one program that print something else: what was done, the program, and what it became."""
    code = program(seed)
    expected, found = printed(code), []
    counts["programs"] += expected is not None
    for name, changed in variants(code, seed, only) if expected is not None else ():
        counts[name.rpartition(" + ")[2]] += 1
        if printed(changed) != expected:
            found.append((name, code, changed))
    rewrites.cache_clear()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="number of the first program")
    parser.add_argument("--only", nargs="*", default=(), help="transformations to try; all if none is named")
    given = parser.parse_args()
    counts, failures = Counter[str](), 0
    for seed in range(given.seed, given.seed + given.programs):
        for name, before, after in wrong(seed, counts, frozenset(given.only)):
            failures += 1
            print(f"WRONG: program {seed}, {name}\n--- before\n{before}\n--- after\n{after}", flush=True)
    for name, count in counts.most_common():
        print(f"{count:7}  {name}")
    print(f"{failures} wrong")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()

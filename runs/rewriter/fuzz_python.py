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
import signal
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType

from maxcode.core import Language
from maxcode.policy.rewrite.actions import BY_NAME, rewrites
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Setting

WORDS = "apple box cat dog edge fig gate hat ink jar key lamp moon net oak pen row sun tree urn".split()
SECONDS = 5.0
LONGEST_CHAIN = 4


@dataclass
class Writer:
    """Writes one program. Names are drawn anew, so that no rewrite can go by them."""

    rng: random.Random
    taken: set[str] = field(default_factory=set)

    def name(self) -> str:
        while True:
            found = self.rng.choice(WORDS) + self.rng.choice(["", "s", "_list", "_no", "2", "_x"])
            if found not in self.taken:
                self.taken.add(found)
                return found

    def numbers(self) -> str:
        """A list of whole numbers."""
        count, largest = self.rng.randrange(1, 12), self.rng.choice([3, 9, 40])
        values = [self.rng.randrange(-largest // 3, largest) for _ in range(count)]
        return self.rng.choice([str(values), f"[k * 7 % {largest} for k in range({count})]", f"list(map(int, {' '.join(map(str, values))!r}.split()))"])

    def spoil(self, *lines: str) -> str:
        """Mostly nothing; now and then a line that breaks what a rewrite might take for granted."""
        return self.rng.choice(lines) + "\n" if self.rng.random() < 0.25 else ""


def scan(w: Writer) -> str:
    a, b, x, y, t = (w.name() for _ in range(5))
    rows = f"{a} = [(i % {w.rng.randrange(2, 5)}, i) for i in range({w.rng.randrange(2, 9)})]\n{b} = {w.numbers()}\n{t} = 0\n"
    inner = w.rng.choice([
        f"    for {y} in {b}:\n        if {y} == {x}[0]:\n            {t} += {y} + {x}[1]\n",
        f"    for i in range(len({b})):\n        if {b}[i] == {x}[1] and {x}[0] < 3:\n            {t} += i\n",
        f"    for i, {y} in {a}:\n        if {x}[0] == i:\n            {t} += {y}\n",
        f"    {t} += len([{y} for {y} in {b} if {y} == {x}[1]])\n",
        f"    for {y} in {b}:\n        if {y} + {x}[1] == 5:\n            {t} += 1\n            break\n",
    ])
    return rows + f"for {x} in {a}:\n{inner}" + textwrap.indent(w.spoil(f"{b}.append({t} % 7)", f"{b} = {b}[1:]", f"{b}[0] = {t}"), "    ") + f"print({t})\n"


def pairs(w: Writer) -> str:
    a, t, i, j = (w.name() for _ in range(4))
    test = w.rng.choice([f"{a}[{i}] + {a}[{j}] == 9", f"{a}[{i}] == {a}[{j}]", f"{a}[{j}] == {a}[{i}] + 1"])
    body = f"            {t}.append(({i}, {j}))\n" + textwrap.indent(w.spoil("break", f"{a}[{j}] = 0"), " " * 12)
    return f"{a} = {w.numbers()}\n{t} = []\nfor {i} in range(len({a})):\n    for {j} in range({i} + 1, len({a})):\n        if {test}:\n{body}print({t})\n"


def membership(w: Writer) -> str:
    a, b, x = w.name(), w.name(), w.name()
    spoilt = w.spoil(f"{b}.pop() if {b} else 0", f"{b} = []", f"{b}.insert(0, {x})", f"{b} = {b} + [{x}]")
    return (f"{a} = {w.numbers()}\n{b} = []\nfor {x} in {a}:\n    if {x} not in {b}:\n        {b}.append({x})\n"
            + textwrap.indent(spoilt, "    ") + f"    print(len({b}), {x} in {a})\nprint({b})\n")  # fmt: skip


def totals(w: Writer) -> str:
    a, b, x, n = (w.name() for _ in range(4))
    call = w.rng.choice([f"sum({b})", f"max({b})", f"min({b}) + sum({b})", f"{b}.count({x})", f"{a}.count({x}) + {a}.index({x})"])
    spoilt = textwrap.indent(w.spoil(f"{b}.pop(0)", f"{b}[-1] = 3", f"{b} = [1]", f"{a} = {a} + [{x}]"), "    ")
    walk = f"for {n} in range(len({a})):\n    print(sum({a}[{n}:{n} + {w.rng.randrange(1, 4)}]), sum([{a}[k] for k in range({n}, len({a}))]))\n"
    return f"{a} = {w.numbers()}\n{b} = []\nfor {x} in {a}:\n    {b}.append({x})\n    print({call})\n{spoilt}" + walk


def hand_sort(w: Writer) -> str:
    f, a, n, t = (w.name() for _ in range(4))
    sign = w.rng.choice("<>")
    bubble = (f"    {n} = len({a})\n    for i in range({n}):\n        for j in range({n} - i - 1):\n"
              f"            if {a}[j] {sign} {a}[j + 1]:\n                {a}[j], {a}[j + 1] = {a}[j + 1], {a}[j]\n")  # fmt: skip
    select = (f"    for i in range(len({a})):\n        {t} = i\n        for j in range(i + 1, len({a})):\n"
              f"            if {a}[j] {sign} {a}[{t}]:\n                {t} = j\n        {a}[i], {a}[{t}] = {a}[{t}], {a}[i]\n")  # fmt: skip
    wrong = bubble.replace(f"{n} - i - 1", f"{n} - 2 - i")
    keyed = bubble.replace(f"{a}[j] {sign}", f"{a}[j] % 3 {sign}").replace(f"{sign} {a}[j + 1]:", f"{sign} {a}[j + 1] % 3:")
    body = w.rng.choice([bubble, select, wrong, keyed])
    return f"def {f}({a}):\n{body}    return {a}\n\n\nprint({f}({w.numbers()}))\n"


def queue(w: Writer) -> str:
    q, x, out = w.name(), w.name(), w.name()
    take = w.rng.choice([
        f"    {x} = {q}.pop(0)\n", f"    {q}.sort()\n    {x} = {q}.pop(0)\n", f"    {x} = min({q})\n    {q}.remove({x})\n",
        f"    {q}.sort(key=lambda v: v % 3)\n    {x} = {q}.pop(0)\n", f"    {x} = min({q}, key=lambda v: -v)\n    {q}.remove({x})\n",
    ])  # fmt: skip
    more = f"    if {x} > 2 and len({out}) < 30:\n        {q}.append({x} // 2)\n        {q}.append({x} - 2)\n"
    spoilt = textwrap.indent(w.spoil(f"print({q})", f"{q} = {q}[:5]", "continue", f"if len({out}) > 3: break"), "    ")
    return f"{q} = {w.numbers()}\n{out} = []\nwhile {q}:\n{take}    {out}.append({x})\n{more}{spoilt}print({out}, len({q}))\n"


def extremes(w: Writer) -> str:
    a, best, i, row = (w.name() for _ in range(4))
    new = w.rng.choice([f"{a}[{i}]", f"{a}[{i}] - {a}[{i} - 1]", f"{row}[{i} - 1] + 1", f"len(str({a}[{i}]))"])
    order = w.rng.choice([f"{best}, {new}", f"{new}, {best}"])
    return (f"{a} = {w.numbers()}\n{best} = 0\n{row} = [0] * len({a})\nfor {i} in range(1, len({a})):\n"
            f"    {best} = {w.rng.choice(['min', 'max'])}({order})\n    {row}[{i}] = {w.rng.choice(['min', 'max'])}({row}[{i} - 1], {a}[{i}])\n"
            f"print({best}, {row})\n")  # fmt: skip


def counting(w: Writer) -> str:
    i, n, t, x = (w.name() for _ in range(4))
    spoilt = textwrap.indent(w.spoil(f"{n} -= 1", f"if {t} > 5: break", f"{i} += 1", f"if {t} == 4:\n    {i} += 2\n    continue"), "    ")
    end = w.rng.choice([f"print({t})\n", f"print({t}, {i})\n"])
    return f"{n} = {w.rng.randrange(0, 9)}\n{i} = {w.rng.randrange(3)}\n{t} = 0\nwhile {i} {w.rng.choice(['<', '<='])} {n}:\n    {x} = {i} * 2\n    {t} += {x}\n{spoilt}    {i} += 1\n{end}"


def function(w: Writer) -> str:
    f, x, k, g, rows = (w.name() for _ in range(5))
    body = w.rng.choice([
        f"    return {x} * {k} + 1\n", f"    if {x} > 4:\n        return 0\n    return {x} + {k}\n",
        f"    return sum(range({x})) + {k}\n", f"    if {x} < 2:\n        return {k}\n    return {f}({x} - 1) + {f}({x} - 2)\n",
    ])  # fmt: skip
    spoilt = w.spoil(f"{k} += 1", f"{rows}[0].append(i)", f"{k} = 2")
    return (f"{k} = 3\n\n\ndef {f}({x}):\n{body}\n\ndef {g}(given):\n    return sum([each * each for each in given])\n\n\n{rows} = [{w.numbers()}, {w.numbers()}]\n"
            f"for i in range({w.rng.randrange(1, 8)}):\n    print({f}(i), {f}(i % 3), [{g}(row) for row in {rows}])\n" + textwrap.indent(spoilt, "    "))  # fmt: skip


def objects(w: Writer) -> str:
    c, a, b, items, m = w.name().title(), w.name(), w.name(), w.name(), w.name()
    spoilt = textwrap.indent(w.spoil(f"one.{a} += 1", f"{items}.append({c}(1, 1))", f"one.log = [one.{b}]"), "    " * 2)
    work = w.rng.choice([
        f"        if one.{m}(two):\n            total += two.{b}\n", f"        if one.{a} == two.{a} and one is not two:\n            total += 1\n",
        f"        one.note(two.{b})\n",
    ])  # fmt: skip
    return (f"class {c}:\n    def __init__(self, {a}, {b}):\n        self.{a} = {a}\n        self.{b} = {b}\n        self.log = []\n\n"
            f"    def {m}(self, other):\n        return self.{a} == other.{a} and self.{b} <= other.{b}\n\n"
            f"    def note(self, value):\n        if value not in self.log:\n            self.log.append(value)\n\n"
            f"    def drain(self):\n        found = 0\n        while self.log and found < 9:\n            found += self.log.pop(0) + self.{a}\n        return found\n\n\n"
            f"{items} = [{c}(i % 3, i) for i in range({w.rng.randrange(1, 7)})]\ntotal = 0\n"
            f"for one in {items}[:9]:\n    for two in {items}[:9] if total > 50 else {items}:\n{work}{spoilt}        if len({items}) > 12:\n            break\n"
            f"print(total, [(one.{a}, one.{b}, one.log) for one in {items}], sum(one.drain() for one in {items}))\n")  # fmt: skip


def tables(w: Writer) -> str:
    g, h, n, r = (w.name() for _ in range(4))
    copied = w.rng.choice([f"copy.deepcopy({g})", f"[row for row in {g}]", f"[[c for c in row] for row in {g}]", f"{g}"])
    return (f"import copy\n{n} = {w.rng.randrange(1, 5)}\n{g} = [[{w.rng.choice(['0', 'k', 'k * j'])} for j in range({n})] for k in range({n})]\n"
            f"{h} = {copied}\n{h}[0][0] = 9\n{r} = []\nfor i in range({n}):\n    for j in range({n}):\n        s = 0\n        for k in range({n}):\n"
            f"            s += {g}[i][k] * {h}[k][j]\n        {r}.append(s)\nprint({g}, {h}, {r}, [[0 for _ in range({n})] for _ in range(2)], 3 ** {n} % 5)\n")  # fmt: skip


def texts(w: Writer) -> str:
    s, out, c, d, f = (w.name() for _ in range(5))
    spoilt = textwrap.indent(w.spoil(f"print({out})", f"{d} = dict({d})", "continue", f"{f} = {c}"), "    ")
    return (f"{s} = {' '.join(w.rng.choices(WORDS, k=5))!r}\n{out} = ''\n{d} = {{}}\n{f} = False\nfor {c} in {s}:\n"
            f"    {out} += {c}.upper()\n    if {c} in {d}.keys():\n        {d}[{c}] += 1\n    else:\n        {d}[{c}] = 1\n{spoilt}"
            f"    if {c} == 'e':\n        {f} = True\nfor {c} in {s}.split():\n    if {c} == 'pen' or {s}.find({c}) != -1:\n        {f} = True\n"
            f"print({out}, {d}, {f}, {s}.split().count('cat') > 0)\n")  # fmt: skip


PIECES: tuple[Callable[[Writer], str], ...] = (
    scan, pairs, membership, totals, hand_sort, queue, extremes, counting, function, objects, tables, texts,
)  # fmt: skip


def program(seed: int) -> str:
    """A random program that reads nothing and ends soon."""
    rng = random.Random(f"python/{seed}")
    writer = Writer(rng)
    pieces = [rng.choice(PIECES)(writer) for _ in range(rng.randrange(1, 4))]
    if rng.random() < 0.5:
        pieces = [f"def work_{i}():\n{textwrap.indent(piece, '    ')}\n\nwork_{i}()\n" for i, piece in enumerate(pieces)]
    return "\n".join(pieces)


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

"""Tests and timed variants from given inputs: made after the inputs' format, kept where the original accepts them."""

from __future__ import annotations

import random
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from maxcode.format import InputModel, NewInput, alike, tests
from maxcode.kinds.program.oracle import SMALL, UNSOUND, Answered, Look, Oracle

WANTED = 80
SMALLEST = 12
"""Number of the smallest tests that are always kept."""
FEWEST = 5
"""Number of tests below which they are said to be too few."""
TRIED = 140
SECONDS = 6.0
"""Seconds after which no more inputs are tried, once there are FEWEST tests."""
VARIANT_SECONDS = 3.0
"""Seconds after which no more variants are made: a search waits for them."""
LOOKED_AT = 2
"""Number of variants that run in the sanitized build too; the others are made in the same way."""
BATCH = 4
LARGE = 300_000
"""Bytes of an input above which slow builds leave it out."""
MEMCHECKED = 2
VARIANTS = 7
REACHING = 0.95
"""Share of what the workload reaches that a test must reach to count as reaching it."""


@dataclass(frozen=True)
class DerivedTest:
    data: bytes
    answer: bytes
    idea: str = ""
    kind: str = ""
    reached: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Derived:
    tests: list[DerivedTest]
    reaching: int
    """Number of tests that reach what the workload reaches."""
    share_reached: float
    """Share of what the workload reaches that all tests together reach."""
    refused: Counter[str] = field(default_factory=Counter)
    """Inputs left out, by reason."""
    note: str = ""
    """Reason why nothing was derived; empty if something was."""
    lacking: tuple[str, ...] = ()
    """Checks for which the compiler can make no build, in words."""

    def words(self) -> str:
        """One line for people."""
        if self.note:
            return f"No tests derived: {self.note}."
        many = {0: "none runs", 1: "1 runs"}.get(self.reaching, f"{self.reaching} run")
        said = (
            f"{len(self.tests)} tests derived, which programs must answer as the original does: {many} what your input "
        )
        said += "runs of it"
        if self.tests and self.share_reached < 1:
            said += f" (all together {min(self.share_reached, 0.99):.0%})"
        if self.reaching < len(self.tests):
            said += ", the others are smaller or special cases"
        if self.refused:
            why = "; ".join(f"{many}: {reason}" for reason, many in self.refused.most_common(3))
            total = self.refused.total()
            only = self.refused.most_common(1)[0][0]
            said += f"; {total} {'inputs' if total > 1 else 'input'} dropped: {only if len(self.refused) == 1 else why}"
        if self.lacking:
            said += f"; not looked for, as the compiler offers no build that would: {', '.join(self.lacking)}"
        return said + "."


def derive(oracle: Oracle, format: InputModel, workload: frozenset[str]) -> Derived:
    """Tests of a format that the original accepts. Those are chosen that reach most and differ most."""
    if not format.nodes:
        return Derived([], 0, 0.0, note=format.note)
    rng = _unforeseen()
    accepted, refused = _accepted(oracle, tests(format, rng))
    chosen = _memchecked(oracle, _chosen(accepted), refused)
    enough = REACHING * len(workload)
    reaching = sum(len(test.reached & workload) >= enough for test in chosen)
    reached = frozenset().union(*(test.reached for test in chosen)) & workload
    return Derived(chosen, reaching, len(reached) / len(workload) if workload else 1.0, refused, lacking=oracle.lacking)


def variants(oracle: Oracle, format: InputModel, path: Path) -> list[bytes]:
    """Inputs like a given one that take the original about as long."""
    rng = _unforeseen()
    found: list[bytes] = []
    made = alike(format, rng)
    end = time.monotonic() + VARIANT_SECONDS
    (own,) = oracle.judged([path.read_bytes()], "bounded")
    # sanitizers that object to the given input itself say nothing of others
    look: Look = "quick" if own.refused else "bounded"
    while len(found) < VARIANTS and time.monotonic() < end:
        batch = [each.text.encode() for _, each in zip(range(2), made, strict=False)]
        if not batch:
            break
        answers = oracle.judged(batch, look if len(found) < LOOKED_AT else "quick")
        for data, answer in zip(batch, answers, strict=True):
            if answer.refused is None and 0.5 * own.seconds <= answer.seconds <= 2 * own.seconds:
                found.append(data)
    return found[:VARIANTS]


def _unforeseen() -> random.Random:
    """Random numbers that nobody can repeat.

    With a fixed seed, anybody with the given input could make the hidden tests.
    """
    return random.Random(secrets.randbits(64))


def _accepted(oracle: Oracle, made: Iterator[NewInput]) -> tuple[list[DerivedTest], Counter[str]]:
    accepted: list[DerivedTest] = []
    refused: Counter[str] = Counter()
    end = time.monotonic() + SECONDS
    for batch in _batches(made):
        answers = _judged(oracle, batch)
        for each, answered in zip(batch, answers, strict=True):
            if answered.refused:
                refused[answered.refused] += 1
            else:
                accepted.append(
                    DerivedTest(each.text.encode(), answered.answer, each.idea, each.kind, answered.reached)
                )
        if time.monotonic() > end and len(accepted) >= FEWEST:
            break
    return accepted, refused


def _batches(made: Iterator[NewInput]) -> Iterator[list[NewInput]]:
    batch: list[NewInput] = []
    for number, each in enumerate(made):
        if number >= TRIED:
            break
        batch.append(each)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _judged(oracle: Oracle, batch: Sequence[NewInput]) -> list[Answered]:
    """Answers for a batch: thorough for small inputs, without the slow builds for large ones."""
    texts = [each.text.encode() for each in batch]
    small = [i for i, data in enumerate(texts) if len(data) <= LARGE]
    large = [i for i in range(len(batch)) if i not in small]
    found = dict(zip(small, oracle.judged([texts[i] for i in small]), strict=True))
    found |= dict(zip(large, oracle.judged([texts[i] for i in large], "bounded"), strict=True))
    return [found[i] for i in range(len(batch))]


def _chosen(accepted: Sequence[DerivedTest]) -> list[DerivedTest]:
    """Tests to keep: those that reach something new, the smallest, one of each kind, and others with other answers."""
    left = list(accepted)
    chosen: list[DerivedTest] = []
    reached: frozenset[str] = frozenset()
    while left and len(chosen) < WANTED:
        best = max(left, key=lambda test: len(test.reached - reached))
        if not best.reached - reached:
            break
        chosen.append(best)
        left.remove(best)
        reached |= best.reached
    chosen += sorted(left, key=lambda test: len(test.data))[:SMALLEST]
    answers = {test.answer for test in chosen}
    for pool in (_one_of_each(left, {test.kind for test in chosen}, answers), *_by_answer(left, answers)):
        fresh = [test for test in pool if test not in chosen]
        wanted = WANTED - len(chosen)
        if wanted > 0 and fresh:
            chosen += _spread(fresh, wanted)
    return sorted(chosen, key=lambda test: len(test.data))


def _one_of_each(tests: Sequence[DerivedTest], kinds: set[str], answers: set[bytes]) -> list[DerivedTest]:
    """Test of each kind that is not there yet: the largest, if possible with an answer that is not there yet."""
    groups: dict[str, list[DerivedTest]] = {}
    for test in tests:
        if test.kind not in kinds:
            groups.setdefault(test.kind, []).append(test)
    return [max(group, key=lambda test: (test.answer not in answers, len(test.data))) for group in groups.values()]


def _by_answer(tests: Sequence[DerivedTest], answers: set[bytes]) -> tuple[list[DerivedTest], list[DerivedTest]]:
    """Tests with answers that are not there yet, and the others."""
    fresh = [test for test in tests if test.answer not in answers]
    return fresh, [test for test in tests if test.answer in answers]


def _spread(pool: list[DerivedTest], wanted: int) -> list[DerivedTest]:
    """Selects so many tests, evenly spaced. The last is among them, since large ones matter most."""
    if len(pool) <= wanted:
        return pool
    return [pool[len(pool) - 1 - i * len(pool) // wanted] for i in range(wanted)]


def _memchecked(oracle: Oracle, chosen: list[DerivedTest], refused: Counter[str]) -> list[DerivedTest]:
    """Tests without those on which the original uses values it never set.

    Some are checked first, all once one is found.
    """
    small = [test for test in chosen if len(test.data) <= SMALL]
    some = sorted(small, key=lambda test: -len(test.reached))[:MEMCHECKED]
    sound = oracle.sound([test.data for test in some])
    bad = {id(test) for test, fine in zip(some, sound, strict=True) if not fine}
    if bad:
        others = [test for test in small if id(test) not in {id(one) for one in some}]
        bad |= {id(test) for test, fine in zip(others, oracle.sound([t.data for t in others]), strict=True) if not fine}
        refused[UNSOUND] += len(bad)
    return [test for test in chosen if id(test) not in bad]

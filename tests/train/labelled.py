"""The labelled programs, and how often the detector agrees with the labels.

A program is in the half that was looked at while the detector was written ("dev") or in the other ("held") by the hash
of its name alone; "late" ones were written after the detector, in other styles. `python -m tests.train.labelled` prints
the table.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from maxcode.train.techniques import Technique, libraries_of, techniques_of

FOLDER = Path(__file__).parent / "techniques"
LIBRARIES = "libraries"


@dataclass(frozen=True)
class Labelled:
    name: str
    entry: str | None
    wanted: frozenset[str]
    """Techniques; "libraries" where a forbidden one is used."""

    @property
    def half(self) -> str:
        if self.name.startswith("late_"):
            return "late"
        return "dev" if int(hashlib.sha256(self.name.encode()).hexdigest()[0], 16) < 8 else "held"

    @property
    def source(self) -> str:
        return (FOLDER / self.name).read_text()

    @cached_property
    def found(self) -> frozenset[str]:
        techniques = {each.value for each in techniques_of(self.source, self.entry)}
        return frozenset(techniques | ({LIBRARIES} if libraries_of(self.source, self.entry) else set()))


@dataclass(frozen=True)
class Agreement:
    both: int
    only_found: int
    only_wanted: int

    @property
    def precision(self) -> float:
        return self.both / (self.both + self.only_found) if self.both + self.only_found else 1.0

    @property
    def recall(self) -> float:
        return self.both / (self.both + self.only_wanted) if self.both + self.only_wanted else 1.0


@cache
def labelled() -> tuple[Labelled, ...]:
    labels = tomllib.loads((FOLDER / "labels.toml").read_text())
    return tuple(
        Labelled(name, said["entry"] or None, frozenset(said["uses"]) | ({LIBRARIES} & set(said)))
        for name, said in labels.items()
    )


def agreement(half: str, what: str) -> Agreement:
    chosen = [(what in each.found, what in each.wanted) for each in labelled() if each.half == half]
    return Agreement(chosen.count((True, True)), chosen.count((True, False)), chosen.count((False, True)))


def everything() -> list[str]:
    return [*(each.value for each in Technique), LIBRARIES]


def main() -> None:
    """The table for both halves; with an argument, only that half, and where it errs."""
    halves = sys.argv[1:] or ["dev", "held", "late"]
    for half in halves:
        print(f"{half}: {sum(each.half == half for each in labelled())} programs")
        print(f"  {'':18} {'programs':>8} {'precision':>9} {'recall':>7}")
        for what in everything():
            found = agreement(half, what)
            print(f"  {what:18} {found.both + found.only_wanted:8} {found.precision:9.2f} {found.recall:7.2f}")
    for each in labelled():
        if sys.argv[1:] and each.half in halves and each.found != each.wanted:
            print(f"{each.name}: found {sorted(each.found - each.wanted)}, missed {sorted(each.wanted - each.found)}")


if __name__ == "__main__":
    main()

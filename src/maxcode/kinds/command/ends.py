"""How the programs of a command ended, and whether one of them ended as the original's does not.

A process that prints what is expected and leaves has exit code 0 too. So a library that is preloaded (ends.c) notes
whether each program returned from its main function, called exit, or just went away. The notes are made in the
candidate's own process: they catch what leaves early, not what forges them as well.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from maxcode.core import Frozen

End = Literal["returned", "exit", "gone"]
WORDS = {"returned": "returns from its main function", "exit": "calls exit", "gone": "leaves without either"}


class Ends(Frozen):
    """Ways in which programs ended: of all processes with the same arguments, and of all with the same name."""

    by_arguments: dict[str, frozenset[End]]
    by_name: dict[str, frozenset[End]]
    last: str | None
    """Program that the command's own process was in the end, after it had become others by exec; None where that
    varies."""

    def __or__(self, other: Ends) -> Ends:
        return Ends(
            by_arguments=_union(self.by_arguments, other.by_arguments),
            by_name=_union(self.by_name, other.by_name),
            last=self.last if self.last == other.last else None,
        )

    def unlike(self, original: Ends) -> str | None:
        """Description of a program that ended as none of the original's did; None when all ended as they should."""
        if original.by_name and not self.by_name:
            return "no program of the command noted its start"
        if original.last is not None and self.last != original.last:
            return f"its process ends as another program, or before its main function begins ({_name(self.last)})"
        same = {key: original.by_arguments[key] for key in self.by_arguments if key in original.by_arguments}
        seen = {key: self.by_arguments[key] for key in same} if same else self.by_name
        for key, ends in seen.items():
            usual = same[key] if same else original.by_name.get(key, ends)
            odd = sorted(ends - usual)
            if odd:
                return f"{_name(key)} {WORDS[odd[0]]}, where the original's {WORDS[min(usual)]}"
        return None


def _name(key: str | None) -> str:
    return key.rpartition(" ")[2] if key else "none"


def read_ends(notes: bytes) -> Ends:
    """Ends from the lines that ends.c wrote; other lines are skipped."""
    running: dict[str, str] = {}
    became: dict[str, str] = {}
    found: list[tuple[str, End]] = []
    for line in notes.decode(errors="replace").splitlines():
        what, _, rest = line.partition(" ")
        pid, _, key = rest.partition(" ")
        if what == "start" and " " in key:
            running[pid] = key  # the same process again: it has become another program by exec
            became[pid] = key
        elif what == "returned" and pid in running:
            found.append((running.pop(pid), "returned"))
        elif what == "exit" and pid in running:
            found.append((running.pop(pid), "exit"))
    found += [(key, "gone") for key in running.values()]
    by_name = _grouped([(_name(key), end) for key, end in found])
    return Ends(by_arguments=_grouped(found), by_name=by_name, last=next(iter(became.values()), None))


def _grouped(found: list[tuple[str, End]]) -> dict[str, frozenset[End]]:
    groups: dict[str, set[End]] = defaultdict(set)
    for key, end in found:
        groups[key].add(end)
    return {key: frozenset(ends) for key, ends in groups.items()}


def _union(a: dict[str, frozenset[End]], b: dict[str, frozenset[End]]) -> dict[str, frozenset[End]]:
    return {key: a.get(key, frozenset()) | b.get(key, frozenset()) for key in (*a, *b)}

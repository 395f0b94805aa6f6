"""Which optimisation techniques a C or C++ program really uses, read off its syntax tree.

Words in comments, in strings, in dead branches and in functions nobody calls do not count; what is hidden in macros
does. Structural techniques (blocking, packing, unrolling) are recognised by what loops and assignments do to each
other, not by names.
"""

from __future__ import annotations

from functools import lru_cache

from maxcode.train.techniques.blocking import blocks_for_cache
from maxcode.train.techniques.kinds import Technique
from maxcode.train.techniques.libraries import libraries
from maxcode.train.techniques.live import LiveCode, live_program
from maxcode.train.techniques.packing import packs
from maxcode.train.techniques.preprocess import preprocessed
from maxcode.train.techniques.registers import blocks_for_registers
from maxcode.train.techniques.unrolling import unrolls
from maxcode.train.techniques.words import by_words

__all__ = ["Technique", "libraries_of", "techniques_of"]

_STRUCTURE = {
    Technique.CACHE_BLOCKING: blocks_for_cache,
    Technique.PACKING: packs,
    Technique.REGISTER_BLOCKING: blocks_for_registers,
    Technique.UNROLLING: unrolls,
}


def techniques_of(source: str, entry: str | None = None) -> frozenset[Technique]:
    """The techniques in what can run of a program. `entry` is the function called from outside, where that is known;
    otherwise `main`, or every function that is visible outside. Where macros hide what it does, all of them."""
    program = _read(source, entry)
    if not program.readable:
        return frozenset(Technique)
    structural = {technique for technique, uses in _STRUCTURE.items() if uses(program)}
    return frozenset(by_words(program)) | structural


def libraries_of(source: str, entry: str | None = None) -> tuple[str, ...]:
    """Forbidden libraries that the program uses, by name."""
    return libraries(_read(source, entry))


@lru_cache(maxsize=64)
def _read(source: str, entry: str | None) -> LiveCode:
    return live_program(preprocessed(source), entry)

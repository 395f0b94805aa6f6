"""The search methods. Each file here holds one family: its selection rule, and `STRATEGIES`, the records that use it.

A file that is put here is found; a package of somebody else's offers records under the entry point
`maxcode.strategies`. `maxcode optimize --help`, completion and docs/reference/strategies.md follow the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from maxcode.core import InputError
from maxcode.plugins import table
from maxcode.search.strategy import ADDITIONS, Strategy


def _ours() -> Iterator[Strategy]:
    for module in iter_modules(__path__, f"{__name__}."):
        yield from import_module(module.name).STRATEGIES


STRATEGIES = table("maxcode.strategies", {each.name: each for each in _ours()}, Strategy)


DEFAULT, METHOD = "default", "cuda-llm+maxcode"
"""Plain name of the method that is used unless another is named, and the method."""


def additions(name: str) -> tuple[str, ...]:
    """Additions that fit the strategy of this name, those that it already has included."""
    found = strategy(name)
    return tuple(each for each, addition in ADDITIONS.items() if addition.fits(found))


def strategy(name: str) -> Strategy:
    """The strategy of a name such as `cuda-llm`, `mcts+maxcode` or `beam+maxcode+value`."""
    base, *added = name.split("+")
    if base == DEFAULT:
        base, *usual = METHOD.split("+")
        added = [*usual, *(each for each in added if each not in usual)]
    if base not in STRATEGIES:
        raise InputError(f"--strategy {name}: '{base}' is not known; use one of: {', '.join((DEFAULT, *STRATEGIES))}.")
    found = STRATEGIES[base]
    for each in added:
        if each not in ADDITIONS:
            known = ", ".join(f"+{addition}" for addition in ADDITIONS)
            raise InputError(f"--strategy {name}: '+{each}' is not known; use {known}.")
        if not ADDITIONS[each].fits(found):
            raise InputError(f"--strategy {name}: '+{each}' has a meaning only {ADDITIONS[each].where}; leave it out.")
        found = ADDITIONS[each].change(found)
    return replace(found, name=name)

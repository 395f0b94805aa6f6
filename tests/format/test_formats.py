"""One input is enough: everything made after it keeps what the format's own strict check demands."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from maxcode.format import alike, infer
from maxcode.format import tests as inputs
from tests.format import counted, uncounted

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))]


def _formats(module: ModuleType) -> dict[str, tuple[Callable[[random.Random], str], Callable[[str], None]]]:
    names = [name.removeprefix("check_") for name in vars(module) if name.startswith("check_")]
    return {name: (getattr(module, name), getattr(module, f"check_{name}")) for name in names}


FORMATS = _formats(counted) | _formats(uncounted)


def test_there_are_enough_formats() -> None:
    assert len(FORMATS) >= 30


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_made_is_legal(name: str, seed: int) -> None:
    generate, check = FORMATS[name]
    given = generate(random.Random(seed))
    check(given)
    format = infer([given])
    made = [*inputs(format, random.Random(seed)), *alike(format, random.Random(seed))]
    for each in made:
        if each.text == "":
            continue  # whether nothing is an input, only the program can tell
        try:
            check(each.text)
        except (AssertionError, ValueError, IndexError) as error:
            words = "\n".join(format.words())
            pytest.fail(f"{each.idea}: {error}\n{words}\n--- given\n{given[:400]}\n--- made\n{each.text[:400]}")


@pytest.mark.parametrize("name", FORMATS)
def test_there_is_something_to_test_with(name: str) -> None:
    generate, _ = FORMATS[name]
    format = infer([generate(random.Random(7))])
    sizes = {len(each.text) for each in inputs(format, random.Random(7))}
    assert len(sizes) >= (1 if name == "settings" else 6)

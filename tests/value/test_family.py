"""The generated family: many programs, all different, all sound."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest

from maxcode.core import InputError, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.task import load_task
from maxcode.value.data import family_of
from maxcode.value.family import HERE, family, write_family


def test_members_are_different_programs() -> None:
    found = family(400)
    assert len({each.program for each in found}) == len({each.name for each in found}) == 400


def test_the_first_members_are_of_different_templates() -> None:
    templates = len(list(HERE.glob("*.c*")))
    assert len({family_of(each.name) for each in family(templates)}) == templates >= 20


def test_a_larger_family_begins_with_the_smaller() -> None:
    assert family(200)[:50] == family(50)
    assert family(50, seed=1) != family(50)


def test_no_placeholder_is_left() -> None:
    assert not any("${" in each.program or "${" in each.settings() for each in family(400))


def test_asking_for_too_many_is_said() -> None:
    with pytest.raises(InputError, match=r"--count 100000: the family has \d+ members"):
        family(100_000)


@pytest.mark.long
def test_every_template_compiles(tmp_path: Path) -> None:
    for folder in write_family(tmp_path, 20):
        task = load_task(folder)
        compiler = ["cc", "-std=c17"] if task.language == "c" else ["c++", "-std=c++17"]
        subprocess.run([*compiler, "-fsyntax-only", str(folder / task.main_file)], check=True)


@pytest.mark.long
def test_members_pass_their_own_tests(open_folder: Path) -> None:
    async def judged() -> list[Status]:
        async with LocalPool() as pool:
            tasks = [load_task(folder) for folder in write_family(open_folder, 20) if folder.name in CHEAP]
            return [(await pool(task, [task.baseline_candidate]))[0].status for task in tasks]

    assert asyncio.run(judged()) == [Status.OK, Status.OK]


CHEAP = ("columns-000", "divisors-000")
"""Two in C, which compile at once."""

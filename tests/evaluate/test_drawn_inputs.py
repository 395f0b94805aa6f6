"""Which inputs pairs are timed on: one each where there is a generator, several in turn where there are files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import InputError, Measurement, Mode, Verdict
from maxcode.evaluate.build import Builder
from maxcode.evaluate.cases import INPUTS_IN_SEARCH, CaseMaker, Programs
from maxcode.evaluate.judge import Equipment
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.kinds.program.judge import ProgramJudge
from maxcode.task import Task, load_task
from maxcode.task.ordinary import FILE_NAME

FOUND = Measurement(
    samples=(),
    clock="cpu",
    method="exclusive",
    verdict=Verdict.FASTER,
    speedup=2.0,
    ci_low=1.9,
    ci_high=2.1,
    alpha=0.01,
    machine="this",
)
SMALL = "3\n1 2 3\n"


@pytest.fixture
def maker(tmp_path: Path) -> Iterator[CaseMaker]:
    cpus = tuple(usable_cpus()[:1])
    with Sandbox() as sandbox:
        yield CaseMaker(Programs(sandbox, Builder(sandbox, cpus), cpus), tmp_path / "scratch")


def drawn(maker: CaseMaker, task: Task, count: int, mode: Mode) -> list[bytes]:
    found = []
    for number in range(count):
        with maker.drawn(task, 5, number, mode) as cases:
            found.append(cases[0].input.read_bytes())
    return found


def on_files(folder: Path, variants: int) -> Task:
    """The small task with a given file as its workload, and so many others like it."""
    (folder / "big.txt").write_text(SMALL)
    line = ""
    if variants:
        (folder / "big.variants").mkdir()
        for number in range(variants):
            (folder / f"big.variants/input.{number}.txt").write_text(f"3\n4 5 {number}\n")
        line = 'variants = "big.variants"\n'
    generated = 'generator = "generate.py"\narguments = ["100000"]\n'
    text = (folder / FILE_NAME).read_text()
    assert generated in text
    (folder / FILE_NAME).write_text(text.replace(generated, f'input = "big.txt"\n{line}'))
    return load_task(folder)


def test_every_pair_of_a_confirmation_has_an_input_of_its_own(maker: CaseMaker, small_task: Task) -> None:
    found = drawn(maker, small_task, 12, Mode.CONFIRM)
    assert len(set(found)) == 12


def test_a_confirmation_keeps_no_inputs(maker: CaseMaker, small_task: Task, tmp_path: Path) -> None:
    drawn(maker, small_task, 3, Mode.CONFIRM)
    assert not list((tmp_path / "scratch/inputs").glob("*/input.txt"))


def test_a_search_shares_a_few_inputs(maker: CaseMaker, small_task: Task) -> None:
    found = drawn(maker, small_task, 2 * INPUTS_IN_SEARCH, Mode.SEARCH)
    assert len(set(found)) == INPUTS_IN_SEARCH


@pytest.mark.parametrize("mode", list(Mode))
def test_a_file_and_its_variants_take_turns(maker: CaseMaker, small_task_folder: Path, mode: Mode) -> None:
    found = drawn(maker, on_files(small_task_folder, 3), 8, mode)
    assert sorted(found.count(each) for each in set(found)) == [2, 2, 2, 2]


def test_given_files_are_never_removed(maker: CaseMaker, small_task_folder: Path) -> None:
    task = on_files(small_task_folder, 1)
    drawn(maker, task, 4, Mode.CONFIRM)
    assert (task.folder / "big.txt").exists()
    assert (task.folder / "big.variants/input.0.txt").exists()


def test_variants_are_part_of_the_hash(small_task_folder: Path) -> None:
    task = on_files(small_task_folder, 2)
    before = task.hash
    (small_task_folder / "big.variants/input.1.txt").write_text("1\n9\n")
    assert load_task(small_task_folder).hash != before


def test_variants_without_inputs_are_an_error_that_names_the_folder(small_task_folder: Path) -> None:
    on_files(small_task_folder, 1)
    (small_task_folder / "big.variants/input.0.txt").unlink()
    with pytest.raises(InputError, match=r"workloads\.0\.variants: .*big\.variants has no input\.N\.txt"):
        load_task(small_task_folder)


@pytest.mark.parametrize(("variants", "said"), [(0, True), (2, False)])
def test_a_claim_on_one_fixed_input_says_so(small_task_folder: Path, variants: int, said: bool) -> None:
    task = on_files(small_task_folder, variants)

    with Sandbox(1, "a") as first, Sandbox(1, "b") as second:
        builder = Builder(first, (0,))
        judge = ProgramJudge(Equipment(1, (first, second), builder, (0,), small_task_folder, lambda _: True))
        assert ("one fixed input" in (judge.annotate(task, FOUND, Mode.CONFIRM).note or "")) is said

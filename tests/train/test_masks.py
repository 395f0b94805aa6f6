"""Masks: what they permit, the builds they imply, and programs judged under them."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

import pytest

from maxcode.bench.suites.hpc.shapes import load_hpc
from maxcode.core import Language, Outcome, Status
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.pool import LocalPool
from maxcode.evaluate.toolchain import toolchain
from maxcode.kinds.kernel.table import Kernel
from maxcode.task import load_task
from maxcode.task.model import Task
from maxcode.train.curriculum import STAGES
from maxcode.train.masks import EVERYTHING, Mask, rules_in_words, task_under, violations
from maxcode.train.techniques import Technique

KERNEL = Path(__file__).parents[2] / "examples" / "matmul"
NOTHING = Mask(name="nothing", permitted=frozenset())


def _task(cpus: int = 1) -> Task:
    return load_task(KERNEL, {"limits": {"cpus": cpus}})


def _assembly(task: Task, source: str, folder: Path) -> str:
    (folder / "kernel.cpp").write_text(source)
    flags = [*task.build.flags, "-S", "-o", "-", str(folder / "kernel.cpp")]
    command = [str(toolchain().compiler(Language.CPP)), *flags]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _packed(assembly: str) -> bool:
    return re.search(r"\b(?:v?(?:mul|add)pd|vfn?madd\d+pd|fmla\s+v)\b", assembly) is not None


PLAIN = "void f(int n, double *__restrict a, const double *b) { %s for (int i = 0; i < n; i++) a[i] += 3 * b[i]; }"


def test_without_simd_the_compiler_does_not_vectorise(tmp_path: Path) -> None:
    assert _packed(_assembly(task_under(_task(), EVERYTHING), PLAIN % "", tmp_path))
    assert not _packed(_assembly(task_under(_task(), NOTHING), PLAIN % "", tmp_path))


@pytest.mark.parametrize(
    "source",
    [
        '__attribute__((optimize("tree-vectorize"))) ' + PLAIN % "",
        '#pragma GCC optimize("tree-loop-vectorize")\n' + PLAIN % "",
        PLAIN.replace("void f", '__attribute__((optimize("O3"))) void f') % "\n#pragma omp simd\n",
    ],
)
def test_what_turns_vectors_on_again_breaks_the_mask(source: str) -> None:
    scalar = Mask(name="scalar", permitted=frozenset(Technique) - {Technique.SIMD})
    assert any("SIMD" in each for each in violations(source, scalar, "f"))


def test_vectors_turned_on_by_a_level_stay_off(tmp_path: Path) -> None:
    """An optimisation level in the source is a hint, not SIMD: the compiler keeps to the flags."""
    source = '#pragma GCC optimize("O3,fast-math")\n' + PLAIN % ""
    assert not _packed(_assembly(task_under(_task(), NOTHING), source, tmp_path))


def test_threads_are_linked_only_where_permitted() -> None:
    threads = Mask(name="threads", permitted=frozenset({Technique.OPENMP}))
    assert "-fopenmp" in task_under(_task(4), threads).build.flags
    assert task_under(_task(4), threads).limits.cpus == 4
    assert "-fopenmp" not in task_under(task_under(_task(4), threads), NOTHING).build.flags
    assert task_under(_task(4), NOTHING).limits.cpus == 1


@pytest.mark.parametrize("mask", [NOTHING, *STAGES])
def test_a_masked_task_is_the_same_again_and_elsewhere(mask: Mask) -> None:
    once = task_under(_task(2), mask)
    assert task_under(once, mask) == once
    assert load_task(once.folder, once.changes).hash == once.hash
    assert Mask.model_validate_json(mask.model_dump_json()) == mask


def test_no_mask_permits_a_library() -> None:
    source = "#include <cblas.h>\nvoid f(void) { cblas_dgemm(); }"
    assert violations(source, EVERYTHING) == ("uses BLAS: no library may do the work",)


def test_the_rules_name_what_is_not_permitted() -> None:
    said = rules_in_words(STAGES[1]).splitlines()
    assert "cache blocking" in said[0]
    assert "SIMD" in said[1]
    assert "cache blocking" not in said[1]


def test_the_task_s_own_program_keeps_to_every_mask() -> None:
    task = _task()
    source = task.baseline_candidate.files[task.main_file]
    assert violations(source, NOTHING, task.table(Kernel).function) == ()


TEAM = """
    int team = 0;
#pragma omp parallel reduction(+ : team)
    team += 1;
    if (team != 2) __builtin_trap();
"""


@pytest.mark.long
@pytest.mark.skipif(len(usable_cpus()) < 2, reason="threads need two CPUs")
def test_threads_run_where_they_are_permitted() -> None:
    """The sandbox has the library, lets threads start, and the program gets as many as the task has CPUs."""
    small = load_hpc("dgemm", m=96, n=96, k=96)
    task = task_under(load_task(small.folder, {**small.changes, "limits": {"seconds": 2, "cpus": 2}}), EVERYTHING)
    source = task.baseline_candidate.files[task.main_file]
    begin = source.index("{", source.index("void dgemm(")) + 1
    outcome = asyncio.run(_judged(task, source[:begin] + TEAM + source[begin:]))
    assert outcome.status is Status.OK, outcome.reason


async def _judged(task: Task, source: str) -> Outcome:
    async with LocalPool(use_cache=False) as evaluate:
        (outcome,) = await evaluate(task, [task.candidate(source)], measure=False)
    return outcome

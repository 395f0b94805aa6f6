"""Benchmarks in the layout of PolyBench/C: only the kernel can be changed, and its results are what counts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.bench.suites.making.loading import made_side_by_side
from maxcode.bench.suites.making.problem import LoadedSuite, Refused
from maxcode.bench.suites.polybench.kernels import make_polybench, read_polybench, split
from maxcode.cli.main import app
from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.task import load_task
from tests.bench.packages import write

HEADER = """#ifndef POLYBENCH_H
#define POLYBENCH_H
#include <stdlib.h>
#define POLYBENCH_2D(name, rows, columns, r, c) name[rows][columns]
#define POLYBENCH_2D_ARRAY_DECL(name, type, rows, columns, r, c) \\
  type (*name)[rows][columns] = (type (*)[rows][columns])polybench_alloc_data((rows) * (columns), sizeof(type))
#define POLYBENCH_ARRAY(name) *name
#define polybench_prevent_dce(work) if (argc > 42) work
#define polybench_start_instruments
#define polybench_stop_instruments
void *polybench_alloc_data(unsigned long count, int size);
#endif
"""
UTILITIES = '#include "polybench.h"\nvoid *polybench_alloc_data(unsigned long n, int s) { return malloc(n * s); }\n'
SIZES = "#define DATA_TYPE double\n#ifdef MINI_DATASET\n#define N 40\n#else\n#define N 300\n#endif\n"
BENCHMARK = """/* A product. */
#include <stdio.h>
#include <polybench.h>
#include "mul.h"

/* Array initialization. */
static
void init_array(int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n), DATA_TYPE POLYBENCH_2D(C,N,N,n,n)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) { A[i][j] = (i * j + 1.0) / n; C[i][j] = i - j; }
}

static
void print_array(int n, DATA_TYPE POLYBENCH_2D(C,N,N,n,n)) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) fprintf(stderr, "%0.2lf ", C[i][j]);
}

/* Timed. */
static
void kernel_mul(int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n), DATA_TYPE POLYBENCH_2D(C,N,N,n,n))
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * A[k][j];
}

int main(int argc, char** argv) {
  int n = N;
  POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N, n, n);
  POLYBENCH_2D_ARRAY_DECL(C, DATA_TYPE, N, N, n, n);
  init_array (n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(C));
  polybench_start_instruments;
  kernel_mul (n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(C));
  polybench_stop_instruments;
  polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(C)));
  return 0;
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    write(tmp_path / "utilities/polybench.h", HEADER)
    write(tmp_path / "utilities/polybench.c", UTILITIES)
    write(tmp_path / "linear-algebra/mul/mul.h", SIZES)
    write(tmp_path / "linear-algebra/mul/mul.c", BENCHMARK)
    write(tmp_path / "linear-algebra/odd/odd.h", SIZES)
    write(tmp_path / "linear-algebra/odd/odd.c", "int main() { return 0; }\n")
    return tmp_path


def made(checkout: Path, size: str) -> LoadedSuite:
    return made_side_by_side(read_polybench(checkout), lambda each, programs: make_polybench(each, size, programs))


def test_a_kernel_becomes_a_task_and_an_odd_file_is_told(checkout: Path) -> None:
    suite = made(checkout, "mini")
    assert [each.name for each in suite.tasks] == ["mul"]
    assert suite.messages == ["odd: left out: has no function void kernel_NAME(...)"]


@pytest.mark.timing
@pytest.mark.long
def test_a_faster_kernel_is_faster_and_one_that_skips_work_is_wrong(checkout: Path) -> None:
    task = load_task(made(checkout, "medium").tasks[0].folder or "")
    assert task.main_file == "kernel.c"
    before = task.read("kernel.c")
    loops = "for (int j = 0; j < n; j++)\n      for (int k = 0; k < n; k++)"
    swapped = before.replace(loops, "for (int k = 0; k < n; k++)\n      for (int j = 0; j < n; j++)")
    lazy = before.replace("i < n;", "i < n - 1;")
    assert before not in (swapped, lazy)

    async def ask() -> list[Outcome]:
        async with LocalPool() as pool:
            return await pool(task, [task.candidate(swapped), task.candidate(lazy)])

    fast, wrong = asyncio.run(ask())
    assert fast.status is Status.OK and fast.measurement and fast.measurement.ci_low > 1, fast
    assert wrong.status is Status.WRONG


def test_the_kernel_is_cut_out_of_its_file() -> None:
    kernel, rest = split(BENCHMARK)
    assert "void kernel_mul(int n" in kernel and "init_array" not in kernel and "static" not in kernel
    assert "A[i][k] * A[k][j]" not in rest and "maxcode_fold((DATA_TYPE *)&POLYBENCH_ARRAY(C)" in rest


def test_a_main_of_another_kind_is_refused() -> None:
    with pytest.raises(Refused, match="its main has no"):
        split(BENCHMARK.replace("polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(C)));", ""))


def test_a_folder_that_is_not_polybench_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"utilities/polybench\.h"):
        read_polybench(tmp_path)


def test_the_command_lists_what_it_made(checkout: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "polybench", "--path", str(checkout), "--size", "mini", "--only-load"])
    assert result.exit_code == 0 and "mul: 2 tests" in result.stdout, result.stderr

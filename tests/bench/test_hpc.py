"""HPC kernels: each is sound at small shapes, and what they are compared with makes sense."""

from __future__ import annotations

import asyncio
import json

import pytest
from typer.testing import CliRunner

from maxcode.bench.cell import Cell
from maxcode.bench.roofline.roofs import MachineRoofs, local_rate, peak_task, remote_rates, work_of
from maxcode.bench.suites.hpc.library import Library, library_speed
from maxcode.bench.suites.hpc.shapes import FAMILIES, family_of, hpc_tasks, load_hpc
from maxcode.bench.suites.hpc.yardsticks import Yardsticks, hpc_table, reached
from maxcode.cli.main import app
from maxcode.core import Candidate, InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.kernel.table import Kernel
from maxcode.task import Task

ROOFS = MachineRoofs(machine="m", cpus=1, gflops=100.0, gflops_scalar=10.0, bandwidth={1 << 20: 50.0, 1 << 24: 10.0})


@pytest.mark.long
def test_every_baseline_is_right_and_an_empty_program_is_not() -> None:
    """At the verification shapes, which are small; nothing is timed."""
    tasks = [load_hpc(family.name) for family in FAMILIES]

    async def main() -> list[list[Outcome]]:
        async with LocalPool() as pool:
            return await asyncio.gather(*(pool(task, programs(task), measure=False) for task in tasks))

    for task, (right, wrong) in zip(tasks, asyncio.run(main()), strict=True):
        assert right.status is Status.OK, (task.name, right.reason)
        assert wrong.status is Status.WRONG, (task.name, wrong.status, wrong.reason)


def programs(task: Task) -> list[Candidate]:
    return [task.baseline_candidate, task.candidate(f"{task.table(Kernel).signature} {{}}\n")]


def test_work_is_what_the_kernel_does() -> None:
    work = work_of(load_hpc("dgemm", m=10, n=20, k=30))
    assert work and work.flops == 2 * 10 * 20 * 30 and work.bytes == 8 * (10 * 30 + 30 * 20 + 10 * 20)


def test_shapes_are_named_kept_apart_and_checked() -> None:
    assert load_hpc("dgemm", m=64, n=64, k=64).name == "dgemm-64"
    assert load_hpc("gemv", m=512, n=384).name == "gemv-512x384"
    training, held_out = (hpc_tasks(training=which, held_out=not which) for which in (True, False))
    assert not {task.name for task in training} & {task.name for task in held_out}
    assert not family_of("trsm").training and len({task.name for task in hpc_tasks()}) == len(training + held_out)
    with pytest.raises(InputError, match="no kernel 'dgem'"):
        load_hpc("dgem")
    with pytest.raises(InputError, match="its sizes are: m, n, k"):
        load_hpc("dgemm", rows=3)
    with pytest.raises(InputError, match="n must be 2\\^stages"):
        load_hpc("fft", n=100)
    with pytest.raises(InputError, match="above 0"):
        load_hpc("dgemm", m=0)


def test_the_lower_roof_counts() -> None:
    dgemm, gemv = load_hpc("dgemm"), load_hpc("gemv", m=2048, n=2048)
    assert ROOFS.roof(dgemm) == 100.0 and ROOFS.roof(dgemm, vectors=False) == 10.0
    work = work_of(gemv)
    assert work and ROOFS.roof(gemv) == pytest.approx(work.intensity * 10.0)
    assert ROOFS.bandwidth_at(100) == ROOFS.bandwidth_at(1 << 23) == 50.0


@pytest.mark.timing
@pytest.mark.long
def test_vectors_do_more_than_scalars_on_this_machine() -> None:
    scalar, vector = local_rate(peak_task(1)), local_rate(peak_task(1), "fastest.c")
    assert 0.1 < scalar < 100 and 1.3 * scalar < vector < 40 * scalar


@pytest.mark.long
def test_elsewhere_roofs_are_measured_by_the_evaluator() -> None:
    async def main() -> tuple[float, float]:
        async with LocalPool(1) as pool:
            return await remote_rates(pool, peak_task(1))

    scalar, vector = asyncio.run(main())
    assert 0 < scalar < vector


@pytest.mark.timing
def test_a_library_is_timed_beside_the_baseline() -> None:
    found = library_speed(load_hpc("dgemm", m=96, n=96, k=96), pairs=4)
    assert found and found.name == "NumPy (BLAS)" and found.ci_low <= found.speedup <= found.ci_high
    assert found.speedup > 1.5
    assert library_speed(load_hpc("nbody")) is None


def test_the_share_of_a_library_carries_both_doubts() -> None:
    ratio, low, high = Library(name="l", speedup=10, ci_low=9, ci_high=11).share(5, 4.5, 5.5)
    assert (ratio, low, high) == pytest.approx((0.5, 4.5 / 11, 5.5 / 9))


def test_rows_take_the_median_search_of_each_method() -> None:
    work = work_of(load_hpc("dgemm"))
    assert work is not None
    library = Library(name="NumPy (BLAS)", speedup=10, ci_low=9, ci_high=11)
    each = Yardsticks(task="dgemm-256", work=work, naive=2.0, roof=100.0, roofs=ROOFS, library=library)
    cells = [
        Cell(
            task="dgemm-256", method="flat", seed=seed, run="r", best="b", speedup=speedup, ci_low=speedup,
            ci_high=speedup, rewards=(), depths=(), built=0, right=0, changed=0, rounds=(), evals=1, tokens=0,
            critique_tokens=0, usd=None, seconds=1.0,
        )
        for seed, speedup in enumerate((9.0, 5.0, 1.0))
    ]  # fmt: skip
    (row,) = reached([each], cells)
    assert row.speedup == 5.0 and row.gflops == 10.0 and row.share_of_roof == 0.1 and row.library_gflops == 20.0
    table = hpc_table([each], [row])
    assert table.rows[0][:2] == ("dgemm-256", "flat") and "0.50" in table.rows[0][-1] and "100 GFLOPS" in table.note
    assert reached([each], [])[0].method is None


def test_the_command_lists_the_tasks_and_names_what_it_does_not_know() -> None:
    found = CliRunner().invoke(
        app, ["bench", "hpc", "--tasks", "gemv", "--shapes", "held-out", "--only-load", "--json"]
    )
    (line,) = found.stdout.splitlines()
    assert found.exit_code == 0 and json.loads(line)["task"] == "gemv-2048x384"
    wrong = CliRunner().invoke(app, ["bench", "hpc", "--tasks", "gemv-1"])
    assert wrong.exit_code == 2 and "'gemv-1' is not there" in wrong.output

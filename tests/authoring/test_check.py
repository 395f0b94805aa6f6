"""Is a task sound? Found out by running it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from maxcode.authoring.finding import Finding
from maxcode.core import Candidate, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.kernel.check import calls_finding, wrong_kernels
from maxcode.kinds.program.check import wrong_programs
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK

pytestmark = pytest.mark.long
BASELINE = """\
#include <stdio.h>
int main(void) {
    char line[1000];
    if (fgets(line, sizeof line, stdin)) fputs(line, stdout);
    return 0;
}
"""
SETTINGS = """\
name = "echo"
kind = "program"
language = "c"
baseline = "baseline.c"

[tests]
hidden = "tests"

[[workloads]]
name = "w"
input = "tests/input.0.txt"

[limits]
seconds = 2
"""


def make(folder: Path, *inputs: str, answers: tuple[str, ...] | None = None) -> Task:
    (folder / "tests").mkdir()
    for number, text in enumerate(inputs):
        (folder / f"tests/input.{number}.txt").write_text(text + "\n")
        (folder / f"tests/output.{number}.txt").write_text((answers or inputs)[number] + "\n")
    (folder / "baseline.c").write_text(BASELINE)
    (folder / "task.toml").write_text(SETTINGS)
    return load_task(folder)


async def _check(task: Task) -> list[Finding]:
    async with LocalPool(1) as pool:
        return await task.kind.check(task, pool)


def check(task: Task) -> dict[str, Finding]:
    return {finding.name: finding for finding in asyncio.run(_check(task))}


@pytest.mark.long
def test_task_whose_tests_are_too_weak_is_found_out(tmp_path: Path) -> None:
    findings = check(make(tmp_path, "same"))
    weak = findings["constant program fails"]
    assert not weak.ok
    assert weak.serious
    assert "add tests" in (weak.fix or "")
    assert findings["baseline passes"].ok


def test_task_whose_tests_tell_programs_apart_is_sound(tmp_path: Path) -> None:
    findings = check(make(tmp_path, "one", "two words"))
    assert [f.name for f in findings.values() if f.serious and not f.ok] == []
    assert {f"{name} program fails" for name in ("empty", "constant", "truncated", "crashing")} <= set(findings)


def test_workload_that_is_too_short_is_noted_but_not_serious(tmp_path: Path) -> None:
    finding = check(make(tmp_path, "one", "two"))["workload length"]
    assert not finding.ok
    assert not finding.serious
    assert "Too short" in (finding.fix or "")


def test_baseline_that_fails_its_own_test_is_found_out(tmp_path: Path) -> None:
    findings = check(make(tmp_path, "one", "two", answers=("one", "three")))
    assert list(findings) == ["baseline passes"]
    assert not findings["baseline passes"].ok
    assert "hidden test 1" in findings["baseline passes"].detail


async def _statuses(task: Task, wrong: Callable[[Task], dict[str, Candidate]] = wrong_programs) -> dict[str, Status]:
    probes = wrong(task)
    async with LocalPool(1, use_cache=False) as pool:
        outcomes = await pool(task, list(probes.values()), measure=False)
    return dict(zip(probes, (o.status for o in outcomes), strict=True))


@pytest.mark.parametrize(
    ("name", "wrong"), [("total", wrong_programs), ("total_py", wrong_programs), ("smooth", wrong_kernels)]
)
def test_wrong_programs_build_and_fail(name: str, wrong: Callable[[Task], dict[str, Candidate]]) -> None:
    """A wrong program that does not build would say nothing about the tests."""
    assert asyncio.run(_statuses(load_task(SMALL_TASK.parent / name), wrong)) == {
        "empty": Status.WRONG,
        "constant": Status.WRONG,
        "truncated": Status.WRONG,
        "crashing": Status.CRASHED,
    }


AWKWARD = ['say "hi" \\ 100% ??= ??/', "tab\tand \x01\x7f", "ünïcödé", "\\u0041 \\n", "one\n\ntwo"]


@pytest.mark.parametrize("answer", AWKWARD, ids=ascii)
def test_constant_program_prints_the_answer_whole(tmp_path: Path, answer: str) -> None:
    """Otherwise it would fail whatever the tests, and say nothing about them."""
    task = make(tmp_path, "x", answers=(answer,))
    assert asyncio.run(_statuses(task))["constant"] is Status.OK


@pytest.mark.parametrize(("name", "varies"), [("grid", False), ("smooth", True)])
def test_a_kernel_whose_calls_are_all_the_same_is_told(name: str, varies: bool) -> None:
    found = calls_finding(load_task(Path(__file__).parents[1] / "adversarial" / "tasks" / name))
    assert (found.ok, found.serious) == (varies, False)

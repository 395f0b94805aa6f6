"""Candidates of a repository: good ones win, and none can change what judges it."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from maxcode.core import InputError, Status, Verdict
from maxcode.evaluate.sandbox.leftovers import left_behind
from maxcode.kinds.command.copies import restore, tracks_dependencies
from maxcode.task import Task, load_task
from tests.kinds.command.conftest import FAST, FILES, TASK, candidate, judge, make_repository

pytestmark = pytest.mark.long


@pytest.mark.timing
def test_a_faster_candidate_is_faster(task: Task) -> None:
    outcome = judge(task, candidate(task, sum_c=FAST), measure=True)
    assert outcome.status is Status.OK, outcome.reason
    assert outcome.measurement is not None
    assert outcome.measurement.verdict is Verdict.FASTER
    assert outcome.measurement.speedup > 1.5


def test_several_files_change_together(task: Task) -> None:
    outcome = judge(
        task,
        candidate(
            task,
            sum_c=FAST.replace("scale(v[j])", "three_times(v[j])").replace(
                "int supp", "long three_times(long);\nint supp"
            ),
            scale_c="long three_times(long x) { return x + x + x; }\n",
        ),
    )
    assert outcome.status is Status.OK, outcome.reason
    assert outcome.verification is not None
    assert outcome.verification.passed == outcome.verification.total == 5


def test_a_wrong_candidate_fails_with_the_words_of_the_tests(task: Task) -> None:
    outcome = judge(task, candidate(task, scale_c="long scale(long x) { return 2 * x; }\n"))
    assert outcome.status is Status.WRONG
    assert "total of 1: wrong" in (outcome.reason or "")


def test_a_candidate_that_does_not_compile_says_why(task: Task) -> None:
    outcome = judge(task, candidate(task, scale_c="long scale(long x) { return y; }\n"))
    assert outcome.status is Status.BUILD_ERROR
    assert "undeclared" in (outcome.reason or "")


def test_tests_that_disappear_are_noticed(task: Task) -> None:
    outcome = judge(task, candidate(task, sum_c=FILES["sum.c"].replace("n >= 0", "n == 0")))
    assert outcome.status is Status.WRONG
    assert "1 tests passed where the original passes 5" in (outcome.reason or "")


@pytest.mark.parametrize("name", ["check.c", "Makefile", "new.c"])
def test_what_judges_may_not_be_changed(task: Task, name: str) -> None:
    changed = candidate(task)
    outcome = judge(task, changed.model_copy(update={"files": {**changed.files, name: "int main(void) {}\n"}}))
    assert outcome.status is Status.REJECTED
    assert f"{name} may not be changed" in (outcome.reason or "")


def test_a_bench_that_prints_something_else_is_wrong(task: Task) -> None:
    lazy = FAST.replace("int i = 0; i < n", "int i = 0; i < n && i < 100")
    outcome = judge(task, candidate(task, sum_c=lazy), measure=True)
    assert outcome.status is Status.WRONG
    assert "something else than the original" in (outcome.reason or "")


@pytest.mark.parametrize("call", ["socket(1, 1, 0)", "fork()", "_exit(0)", "syscall(41, 1, 1, 0)"])
def test_calls_that_the_original_does_not_make_are_refused(task: Task, call: str) -> None:
    text = f"#include <sys/socket.h>\n#include <unistd.h>\n{FILES['sum.c']}void never(void) {{ {call}; }}\n"
    outcome = judge(task, candidate(task, sum_c=text))
    assert outcome.status is Status.REJECTED
    assert f"calls {call.split('(')[0]}" in (outcome.reason or "")


def test_a_clock_of_its_own_is_refused(task: Task) -> None:
    own = FILES["sum.c"] + "int clock_gettime(int c, long *t) { t[0] = c; t[1] = 0; return 0; }\n"
    outcome = judge(task, candidate(task, sum_c=own))
    assert outcome.status is Status.REJECTED
    assert "defines clock_gettime" in (outcome.reason or "")


def test_nothing_is_written_outside_the_copy(task: Task, repository: Path) -> None:
    name = f"leak-{uuid.uuid4().hex}"
    places = [f"/tmp/{name}", f"/usr/{name}", f"../{name}", f"/box/tree/{name}", f"{repository}/{name}"]
    writes = "".join(f'f = fopen("{place}", "w"); if (f) fclose(f);' for place in places)
    leak = f"__attribute__((constructor)) static void leak(void) {{ FILE *f; {writes} }}\n"
    text = f"#include <stdio.h>\n{FILES['sum.c']}{leak}"
    assert judge(task, candidate(task, sum_c=text)).status is Status.OK
    assert not [place for place in ("/tmp", "/usr", repository, repository.parent) if Path(place, name).exists()]


@pytest.mark.alone
def test_processes_left_by_a_test_command_are_ended(repository: Path) -> None:
    (repository / "task.toml").write_text(TASK.replace('["./check"]', '"sleep 1000 & ./check"'))
    task = load_task(repository)
    before = set(left_behind())
    assert judge(task, candidate(task)).status is Status.OK
    assert not [each for each in set(left_behind()) - before if "sleep" in each]


def test_tests_have_no_network(repository: Path) -> None:
    attempt = 'import socket; socket.create_connection((\\"127.0.0.1\\", 9), 1)'
    (repository / "task.toml").write_text(TASK.replace('["./check"]', f"\"python -c '{attempt}'\""))
    task = load_task(repository)
    with pytest.raises(InputError, match="PermissionError"):
        judge(task, candidate(task))


def test_a_forged_number_is_not_believed(tmp_path: Path) -> None:
    toml = TASK + "number = 'seconds: ([0-9.e+-]+)'\n"
    task = load_task(make_repository(tmp_path / "forged", toml=toml, bench_number='printf("seconds: 0.05\\n");'))
    forged = f"""#include <stdio.h>
{FILES["sum.c"]}
__attribute__((destructor)) static void boast(void) {{ printf("seconds: 0.000001\\n"); }}
"""
    outcome = judge(task, candidate(task, sum_c=forged), measure=True)
    assert outcome.status is Status.REJECTED
    assert "by the clock outside" in (outcome.reason or "")


def test_a_repository_that_fails_its_own_tests_is_bad_input(repository: Path) -> None:
    (repository / "scale.c").write_text("long scale(long x) { return x; }\n")
    task = load_task(repository)
    with pytest.raises(InputError, match=r"command\.test fails on the repository as it is"):
        judge(task, candidate(task))


def test_files_that_a_build_changed_are_put_back(task: Task, tmp_path: Path) -> None:
    built, elsewhere = tmp_path / "built", tmp_path / "elsewhere"
    built.mkdir()
    elsewhere.mkdir()
    (built / "check.c").symlink_to(elsewhere / "check.c")
    (built / "Makefile").write_text("check:\n\ttrue\n")
    (built / "made.o").write_text("object")
    restore(task, candidate(task, sum_c=FAST), task.root, built)
    assert (built / "check.c").read_text() == FILES["check.c"]
    assert (built / "Makefile").read_text() == FILES["Makefile"]
    assert (built / "sum.c").read_text() == FAST
    assert (built / "made.o").exists()
    assert not list(elsewhere.iterdir())


def test_building_on_a_build_needs_a_tool_that_tracks_dependencies(tmp_path: Path) -> None:
    assert not tracks_dependencies(tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "CMakeCache.txt").touch()
    assert tracks_dependencies(tmp_path)

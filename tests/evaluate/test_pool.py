"""The local engine on a real task: verdicts, secrets, caching, and workers that die."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from maxcode.core import InputError, Mode, Outcome, Status, Verdict
from maxcode.evaluate.pool import LocalPool
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK

pytestmark = pytest.mark.long
KERNEL_TASK = SMALL_TASK.parent / "smooth"

TALKATIVE = r"""
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
int main() {
    std::string all((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    std::cout << all << std::endl;
    std::cerr << all << std::endl;
    CRASH
}
"""

HONEST = r"""
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n = 0;
    if (scanf("%d", &n) != 1) return 0;
    std::vector<long long> v(n);
    long long sum = 0;
    for (auto &x : v) { if (scanf("%lld", &x) != 1) return 1; sum += x; }
    std::sort(v.begin(), v.end());
    long long most = v.empty() ? 0 : v.back();
    printf("%lld %lld %zu\n", sum, most, std::unique(v.begin(), v.end()) - v.begin());
}
"""


async def _judge(task: Task, sources: list[str], mode: Mode, use_cache: bool, measure: bool) -> list[Outcome]:
    async with LocalPool(1, use_cache=use_cache) as pool:
        return await pool(task, [task.candidate(text) for text in sources], mode=mode, measure=measure)


def judge(
    task: Task, *sources: str, mode: Mode = Mode.SEARCH, use_cache: bool = False, measure: bool = False
) -> list[Outcome]:
    return asyncio.run(_judge(task, list(sources), mode, use_cache, measure))


@pytest.fixture(scope="module")
def task() -> Task:
    return load_task(SMALL_TASK)


@pytest.fixture(scope="module")
def kernel_task() -> Task:
    return load_task(KERNEL_TASK)


@pytest.mark.timing
def test_baseline_is_never_faster_than_itself(task: Task) -> None:
    (outcome,) = judge(task, task.baseline_candidate.files["baseline.cpp"], measure=True)
    assert outcome.status is Status.OK
    assert outcome.measurement is not None
    assert outcome.measurement.verdict in (Verdict.TIE, Verdict.UNCLEAR)
    assert outcome.verification is not None
    assert outcome.verification.passed == outcome.verification.total == 10


def test_files_of_the_users_folder_are_no_modules_of_ours(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "maxcode.py").write_text("raise SystemExit('a module of the user')")
    monkeypatch.chdir(tmp_path)
    (outcome,) = judge(task, HONEST)
    assert outcome.status is Status.OK


@pytest.mark.timing
def test_faster_program_is_faster(task: Task) -> None:
    (outcome,) = judge(task, HONEST, measure=True)
    assert outcome.status is Status.OK, outcome.reason
    assert outcome.measurement is not None
    assert outcome.measurement.verdict is Verdict.FASTER
    assert outcome.measurement.ci_low > 1


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        ("int main() { return missing; }\n", Status.BUILD_ERROR, "baseline.cpp:1:21"),
        ("int main() { for (;;) {} }\n", Status.TIMEOUT, "time limit of 1 s"),
        ("int main() { return 3; }\n", Status.CRASHED, "exit code 3"),
        ("int main() { __builtin_trap(); }\n", Status.CRASHED, "SIGILL"),
        ('#include <cstdio>\nint main() { puts("1 2 3"); }\n', Status.WRONG, "expected '39', got '1'"),
        ('#include "/etc/passwd"\nint main() {}\n', Status.REJECTED, "/etc/passwd"),
        ("#include <unistd.h>\nint main() { fork(); }\n", Status.REJECTED, "fork"),
    ],
    ids=["build error", "timeout", "exit code", "signal", "wrong", "include", "fork"],
)
def test_failure_has_its_status_and_a_reason(task: Task, source: str, status: Status, words: str) -> None:
    (outcome,) = judge(task, source)
    assert outcome.status is status
    assert words in (outcome.reason or "")
    assert outcome.measurement is None


@pytest.mark.parametrize(
    ("source", "sanitized"), [("int main() { return 1; }", False), ("not a program", False), (HONEST, True)]
)
def test_sanitized_is_said_only_of_what_sanitizers_have_seen(task: Task, source: str, sanitized: bool) -> None:
    async def main() -> list[Outcome]:
        async with LocalPool(use_cache=False) as pool:
            return await pool(task, [task.candidate(source)], measure=False, sanitize=True)

    assert [each.sanitized for each in asyncio.run(main())] == [sanitized]


def hidden_words(task: Task) -> set[str]:
    """Every longer word of the hidden tests that the public ones do not have."""

    def words(folder: str | None) -> set[str]:
        assert folder is not None
        return {w for path in (task.folder / folder).iterdir() for w in path.read_text().split() if len(w) > 5}

    return words(task.tests.hidden) - words(task.tests.public)


def talk(ending: str) -> str:
    return TALKATIVE.replace("CRASH", ending)


def told_of_hidden_tests(outcome: Outcome) -> list[str]:
    secret = hidden_words(load_task(SMALL_TASK))
    assert len(secret) > 100
    text = outcome.model_dump_json()
    return [word for word in secret if word in text]


def test_hidden_tests_are_not_in_the_outcome_of_a_program_that_prints_its_input(task: Task) -> None:
    (outcome,) = judge(task, talk(""))
    assert outcome.status is Status.WRONG
    assert told_of_hidden_tests(outcome) == []


@pytest.mark.parametrize("ending", ["", "abort();", "return 1;", "throw all;", "for (;;) {}"])
def test_hidden_tests_are_not_in_the_outcome_however_the_program_ends(small_task_folder: Path, ending: str) -> None:
    file = small_task_folder / "task.toml"
    settings = file.read_text().replace('public = "tests/public"\n', "").replace("\nseconds = 1\n", "\nseconds = 0.3\n")
    file.write_text(settings)
    (outcome,) = judge(load_task(small_task_folder), talk(ending))
    assert outcome.status is not Status.OK
    assert outcome.reason
    assert told_of_hidden_tests(outcome) == []


LEAKING_KERNEL = r"""
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/stat.h>
static void tell() {
    struct stat info;
    fstat(5, &info);
    auto *words = (long long *)mmap(0, info.st_size, PROT_READ, MAP_SHARED, 5, 0);
    auto *last = (double *)((char *)words + words[2 + 3 * (words[0] - 1) + 1]);
    fprintf(stderr, "hidden input begins with %.17g\n", last[0]);
    abort();
}
BEFORE
extern "C++" void smooth(int n, const double *x, double *y) { tell(); }
"""


@pytest.mark.parametrize(
    "before", ["", "__attribute__((constructor)) static void early() { tell(); }"], ids=["call", "start"]
)
def test_hidden_inputs_of_a_kernel_are_not_in_the_outcome(kernel_task: Task, before: str) -> None:
    """Its words are shown for public shapes: by then neither sizes nor data of hidden ones may be there to read."""
    (outcome,) = judge(kernel_task, LEAKING_KERNEL.replace("BEFORE", before))
    assert outcome.status is Status.CRASHED, outcome.reason
    assert "hidden input begins" not in outcome.model_dump_json()


def test_kernel_baseline_passes_its_own_tests(kernel_task: Task) -> None:
    (outcome,) = judge(kernel_task, kernel_task.baseline_candidate.files["baseline.cpp"])
    assert outcome.status is Status.OK, outcome.reason


def test_second_evaluation_is_cached_and_equal(task: Task) -> None:
    first, second = (judge(task, HONEST + "// cached\n", use_cache=True)[0] for _ in range(2))
    assert (first.cached, second.cached) == (False, True)
    assert second.model_copy(update={"cached": False}) == first


def test_cache_is_left_alone_when_told_so(task: Task) -> None:
    judge(task, HONEST + "// not cached\n", use_cache=True)
    assert not judge(task, HONEST + "// not cached\n", use_cache=False)[0].cached


def test_confirming_ignores_the_cache(task: Task) -> None:
    source = HONEST + "// confirmed\n"
    judge(task, source, use_cache=True)
    (outcome,) = judge(task, source, use_cache=True, mode=Mode.CONFIRM)
    assert not outcome.cached
    assert outcome.mode == "confirm"


def test_confirming_is_not_kept_for_searching(task: Task) -> None:
    source = HONEST + "// confirmed first\n"
    judge(task, source, use_cache=True, mode=Mode.CONFIRM)
    assert not judge(task, source, use_cache=True)[0].cached


@pytest.mark.parametrize("folder", [SMALL_TASK, KERNEL_TASK], ids=["program", "kernel"])
def test_measuring_further_takes_as_many_pairs_as_asked_for_and_is_not_kept(folder: Path) -> None:
    task = load_task(folder)

    async def further() -> list[Outcome]:
        async with LocalPool(1) as pool:
            return [(await pool(task, [task.baseline_candidate], pairs=4))[0] for _ in range(2)]

    for outcome in asyncio.run(further()):
        assert outcome.status is Status.OK
        assert outcome.measurement is not None
        assert [each.method for each in outcome.measurement.samples] == ["exclusive"] * 4
        assert not outcome.cached
        assert "verify" not in {stage.name for stage in outcome.stages}


def test_cached_outcome_of_another_task_is_not_used(small_task_folder: Path) -> None:
    source = HONEST + "// two tasks\n"
    judge(load_task(small_task_folder), source, use_cache=True)
    (small_task_folder / "tests/hidden/output.0.txt").write_text("0 0 0\n")
    (outcome,) = judge(load_task(small_task_folder), source, use_cache=True)
    assert not outcome.cached
    assert outcome.status is Status.WRONG


def test_identical_candidates_of_one_call_are_evaluated_once(task: Task) -> None:
    source = HONEST + "// twins\n"
    first, other, second = judge(task, source, "int main() {}\n", source)
    assert first == second
    assert first.stages == second.stages
    assert other.status is Status.WRONG


def test_evaluations_one_after_the_other_go_to_the_worker_that_is_warm(task: Task) -> None:
    async def one_by_one() -> list[int]:
        async with LocalPool(2, use_cache=False) as pool:
            for source in (HONEST, HONEST + "// again\n"):
                await pool(task, [task.candidate(source)], measure=False)
            return pool.worker_pids

    assert len(asyncio.run(one_by_one())) == 1


def test_outcomes_are_in_the_order_of_the_candidates(task: Task) -> None:
    sources = [HONEST, "int main() { return 3; }\n", "nonsense\n", "int main() {}\n"]
    outcomes = judge(task, *sources)
    assert [o.status for o in outcomes] == [Status.OK, Status.CRASHED, Status.BUILD_ERROR, Status.WRONG]
    assert [o.candidate for o in outcomes] == [task.candidate(text).id for text in sources]


def test_bad_task_is_an_input_error_and_no_verdict(small_task_folder: Path) -> None:
    (small_task_folder / "baseline.cpp").write_text("does not build\n")
    with pytest.raises(InputError, match="does not build"):
        judge(load_task(small_task_folder), HONEST)


def test_task_that_changed_under_way_is_an_input_error(small_task_folder: Path) -> None:
    task = load_task(small_task_folder)
    assert task.hash
    (small_task_folder / "tests/hidden/output.0.txt").write_text("0 0 0\n")
    with pytest.raises(InputError, match="has changed"):
        judge(task, HONEST)


async def _judge_and_kill(task: Task, source: str) -> tuple[Outcome, int]:
    async with LocalPool(1, use_cache=False) as pool:
        asked = asyncio.ensure_future(pool(task, [task.candidate(source)], measure=False))
        killed = 0
        while not asked.done():
            await asyncio.sleep(0.25)
            if killed < 2 and pool.worker_pids and not asked.done():
                os.kill(pool.worker_pids[0], signal.SIGKILL)
                killed += 1
        return (await asked)[0], killed


def test_killed_worker_costs_no_verdict(task: Task) -> None:
    outcome, killed = asyncio.run(_judge_and_kill(task, HONEST + "// survives\n"))
    assert killed == 2
    assert outcome.status is Status.OK, outcome.reason


async def _evaluate_and_look(task: Task) -> tuple[list[int], set[Path]]:
    async with LocalPool(2, use_cache=False) as pool:
        await pool(task, [task.candidate(HONEST), task.candidate("int main() {}\n")], measure=False)
        pids = [*pool.worker_pids, os.getpid()]
        os.kill(pool.worker_pids[0], signal.SIGKILL)
        return pids, {*_groups(pids), *_folders()}


def _groups(pids: list[int]) -> set[Path]:
    return {group for pid in pids for group in Path("/sys/fs/cgroup").rglob(f"maxcode-{pid}-*")}


def _folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(f"maxcode-*{os.getpid()}-*"))


def test_nothing_is_left_when_the_pool_closes_even_of_a_killed_worker(task: Task) -> None:
    pids, before = asyncio.run(_evaluate_and_look(task))
    assert len(pids) == 3
    assert before
    assert not [pid for pid in pids[:-1] if Path(f"/proc/{pid}").exists()]
    assert _groups(pids) == set()
    assert _folders() == set()


def test_outcome_survives_being_written_and_read(task: Task) -> None:
    (outcome,) = judge(task, HONEST)
    assert Outcome.model_validate_json(outcome.model_dump_json()) == outcome
    assert json.loads(json.dumps(outcome.summary(), allow_nan=False)) == outcome.summary()


def test_evaluations_do_not_wait_for_the_threads_of_the_loop(task: Task) -> None:
    """Those are few, and on a machine of many cores each evaluation would hold one."""

    async def main() -> list[Outcome]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        let = threading.Event()
        holding = asyncio.create_task(asyncio.to_thread(let.wait))
        try:
            return await asyncio.wait_for(_judge(task, [HONEST], Mode.SEARCH, False, False), 60)
        finally:
            let.set()
            await holding

    assert [each.status for each in asyncio.run(main())] == [Status.OK]

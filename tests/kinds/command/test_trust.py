"""What keeps a candidate of a repository from forging its tests and its bench."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path

import pytest

from maxcode.core import Status
from maxcode.evaluate.pool import LocalPool
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.kinds.command.check import check_judges
from maxcode.kinds.command.copies import RepositoryCopies, put_back_judges
from maxcode.kinds.command.ends import read_ends
from maxcode.kinds.command.original import known_original
from maxcode.kinds.command.pairs import seeds_for
from maxcode.kinds.command.plants import plant
from maxcode.kinds.command.run import CommandRunner
from maxcode.task import Task, load_task
from tests.kinds.command.conftest import FAST, FILES, TASK, candidate, judge, make_repository

USUAL = b"start 2 aa sh\nstart 2 bb python\nstart 3 cc git\nexit 3\nreturned 2\n"


@pytest.mark.parametrize(
    ("notes", "words"),
    [
        (USUAL, None),
        (USUAL.replace(b"returned 2\n", b""), "python leaves without either"),
        (USUAL.replace(b"returned 2", b"exit 2"), "python calls exit"),
        (USUAL.replace(b"returned 2", b"start 2 bb true\nreturned 2"), "as another program"),
        (USUAL.replace(b"start 2 bb python\n", b""), "before its main function"),
        (USUAL + b"start 4 dd python\n", None),
        (b"", "noted its start"),
    ],
)
def test_an_end_that_the_original_does_not_have_is_noticed(notes: bytes, words: str | None) -> None:
    unlike = read_ends(notes).unlike(read_ends(USUAL))
    assert unlike is None if words is None else words in (unlike or "")


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("assert total(3) == 6", "assert total(3) == 7"),
        ('assert name(1) == "one"', 'assert name(1) == "one~"'),
        ("assert both() == [(1, 2), (3, 4)]", "assert both() == [(1, 2), (3, 5)]"),
        ("self.assertEqual(total(3), 6)", "self.assertEqual(total(3), 7)"),
        ("assert total(3) == total(4)", None),
        ("assert total(3) > 5", None),
        ("assert total(3) == approx(6.1)", None),
        ("if total(3) == 6: pass", None),
    ],
)
def test_expected_values_are_changed_and_nothing_else(line: str, changed: str | None) -> None:
    found = plant({"tests/test_total.py": f"{line}\n"}, seed=1)
    assert found == ({} if changed is None else {"tests/test_total.py": f"{changed}\n"})


def test_every_pair_and_every_candidate_has_seeds_of_its_own() -> None:
    first, second = (list(islice(seeds_for(5, key), 50)) for key in "ab")
    assert len({*first, *second}) == 100
    assert first == list(islice(seeds_for(5, "a"), 50))
    assert all(0 < seed < 2**31 for seed in first)


def test_byte_code_and_settings_of_a_build_do_not_speak_for_the_tests(task: Task, tmp_path: Path) -> None:
    before, built = tmp_path / "before", tmp_path / "built"
    for folder, text in ((before, "honest"), (built, "forged")):
        (folder / "tests" / "__pycache__").mkdir(parents=True)
        (folder / "tests" / "__pycache__" / "test_sum.cpython-311.pyc").write_text(text)
        (folder / "made.o").write_text(text)
    (built / "conftest.py").write_text("forged")
    (built / "sitecustomize.py").write_text("forged")
    put_back_judges(task, before, built)
    assert (built / "tests" / "__pycache__" / "test_sum.cpython-311.pyc").read_text() == "honest"
    assert (built / "made.o").read_text() == "forged"
    assert not (built / "conftest.py").exists()
    assert not (built / "sitecustomize.py").exists()


def seeded(folder: Path, reads_it: bool) -> Task:
    task = load_task(make_repository(folder, toml=TASK.replace('["./bench"]', '["./bench", "{seed}"]')))
    if reads_it:
        bench = FILES["bench.c"].replace(
            "int main(void) {", "int main(int c, char **w) {\n    long s = atol(w[c - 1]);"
        )
        bench = bench.replace("i % 101", "(i + s) % 101").replace("BENCH_NUMBER", "")
        (folder / "bench.c").write_text(f"#include <stdlib.h>\n{bench}")
        task = load_task(folder)
    return task


@pytest.mark.parametrize("reads_it", [True, False])
def test_check_warns_of_a_bench_with_one_answer(tmp_path: Path, reads_it: bool) -> None:
    async def findings(task: Task) -> dict[str, bool]:
        async with LocalPool(1, use_cache=False) as pool:
            return {each.name: each.ok for each in await check_judges(task, pool)}

    found = asyncio.run(findings(seeded(tmp_path / "seeded", reads_it)))
    assert found["bench output is compared"]
    assert found["bench has no fixed answer"] is reads_it
    assert found["early ends are noticed"]


@pytest.mark.long
def test_an_answer_known_by_heart_is_wrong_on_another_seed(tmp_path: Path) -> None:
    task = seeded(tmp_path / "seeded", reads_it=True)
    assert judge(task, candidate(task, sum_c=FAST), measure=True).status is Status.OK
    known = FAST.replace("long sum = 0;", "long sum = 0;\n    if (n == 6000) return 899550;")
    outcome = judge(task, candidate(task, sum_c=known), measure=True)
    assert outcome.status is Status.WRONG
    assert "something else than the original" in (outcome.reason or "")


def test_commands_that_cannot_be_recorded_are_judged_without(repository: Path) -> None:
    guarded = 'test = "test -z \\"$LD_PRELOAD\\" && ./check"'
    (repository / "task.toml").write_text(TASK.replace('test = ["./check"]', guarded))
    task = load_task(repository)
    assert judge(task, candidate(task, sum_c=FAST)).status is Status.OK
    original = known_original(task)
    assert original is not None
    assert not original.recorded


def test_tests_and_bench_see_the_same(repository: Path) -> None:
    looks = "ls -d /proc/self /box/* && env | sort && ulimit -a && id && pwd && ls /proc/self/fd"
    toml = TASK.replace('["./check"]', f"'{looks}; ./check'").replace('["./bench"]', f"'{looks}; ./bench'")
    (repository / "task.toml").write_text(toml)
    task = load_task(repository)
    with Sandbox() as sandbox:
        tree = RepositoryCopies(sandbox, (0,)).baseline(task).built
        commands = CommandRunner(task, sandbox, (0,))
        test, bench = (run.run().ended.stdout.splitlines() for run in (commands.test(tree), commands.bench(tree, 1)))
    assert test[:-1] == bench[:-1]
    assert len(test) > 20

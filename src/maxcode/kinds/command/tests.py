"""Results of a repository's tests: on the original, on a candidate, and when they are made to fail."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from maxcode.core import InputError, Status
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.once import made_once
from maxcode.evaluate.sandbox.running import Ended
from maxcode.kinds.command.copies import BUILD_FAILED, REPOSITORY, open_to_all, put_text
from maxcode.kinds.command.original import Original, Planted, folder_of
from maxcode.kinds.command.output import compared_lines, compares_something, differences, same
from maxcode.kinds.command.passed import passed_names, passed_tests
from maxcode.kinds.command.patterns import of_the_original
from maxcode.kinds.command.plants import plant, test_files
from maxcode.kinds.command.run import FIRST_SEED, CommandRunner, EndedCommand
from maxcode.kinds.command.table import Command
from maxcode.task.model import Task

TAIL = 1500


def judge_original(task: Task, commands: CommandRunner, tree: Path) -> Original:
    """Behaviour of the repository as it is; InputError where its own commands fail on it."""
    command = task.table(Command)
    tests = [_tested(task, commands, tree) for _ in range(2)]
    again = 2 if command.output == "same" else 1
    benches = [
        _benched(task, commands, tree, seed) for seed in [FIRST_SEED] * again + [FIRST_SEED + 1] * command.varied
    ]
    with of_the_original(task.folder):
        outputs = [compared_lines(each.ended.stdout, command) for each in benches]
        counts = [n for each in tests if (n := count_passed(each, task)) is not None]
    unlike = list(differences(outputs[0], outputs[again - 1]))
    varying = frozenset(each.field for each in unlike if each.field)
    return Original(
        passed=min(counts) if counts else None,
        names=names_passed(tests[0]) & names_passed(tests[1]),
        compared=again == 2 and all(each.field for each in unlike),
        varying=varying,
        prints=compares_something(outputs[0], varying),
        varies=not same(outputs[0], outputs[-1], varying) if command.varied else None,
        recorded=commands.recorded,
        plantable=planted_original(task, commands, tree, plant(test_files(task), FIRST_SEED)) is not None,
        test_ends=tests[0].ends | tests[1].ends,
        bench_ends=benches[0].ends | benches[-1].ends,
    )


def _tested(task: Task, commands: CommandRunner, tree: Path) -> EndedCommand:
    ran = commands.test(tree).run()
    failure = test_failure(ran.ended, task)
    if failure:
        raise InputError(f"{task.folder}: command.test fails on the repository as it is: {failure.reason}")
    return ran


def _benched(task: Task, commands: CommandRunner, tree: Path, seed: int) -> EndedCommand:
    ran = commands.bench(tree, seed).run()
    failure = failure_of(ran.ended, task.limits, "bench", hidden=False)
    if failure:
        raise InputError(f"{task.folder}: command.bench fails on the repository as it is: {failure.reason}")
    return ran


def check_planted(task: Task, original: Original, commands: CommandRunner, trees: tuple[Path, Path], seed: int) -> None:
    """Failure when tests pass that were made to fail, and that do fail in the original."""
    changed = plant(test_files(task), seed)
    expected = planted_original(task, commands, trees[0], changed)
    if expected is None:
        return
    ran = _test_with(commands, trees[1], changed)
    if ran.ended.exit_code == BUILD_FAILED:
        raise Failure(Status.REJECTED, "the repository does not build with other values in its tests")
    passed, names = count_passed(ran, task), names_passed(ran)
    forged = sorted(names & (original.names - expected.names))
    if ran.ended.clean or forged or (expected.passed is not None and (passed or 0) > expected.passed):
        what = forged[0] if forged else "the tests"
        raise Failure(
            Status.REJECTED,
            f"{what} pass{'es' if forged else ''} with wrong values expected, where the original fails: "
            "what the tests say does not come from them",
        )


def planted_original(task: Task, commands: CommandRunner, tree: Path, changed: dict[str, str]) -> Planted | None:
    """Results of the original's tests with changed test files; None where they do not fail, or do not build."""
    if not changed:
        return None
    folder = folder_of(task, "planted", json.dumps(changed, sort_keys=True))
    made_once(folder, lambda made: _plant_original(task, commands, tree, changed, made / "planted.json"))
    found = Planted.model_validate_json((folder / "planted.json").read_bytes())
    return None if found.exit_code in (0, BUILD_FAILED) else found


def _plant_original(task: Task, commands: CommandRunner, tree: Path, changed: dict[str, str], file: Path) -> None:
    ran = _test_with(commands, tree, changed)
    with of_the_original(task.folder):
        passed = count_passed(ran, task)
    found = Planted(exit_code=ran.ended.exit_code, passed=passed, names=names_passed(ran))
    file.write_text(found.model_dump_json())


def _test_with(commands: CommandRunner, tree: Path, changed: dict[str, str]) -> EndedCommand:
    with tempfile.TemporaryDirectory(prefix="maxcode-copy-") as folder:
        Path(folder).chmod(0o755)
        for name, text in changed.items():
            put_text(text, Path(folder), name)
        open_to_all(Path(folder))
        return commands.test_with(tree, Path(folder)).run()


def count_passed(ran: EndedCommand, task: Task) -> int | None:
    return passed_tests(_said(ran.ended), task.table(Command).passed)


def names_passed(ran: EndedCommand) -> frozenset[str]:
    return passed_names(_said(ran.ended), ran.results)


def test_failure(ended: Ended, task: Task) -> Failure | None:
    limits = task.limits.model_copy(update={"seconds": task.table(Command).test_seconds})
    failure = failure_of(ended, limits, "tests", hidden=True)
    if failure is None or ended.exit_code <= 0 or failure.status is not Status.CRASHED or ended.out_of_memory:
        return failure
    words = _said(ended).replace(f"{REPOSITORY}/", "").strip()[-TAIL:]
    return Failure(Status.WRONG, f"the tests fail (exit code {ended.exit_code}):\n{words}")


def _said(ended: Ended) -> str:
    return (ended.stdout + b"\n" + ended.stderr).decode(errors="replace")

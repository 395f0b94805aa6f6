"""The package's tests as they are in the sandbox: those that fail on the original judge no candidate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from maxcode.core import InputError
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.kinds.command.run import CommandRunner
from maxcode.kinds.command.tests import test_failure
from maxcode.kinds.function.files import package_of
from maxcode.kinds.function.finding import Package
from maxcode.task.model import Task

MOST_LEFT_OUT, MOST_OF_A_FILE, ROUNDS = 40, 10, 3
FAILED = re.compile(
    r"^(?:FAILED|ERROR|SUBFAILED)(?:[\[(].*[\])])? (\S+\.py(?:::[^\[\n]*?(?:\[.*?\])?)?)(?: - .*)?$", re.MULTILINE
)
"""Line of pytest's summary; that of a subtest says which one it was."""


def working_tests(package: Package, task_of: Callable[[Package], Task], lane: Lane, tree: Path) -> Package:
    """The package with the tests that pass in the sandbox, and a line that says which were left out.

    What fails is left out until the rest passes: files that cannot be collected keep the others from being run.
    InputError where the tests cannot be told, or are too many.
    """
    out: list[str] = []
    first = ""
    for _ in range(ROUNDS):
        found, reason = _failing(package, task_of(package), lane, tree)
        if not reason:
            return _told(package, out)
        first, out = first or reason, [*out, *found]
        if not package.is_pytest or not found or len(out) > MOST_LEFT_OUT:
            break
        package = replace(package, left_out=tuple(out))
    raise InputError(
        f"{package.root}: its tests do not pass in the sandbox, where there is no network and nothing but the "
        f"repository and the interpreter: {first}"
    )


def _told(package: Package, out: list[str]) -> Package:
    if not out:
        return package
    line = f"left out: {len(out)} tests or files that fail in the sandbox as it is, such as {out[0].partition('=')[2]}"
    return replace(package, assumed=(*package.assumed, line))


def _failing(package: Package, task: Task, lane: Lane, tree: Path) -> tuple[list[str], str]:
    """Options that leave out what fails, and why the tests fail; nothing where they pass."""
    ran = CommandRunner(package_of(task), lane.sandbox, lane.cpus).test(tree).run()
    failure = test_failure(ran.ended, package_of(task))
    output = ran.ended.stdout.decode(errors="replace")
    options = set(options_without(output)) - set(package.left_out)
    return sorted(options), failure.reason if failure else ""


def options_without(output: str) -> list[str]:
    """Options that leave out the tests that fail; whole files where many of a file's do."""
    found = sorted(set(FAILED.findall(output)))
    count = Counter(each.partition("::")[0] for each in found)
    many = [f"--ignore={file}" for file, number in count.items() if number > MOST_OF_A_FILE]
    return many + [left_out(each, output) for each in found if count[each.partition("::")[0]] <= MOST_OF_A_FILE]


def left_out(name: str, output: str) -> str:
    """Option of pytest that leaves out a test, or its file where that cannot be collected."""
    file = name.partition("::")[0]
    whole = "::" not in name or f"ERROR collecting {file}" in output
    return f"--ignore={file}" if whole else f"--deselect={name}"

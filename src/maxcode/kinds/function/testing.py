"""The package's tests as they are in the sandbox: those that fail on the original judge no candidate."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from maxcode.core import InputError
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.kinds.command.run import CommandRunner
from maxcode.kinds.command.tests import test_failure
from maxcode.kinds.function.files import package_of
from maxcode.kinds.function.finding import PYTEST, Package
from maxcode.task.model import Task

MOST_LEFT_OUT = 40
FAILED = re.compile(r"^(FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
"""Line of pytest's summary."""


def working_tests(package: Package, task: Task, lane: Lane, tree: Path) -> Package:
    """The package with the tests that pass in the sandbox, and a line that says which were left out.

    InputError where they cannot be told, or are too many.
    """
    runner = CommandRunner(package_of(task), lane.sandbox, lane.cpus)
    ran = runner.test(tree).run()
    failure = test_failure(ran.ended, package_of(task))
    if failure is None:
        return package
    found = sorted(set(FAILED.findall(ran.ended.stdout.decode(errors="replace"))))
    if package.test[: len(PYTEST)] != PYTEST or not 0 < len(found) <= MOST_LEFT_OUT:
        raise InputError(
            f"{package.root}: its tests do not pass in the sandbox, where there is no network and nothing but the "
            f"repository and the interpreter: {failure.reason}"
        )
    out = tuple(word for kind, name in found for word in _left_out(kind, name))
    line = f"left out: {len(found)} tests that fail in the sandbox as it is, such as {found[0][1]}"
    return replace(package, left_out=out, assumed=(*package.assumed, line))


def _left_out(kind: str, name: str) -> tuple[str, ...]:
    return ("--deselect", name) if kind == "FAILED" or "::" in name else ("--ignore", name)

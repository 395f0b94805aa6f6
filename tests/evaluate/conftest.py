"""Sandboxes to run probes in."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import EvaluatorError
from maxcode.evaluate.sandbox.protections import Isolation, protections
from maxcode.evaluate.sandbox.sandbox import Sandbox
from tests.evaluate.boxes import Box, compiled, processes_of


@pytest.fixture(scope="session")
def probe() -> Iterator[Path]:
    program = compiled(Path(__file__).parent / "probe.c")
    yield program
    for pid in processes_of(program):
        os.kill(int(pid), signal.SIGKILL)
    shutil.rmtree(program.parent)


@pytest.fixture(scope="session")
def notes() -> Iterator[Path]:
    program = compiled(Path(__file__).parent / "notes.c")
    yield program
    shutil.rmtree(program.parent)


def _sandboxes(level: Isolation, program: Path) -> Iterator[Box]:
    using = protections().model_copy(update={"isolation": level})
    with Sandbox(using=using) as sandbox:
        made = Box(sandbox, program)
        try:
            made.run("exit", "0")
        except EvaluatorError as error:
            if level is protections().isolation:
                raise
            pytest.skip(f"not to be had on this machine: {error}")
        yield made


@pytest.fixture(params=list(Isolation), ids=lambda level: level.value)
def box(request: pytest.FixtureRequest, probe: Path) -> Iterator[Box]:
    yield from _sandboxes(request.param, probe)


@pytest.fixture(params=list(Isolation), ids=lambda level: level.value)
def note_box(request: pytest.FixtureRequest, notes: Path) -> Iterator[Box]:
    """A box whose program tries to leave notes for later runs."""
    yield from _sandboxes(request.param, notes)

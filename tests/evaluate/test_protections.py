"""Which protections are found on machines that refuse some of them, and what is said about it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.cli import doctor, engine
from maxcode.config import Config
from maxcode.core import EvaluatorError
from maxcode.evaluate.engine import ON_THIS_MACHINE
from maxcode.evaluate.sandbox import protections as module
from maxcode.evaluate.sandbox.protections import Isolation, protections
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View

pytestmark = pytest.mark.alone
REFUSAL = "bwrap: Creating new namespace failed: Operation not permitted"
BROKEN = {
    "exits at once": "exit 1",
    "says why": f"echo '{REFUSAL}' >&2; exit 1",
    "dies": "kill -9 $$",
    "hangs": "sleep 60",
    "pretends": "exit 0",
}


@pytest.fixture
def fresh() -> Iterator[None]:
    """Protections are probed anew in a test, and again after it."""
    protections.cache_clear()
    yield
    protections.cache_clear()


def put_bwrap(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(module, "PROBE_SECONDS", 0.5)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("how", BROKEN)
def test_bubblewrap_that_does_not_work_is_done_without(
    how: str, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_bwrap(open_folder, BROKEN[how], monkeypatch)
    found = protections()
    assert found.isolation in (Isolation.LANDLOCK, Isolation.LIMITS)
    assert found.refused


@pytest.mark.usefixtures("fresh")
def test_what_bubblewrap_said_is_kept_and_is_no_part_of_the_name(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_bwrap(open_folder, BROKEN["says why"], monkeypatch)
    assert protections().refused == REFUSAL
    assert REFUSAL not in str(protections())


@pytest.mark.usefixtures("fresh")
def test_doctor_says_why_it_fell_back_and_what_to_do(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_bwrap(open_folder, BROKEN["says why"], monkeypatch)
    doctor.run(as_json=False)
    words = " ".join(capsys.readouterr().out.split())
    assert "Operation not permitted" in words
    assert "user.max_user_namespaces" in words
    assert "apt-get install bubblewrap" not in words


@pytest.mark.usefixtures("fresh")
def test_evaluation_on_a_weaker_level_says_so(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_bwrap(open_folder, BROKEN["says why"], monkeypatch)
    engine.pool_of(ON_THIS_MACHINE, Config())
    words = " ".join(capsys.readouterr().err.split())
    assert "namespaces are refused here" in words
    assert "maxcode doctor" in words


def test_namespaces_that_are_refused_later_are_an_error_in_words(
    probe: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not protections().bubblewrap:
        pytest.skip("no bubblewrap on this machine")
    put_bwrap(open_folder, BROKEN["says why"], monkeypatch)
    with Sandbox() as sandbox, pytest.raises(EvaluatorError, match=r"Operation not permitted.*maxcode doctor"):
        sandbox.run([f"{BOX}/probe", "exit", "0"], View(read={f"{BOX}/probe": probe}), Caps(1.0, 64))


def test_files_on_disk_are_another_protection() -> None:
    found = protections()
    names = {str(found.model_copy(update={"memory_files": each})) for each in (True, False)}
    assert len(names) == 2

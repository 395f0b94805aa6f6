"""The archive that can be read from a journal is the one that the training has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ribs", reason="the archive needs maxcode[rl]")

from maxcode.store.journal import Journal, Store
from maxcode.task import load_task
from maxcode.train.archive import EliteArchive
from maxcode.train.archive_record import KIND, ArchiveRecorder, RecordedArchive, recorded_archive
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded
from maxcode.train.techniques import Technique

TASK = load_task(Path(__file__).parents[2] / "examples" / "matmul")
TASKS = ["stencil", TASK.name]


def add(archive: EliteArchive, reward: float, *techniques: Technique) -> None:
    earned = Rewarded(reward=reward, tier="ok", techniques=frozenset(techniques), candidate=f"// {reward}")
    archive.add(MaskedTask(task=TASK, mask=EVERYTHING), earned)


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Store() as store:
        yield store.start("rl:matmul", {"kind": "rl"})


def on_record(journal: Journal) -> RecordedArchive:
    found = recorded_archive(journal.store.read(journal.run, KIND))
    assert found is not None
    return found


def same(found: RecordedArchive, archive: EliteArchive) -> bool:
    return (
        set(found.elites.values()) == set(archive.elites)
        and found.coverage == pytest.approx(archive.coverage)
        and found.qd_score == pytest.approx(archive.qd_score)
    )


def test_what_steps_gain_adds_up_to_the_archive(journal: Journal) -> None:
    archive = EliteArchive(TASKS)
    recorder = ArchiveRecorder(journal, archive)
    for step, rewards in enumerate([[], [10.0, 20.0], [15.0], [30.0]], 1):
        for reward in rewards:
            add(archive, reward, *([Technique.SIMD] if reward == 15.0 else []))
        recorder.note(step)
        assert same(on_record(journal), archive)


def test_a_resumed_training_begins_with_the_archive_of_its_checkpoint(journal: Journal) -> None:
    """What was found after the checkpoint, and is lost with the steps that are done again, is no part of it."""
    archive, back = EliteArchive(TASKS), EliteArchive(TASKS)
    recorder = ArchiveRecorder(journal, archive)
    add(archive, 10.0)
    recorder.note(1)
    checkpoint = archive.state()
    add(archive, 20.0, Technique.SIMD)
    recorder.note(2)
    back.restore(checkpoint)
    ArchiveRecorder(journal, back).note(2)
    assert same(on_record(journal), back)


def test_a_step_that_gains_nothing_is_not_written_down(journal: Journal) -> None:
    archive = EliteArchive(TASKS)
    recorder = ArchiveRecorder(journal, archive)
    add(archive, 10.0)
    recorder.note(1)
    add(archive, 5.0)
    recorder.note(2)
    assert [event.payload["step"] for event in journal.store.read(journal.run, KIND)] == [1]


def test_before_the_first_step_there_is_none(journal: Journal) -> None:
    assert recorded_archive(journal.store.read(journal.run, KIND)) is None

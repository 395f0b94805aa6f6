"""The map of a training's archive is what its journal has."""

from __future__ import annotations

from typing import Any

import pytest

from maxcode.store.journal import Store
from maxcode.train.techniques import Technique
from tests.report.recording import HOSTILE
from tests.view.trainings import trained

TASKS = ("dgemm-64", "gemv-512")
SIMD, BLOCKING = Technique.SIMD, Technique.CACHE_BLOCKING
FOUND = {("dgemm-64", ()): 20.0, ("dgemm-64", (SIMD, BLOCKING)): 60.0, ("gemv-512", (SIMD, BLOCKING)): 40.0}


def archive(client: Any, run: str) -> dict[str, Any]:
    return client.get(f"/api/runs/{run}/archive").json()  # type: ignore[no-any-return]


def test_every_elite_has_its_place(client: Any) -> None:
    found = archive(client, trained(FOUND, tasks=TASKS))
    techniques = {each["set"]: each["techniques"] for each in found["sets"]}
    placed = {(found["tasks"][cell["task"]], *techniques[cell["set"]]): cell["reward"] for cell in found["cells"]}
    assert placed == {
        ("dgemm-64",): 20.0,
        ("dgemm-64", "simd", "cache_blocking"): 60.0,
        ("gemv-512", "simd", "cache_blocking"): 40.0,
    }


def test_coverage_and_qd_score_are_those_of_the_archive(client: Any) -> None:
    found = archive(client, trained(FOUND, tasks=TASKS))
    assert (found["possible"], found["coverage"]) == (256, pytest.approx(3 / 256, rel=1e-5))
    assert found["qd_score"] == pytest.approx(1.2)


def test_the_program_of_an_elite_is_only_ever_json(client: Any) -> None:
    run = trained(FOUND, tasks=TASKS, program=f"// {HOSTILE}\nvoid f() {{}}\n")
    cell = archive(client, run)["cells"][0]["cell"]
    answer = client.get(f"/api/runs/{run}/elites/{cell}")
    assert answer.headers["content-type"] == "application/json"
    assert HOSTILE in answer.json()["text"]
    assert (answer.json()["task"], answer.json()["mask"]) == ("dgemm-64", "simd")


def test_an_empty_cell_is_said_to_be_empty(client: Any) -> None:
    answer = client.get(f"/api/runs/{trained(FOUND, tasks=TASKS)}/elites/7")
    assert answer.status_code == 400
    assert "no program there" in answer.json()["error"]


def test_a_training_of_an_earlier_version_has_no_map(client: Any) -> None:
    with Store() as store:
        journal = store.start("rl:dgemm", {"kind": "rl", "steps": 9})
        journal.note("rl.step", {"step": 1, "reward": 3.0})
    assert archive(client, journal.run) == {"recorded": False}

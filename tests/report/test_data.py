"""What a report says of a run is what is on record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import InputError
from maxcode.optimize.recorded import recorded_run
from maxcode.report.data import report_data
from maxcode.report.reproduce import command_of
from maxcode.store.journal import Store
from tests.report.edits import apply
from tests.report.recording import record
from tests.search.fakes import COST

pytestmark = pytest.mark.usefixtures("empty_home")


def data_of(run: str) -> dict[str, Any]:
    with Store() as store:
        return json.loads(json.dumps(report_data(store, run), allow_nan=False))  # type: ignore[no-any-return]


def rebuilt(packed: list[dict[str, Any]], number: int) -> dict[str, str]:
    """A program as the page's script rebuilds it."""
    each = packed[number]
    files = dict(rebuilt(packed, each["from"])) if each["from"] is not None else {}
    changed = {name: apply(files.get(name, ""), edits) for name, edits in each["edits"].items()}
    return {**{name: text for name, text in files.items() if name not in each["gone"]}, **changed}


@pytest.mark.parametrize("strategy", ["flat", "cuda-llm+maxcode", "mcts+maxcode"])
def test_every_program_can_be_rebuilt(strategy: str) -> None:
    run = record(strategy=strategy)
    data = data_of(run)
    with Store() as store:
        tree = recorded_run(store, run).tree
    for node in tree:
        number = data["nodes"]["program"][node.id]
        assert (rebuilt(data["programs"], number) if number is not None else {}) == node.candidate.files


def test_costs_of_nodes_are_those_of_their_answers() -> None:
    data = data_of(record(strategy="beam+maxcode", screen=0.5))
    assert set(data["nodes"]["tokens"][1:]) == {COST.tokens}
    assert data["nodes"]["tokens"][0] is None


def test_the_verdict_is_that_of_the_fresh_measurement() -> None:
    run = record()
    verdict = data_of(run)["verdict"]
    with Store() as store:
        result = recorded_run(store, run).result
    assert result is not None and result.confirmed is not None and result.confirmed.measurement is not None
    m = result.confirmed.measurement
    assert verdict["improved"] is True
    assert (verdict["low"], verdict["high"]) == pytest.approx((m.ci_low, m.ci_high), rel=1e-5)


def test_a_run_that_is_not_finished_claims_nothing() -> None:
    verdict = data_of(record(finish=False))["verdict"]
    assert (verdict["state"], verdict["improved"], verdict["confirmed"]) == ("not finished", False, False)


def test_a_baseline_timed_beside_itself_is_no_result() -> None:
    data = data_of(record(finish=False, budget={"evals": 0}))
    assert (data["samples"], data["verdict"]["speedup"], data["best"]) == (None, None, 0)


def test_a_changed_baseline_is_bad_input(small_task_folder: Path) -> None:
    run = record(task=str(small_task_folder))
    baseline = small_task_folder / "baseline.cpp"
    baseline.write_text(baseline.read_text() + "// changed\n")
    with pytest.raises(InputError, match="not the one it began with"):
        data_of(run)


def test_the_command_starts_such_a_run() -> None:
    run = record(strategy="mcts", seed=3)
    with Store() as store:
        settings = recorded_run(store, run).settings
    words = command_of(settings).split()
    assert words[:2] == ["maxcode", "optimize"]
    assert [words[words.index(name) + 1] for name in ("--strategy", "--seed", "--evals")] == ["mcts", "3", "30"]


def test_what_followed_a_critique_is_counted() -> None:
    data = data_of(record(strategy="cuda-llm+maxcode"))
    parents = data["nodes"]["parent"]
    assert data["critiques"]
    for critique in data["critiques"]:
        assert critique["children"] == parents.count(critique["node"])

"""What the server says of runs is what is on record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode.optimize.recorded import recorded_tree
from maxcode.store.journal import Store
from tests.report.recording import HOSTILE, hostile_parts, recorded
from tests.view.boards import benchmarked
from tests.waiting import until


def columns_of(client: Any, run: str) -> dict[str, Any]:
    def complete() -> dict[str, Any] | None:
        found = client.get(f"/api/runs/{run}/nodes").json()
        return found if found["caught_up"] else None

    return until(complete)


def rows(client: Any, query: str = "") -> list[dict[str, Any]]:
    return client.get(f"/api/runs?q={query}").json()["runs"]  # type: ignore[no-any-return]


def test_a_finished_run_is_listed_with_its_claim(client: Any) -> None:
    run = recorded()
    row = until(lambda: next((row for row in rows(client) if row["state"] == "finished"), None))
    assert row["run"] == run
    assert row["claimed"]
    assert row["low"] < row["speedup"] < row["high"]
    assert row["done"] == row["total"] == 30
    assert row["usd"] == pytest.approx(0.3)


def test_a_run_under_way_is_listed_with_its_best_so_far(client: Any) -> None:
    recorded(finish=False)
    row = until(lambda: next((row for row in rows(client) if row["done"] == 30), None))
    assert row["state"] == "active"
    assert not row["claimed"]
    assert row["speedup"] > 1


def test_runs_are_filtered_by_every_word(client: Any) -> None:
    recorded(strategy="flat")
    beam = recorded(strategy="beam+maxcode")
    until(lambda: len(rows(client)) == 2)
    assert [row["run"] for row in rows(client, "beam total")] == [beam]
    assert rows(client, "beam flat") == []


def test_the_columns_are_those_of_the_tree(client: Any) -> None:
    run = recorded(strategy="mcts+maxcode")
    found = columns_of(client, run)
    with Store() as store:
        tree = recorded_tree(store, run)
    assert found["size"] == len(tree)
    assert found["best"] == tree.best.id
    assert found["columns"]["parent"] == [node.parent for node in tree]
    assert found["columns"]["status"] == [node.outcome.status.value for node in tree]
    assert found["columns"]["reward"] == pytest.approx([node.reward for node in tree], rel=1e-5)


def test_only_what_is_new_is_sent(client: Any) -> None:
    run = recorded()
    size = columns_of(client, run)["size"]
    assert len(client.get(f"/api/runs/{run}/nodes?since={size - 3}").json()["columns"]["parent"]) == 3
    tag = client.get(f"/api/runs/{run}/nodes?since={size}").headers["etag"]
    again = client.get(f"/api/runs/{run}/nodes?since={size}", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_node_has_program_feedback_critique_and_cost(client: Any) -> None:
    run = recorded(strategy="cuda-llm+maxcode")
    best = columns_of(client, run)["best"]
    node = client.get(f"/api/runs/{run}/nodes/{best}").json()
    text = node["files"]["baseline.cpp"]
    assert "".join(piece for line in text["lines"] for _, piece in line) == text["text"].replace("\n", "")
    assert "speed" in node["feedback"]
    assert node["cost"] == {"tokens": 120, "usd": 0.01, "seconds": 0.5}
    assert client.get(f"/api/runs/{run}/nodes/0").json()["critique"]["diagnoses"]


def test_the_map_has_every_program_once(client: Any) -> None:
    run = recorded(strategy="evolve")
    size = columns_of(client, run)["size"]
    found = client.get(f"/api/runs/{run}/archive").json()
    empty = sum(client.get(f"/api/runs/{run}/nodes/{i}").json()["program"] is None for i in range(size))
    assert sum(cell["programs"] for cell in found["cells"]) == size - empty
    assert found["islands"] == 3


def test_progress_ends_with_the_best(client: Any) -> None:
    run = recorded()
    reward = max(columns_of(client, run)["columns"]["reward"])
    assert client.get(f"/api/runs/{run}/progress").json()["rounds"][-1][4] == reward


def test_the_report_comes_as_a_file_to_save(client: Any) -> None:
    answer = client.get(f"/api/runs/{recorded()}/report.html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.text.startswith("<!doctype html>")


def test_an_unknown_run_is_not_found(client: Any) -> None:
    answer = client.get("/api/runs/nothing/nodes")
    assert answer.status_code == 404
    assert "no such run" in answer.json()["error"]


def test_a_node_that_is_not_there_is_said_to_be_not_there(client: Any) -> None:
    run = recorded()
    columns_of(client, run)
    assert client.get(f"/api/runs/{run}/nodes/999").status_code == 400


def test_a_run_without_its_task_says_so(client: Any, tmp_path: Path) -> None:
    with Store() as store:
        run = store.start("gone", {"task": str(tmp_path / "gone"), "policy": "rewrite"}).run
    answer = client.get(f"/api/runs/{run}/nodes")
    assert answer.status_code == 400
    assert "gone" in answer.json()["error"]


def test_hostile_text_is_only_ever_json(client: Any) -> None:
    run = recorded(hostile_parts(), strategy="cuda-llm+maxcode", budget={"evals": 8})
    columns_of(client, run)
    answer = client.get(f"/api/runs/{run}/nodes/1")
    assert answer.headers["content-type"] == "application/json"
    assert HOSTILE in next(iter(answer.json()["files"].values()))["text"]


def test_figures_of_any_run_become_curves(client: Any) -> None:
    with Store() as store:
        journal = store.start("rl:matmul", {"kind": "rl", "steps": 3})
        for step in range(1, 4):
            figures = {"step": step, "loss": 1 / step, "reward": {"mean": step, "text": "x"}, "bad": float("inf")}
            journal.note("step", figures)
    found = client.get(f"/api/runs/{journal.run}/series").json()["series"]
    assert {each["name"]: each["points"] for each in found} == {
        "loss": [[1, 1], [2, 0.5], [3, 0.333333]],
        "reward.mean": [[1, 1], [2, 2], [3, 3]],
    }
    row = until(lambda: next((row for row in rows(client) if row["done"] == 3), None))
    assert (row["kind"], row["total"]) == ("rl", 3)


def test_a_leaderboard_ranks_the_methods_of_a_benchmark(client: Any) -> None:
    bench = benchmarked({"flat": 1.2, "mcts": 2.0, "beam": 1.5})
    board = client.get(f"/api/runs/{bench}/board").json()
    assert [each["method"] for each in board["methods"]] == ["mcts", "beam", "flat"]
    until(lambda: [row["state"] for row in rows(client) if row["bench"] == bench] == ["finished"] * 3)

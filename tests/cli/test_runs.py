"""What `runs`, `show`, `best` and `diff` tell of a run that is on record."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from maxcode.bench.cell import Cell
from maxcode.bench.plan import BenchPlan, Method
from maxcode.cli.main import app
from maxcode.cli.runs import recorded_tree
from maxcode.optimize.run import SearchSettings, strategy_of
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.tree import Tree
from maxcode.search.values import novelty
from maxcode.store.journal import Store
from maxcode.system.processes import this_process
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK, instant_parts, shape, ticking

pytestmark = pytest.mark.usefixtures("empty_home")


def record(clock: Callable[[], float] | None = None, **changes: object) -> tuple[Tree, str]:
    """A search by instant parts, on record as `maxcode optimize` leaves it."""
    given = {"task": str(SMALL_TASK), "policy": "scripted:x", "budget": Budget(evals=30), **changes}
    settings = SearchSettings.model_validate(given)
    with Store() as store:
        journal = store.start(TASK.name, settings.model_dump(mode="json"))
        journal.note("session.opened", {})
        plain = instant_parts(journal)
        parts = replace(plain, critic=None if settings.critic == "none" else plain.critic, screen=novelty)
        if clock is not None:
            parts = replace(parts, clock=clock)
        tree = asyncio.run(search(TASK, strategy_of(settings), parts, budget=settings.budget, seed=settings.seed)).tree
    return tree, journal.run


def read(run: str) -> Tree:
    with Store() as store:
        return recorded_tree(store, run)


def command(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("strategy", ["flat", "cuda-llm", "beam+maxcode", "mcts+maxcode", "evolve+maxcode"])
def test_the_tree_on_record_is_the_tree_of_the_search(strategy: str) -> None:
    tree, run = record(strategy=strategy)
    assert shape(read(run)) == shape(tree)


def test_a_run_without_a_critic_has_its_tree_on_record() -> None:
    tree, run = record(strategy="cuda-llm+maxcode", critic="none")
    assert shape(read(run)) == shape(tree)


def test_a_run_with_screening_has_its_tree_on_record() -> None:
    tree, run = record(screen=0.5)
    assert len(tree) == 16
    assert shape(read(run)) == shape(tree)


def test_a_run_that_ran_out_of_time_has_its_tree_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    now = itertools.count(1000.0, 1.0)
    monkeypatch.setattr("maxcode.store.journal.time.time", lambda: next(now))
    tree, run = record(ticking(10.0), budget=Budget(evals=None, seconds=45.0))
    assert len(tree) == 33
    assert shape(read(run)) == shape(tree)


def test_looking_at_a_run_leaves_it_as_it_is() -> None:
    _, run = record()
    with Store() as store:
        before = list(store.read(run))
    read(run)
    command("show", run)
    with Store() as store:
        assert list(store.read(run)) == before


def test_a_run_that_was_stopped_shows_as_far_as_it_got() -> None:
    tree, run = record(strategy="flat")
    with Store() as store:
        cut = store.start(TASK.name, store.info(run).settings)
        for event in list(store.read(run))[:25]:
            store.append(cut.run, event.kind, event.key, event.payload)
    found = read(cut.run)
    assert 1 < len(found) < len(tree)
    assert shape(found) == shape(tree)[: len(found)]


def test_a_run_that_was_stopped_at_once_shows_its_baseline() -> None:
    settings = SearchSettings(task=str(SMALL_TASK), policy="scripted:x").model_dump(mode="json")
    with Store() as store:
        run = store.start(TASK.name, settings).run
    assert len(read(run)) == 1


def test_runs_are_listed_with_what_they_are() -> None:
    _, first = record(strategy="flat")
    _, second = record(strategy="beam+maxcode")
    rows = [json.loads(line) for line in command("runs", "--json").splitlines()]
    assert [row["run"] for row in rows] == [first, second]
    assert [(row["task"], row["strategy"], row["programs"], row["state"]) for row in rows] == [
        ("total", "flat", 30, "stopped"),
        ("total", "beam+maxcode", 30, "stopped"),
    ]


def test_runs_without_settings_are_listed_and_explained() -> None:
    with Store() as store:
        run = store.start("total", {"policy": "mine"}).run
    assert run in command("runs")
    assert json.loads(command("runs", "--json"))["strategy"] is None
    done = CliRunner().invoke(app, ["show", run])
    assert done.exit_code == 2
    assert f"run {run}: is not on record with its task and settings" in done.stderr


def test_a_training_is_listed_and_what_serves_it_is_named() -> None:
    with Store() as store:
        journal = store.start("rl:dgemm", {"kind": "rl", "curriculum": "sqd"})
        journal.note("rl.finished", {})
    assert command("runs").splitlines()[-1].split()[-1] == "finished"
    done = CliRunner().invoke(app, ["show", journal.run])
    assert done.exit_code == 2
    assert f"run {journal.run}: is a training; `maxcode rl plot" in done.stderr


def benchmark(searches: int) -> tuple[str, list[str]]:
    """Two searches are planned; so many of them are on record as done."""
    methods = (Method(name="flat", strategy="flat"), Method(name="beam", strategy="beam"))
    plan = BenchPlan(suite="demo", tasks=(str(SMALL_TASK),), methods=methods)
    with Store() as store:
        bench = store.start("bench:demo", plan.model_dump(mode="json"))
        runs = [store.start(TASK.name, {"strategy": method.strategy}).run for method in methods]
        for place, run in list(zip(plan.cells(), runs, strict=True))[:searches]:
            cell = Cell(task=TASK.name, method=place.method.name, seed=0, run=run, speedup=2.0, ci_low=1.9, ci_high=2.1)
            bench.note("cell.started", {"cell": place.key, "run": run})
            bench.note("cell.answered", cell.model_dump(mode="json"))
        return bench.run, runs[:searches]


def test_a_benchmark_is_one_line_and_its_searches_are_listed_when_asked_for() -> None:
    bench, runs = benchmark(searches=2)
    short, whole = command("runs"), command("runs", "--all")
    assert bench in short and "2 of 2 searches" in short
    assert not any(run in short for run in runs) and all(run in whole for run in runs)


def test_searches_of_a_benchmark_are_known_as_its_own() -> None:
    bench, (run,) = benchmark(searches=1)
    rows = {row["run"]: row for row in map(json.loads, command("runs", "--json").splitlines())}
    assert (rows[run]["bench"], rows[run]["state"], rows[run]["speedup"]) == (bench, "finished", 2.0)
    assert (rows[bench]["state"], rows[bench]["searches"], rows[bench]["of"]) == ("stopped", 1, 2)


def test_the_last_benchmark_is_shown_and_not_the_last_of_its_searches() -> None:
    benchmark(searches=2)
    assert "beam" in command("bench", "show", "last")


def test_a_run_whose_process_lives_is_running() -> None:
    with Store() as store:
        journal = store.start(TASK.name, {})
        journal.note("session.opened", {"process": this_process().model_dump()})
    assert json.loads(command("runs", "--json"))["state"] == "running"


def test_no_runs_are_no_error() -> None:
    assert "No runs yet" in command("runs")


def test_show_gives_every_node_with_its_parent() -> None:
    tree, run = record()
    shown = json.loads(command("show", run, "--json"))
    assert [(node["parent"], node["candidate"], node["reward"]) for node in shown["nodes"]] == shape(tree)
    assert shown["asked_again"] == []


def test_show_marks_the_best() -> None:
    tree, _ = record()
    marked = [line.split()[1] for line in command("show", "last").splitlines() if line.startswith("*")]
    assert marked == [str(tree.best.id)]


def test_show_says_where_a_program_comes_from_and_what_is_wrong_with_it() -> None:
    tree, run = record()
    failed = next(node for node in tree if node.outcome.reason)
    line = next(each for each in command("show", run).splitlines() if each.split()[0] == str(failed.id))
    assert line.endswith(f"(120 tokens, 0.0100 USD) {failed.candidate.origin} {failed.outcome.reason}")


def test_best_is_the_best_program_of_the_tree() -> None:
    tree, run = record()
    assert command("best", run) == tree.best.candidate.files[TASK.main_file]
    assert json.loads(command("best", run, "--json"))["files"] == tree.best.candidate.files


def test_diff_is_between_baseline_and_best() -> None:
    tree, run = record()
    shown = command("diff", run)
    assert f"--- a/{TASK.main_file}" in shown
    added = [line[1:] for line in shown.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert set(added) <= set(tree.best.candidate.files[TASK.main_file].splitlines())
    assert added


@pytest.mark.parametrize("words", [["show"], ["best"], ["diff"], ["resume"], ["replay"]], ids=" ".join)
def test_an_unknown_run_ends_with_2_and_a_message(words: list[str]) -> None:
    done = CliRunner().invoke(app, [*words, "nowhere"])
    assert done.exit_code == 2
    assert "run nowhere: no such run" in done.output + done.stderr


def test_a_prompt_of_a_run_is_printed() -> None:
    _, run = record()
    done = CliRunner().invoke(app, ["prompt", run, "1"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("=== system ===")
    assert TASK.description in done.stdout
    (system, user) = map(json.loads, CliRunner().invoke(app, ["prompt", run, "1", "--json"]).stdout.splitlines())
    assert (system["role"], user["role"]) == ("system", "user")
    assert user["content"] in done.stdout

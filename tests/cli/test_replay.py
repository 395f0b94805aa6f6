"""`maxcode record` and `replay`, and what a replay does where its record ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maxcode.cli.main import app
from maxcode.store.journal import Store
from tests.cli.test_optimize import EXAMPLES, script
from tests.cli.test_runs import record
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK

OTHER = SMALL_TASK.parents[1] / "programs" / "control_total_hash.cpp"

pytestmark = pytest.mark.usefixtures("empty_home")


def maxcode(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def summary(*words: object) -> dict[str, object]:
    done = maxcode(*words, "--json")
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout.splitlines()[-1]))


def cut_short(run: str, answers: int) -> str:
    """The same run as if it had been killed after some answers of its policy."""
    with Store() as store:
        cut = store.start(TASK.name, store.info(run).settings)
        for event in store.read(run):
            if event.kind == "policy.answered":
                answers -= 1
            if answers >= 0:
                store.append(cut.run, event.kind, event.key, event.payload)
    return cut.run


def test_an_unfinished_run_is_not_replayed_but_two_ways_on_are_named() -> None:
    _, run = record(strategy="flat")
    done = maxcode("replay", cut_short(run, 2))
    assert done.exit_code == 2
    for words in ("is not finished", f"maxcode resume {run[:6]}", "--policy POLICY"):
        assert words in done.stderr


@pytest.mark.long
def test_a_policy_goes_on_where_the_record_of_a_run_ends(tmp_path: Path) -> None:
    _, run = record(strategy="flat", budget={"evals": 18}, critic="none")
    policy = script(tmp_path / "answers.jsonl", [OTHER])
    found = summary("replay", cut_short(run, 2), "--policy", policy, "--out", tmp_path / "out")
    assert found["evals"] == 18
    with Store() as store:
        answered = [e.payload["proposals"] for e in store.read(str(found["run"]), "policy.answered")]
    models = [proposal["model"] for proposals in answered for proposal in proposals]
    assert models == ["instant"] * 16 + ["scripted:answers.jsonl"] * 2


@pytest.mark.long
def test_a_run_can_be_taken_to_a_machine_that_has_only_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, run = record(strategy="flat", budget={"evals": 4}, critic="none")
    kept = tmp_path / "kept.jsonl"
    assert summary("record", run, kept) == {"task": "total", "answers": 4, "file": str(kept)}
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "elsewhere"))
    words = ["--strategy", "flat", "--critic", "none", "--out", tmp_path / "out"]
    found = summary("optimize", SMALL_TASK, "--policy", f"replay:{kept}", *words)
    assert found["evals"] == 4, "a replay ends where its recording ends"
    shown = json.loads(maxcode("show", "last", "--json").stdout)
    assert [node["candidate"] for node in shown["nodes"]] == [node.candidate.id for node in tree]


def test_an_export_does_not_overwrite(tmp_path: Path) -> None:
    _, run = record(strategy="flat")
    (tmp_path / "notes.txt").write_text("mine")
    assert maxcode("record", run, tmp_path / "notes.txt").exit_code == 2
    assert (tmp_path / "notes.txt").read_text() == "mine"


PRICED = '[models."a"]\nprice_prompt = 1.0\nprice_completion = 2.0\n'


@pytest.mark.parametrize(
    "words",
    [
        ["--policy", "openai:b"],
        ["--policy", "openai:a + openai:b"],
        ["--policy", "openai:a", "--critic", "openai:b"],
        ["--policy", "openai:a", "--strategy", "beam+value", "--value", "openai:a+b"],
    ],
    ids=["policy", "mixture", "critic", "value"],
)
def test_a_limit_in_usd_needs_prices(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "maxcode.toml").write_text(PRICED)
    done = maxcode("optimize", EXAMPLES / "dp", "--max-usd", "1", "--config", tmp_path / "maxcode.toml", *words)
    assert done.exit_code == 2
    assert "--max-usd: openai:b has no price" in done.stderr
    assert 'under [prices."openai:b"] in maxcode.toml' in done.stderr
    assert maxcode("runs", "--json").stdout == ""

"""`maxcode value`, from journals to a report card, over searches that take no time."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path

import pytest

from maxcode.cli.value_refine import _training
from maxcode.optimize.run import SearchSettings
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.strategies import strategy
from maxcode.store.journal import Store
from maxcode.task import load_task
from maxcode.train.value.settings import Training
from maxcode.value.data import split_of
from maxcode.value.family import write_family
from tests.cli.test_main import maxcode, plain
from tests.conftest import SMALL_TASK
from tests.search.fakes import instant_parts


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Recorded searches over eight tasks, in two strategies each."""
    made = []
    with Store() as store:
        for folder in write_family(tmp_path_factory.mktemp("family"), 8):
            task = load_task(folder)
            for name in ("paths+critique", "rollouts+critique"):
                budget = Budget(evals=36)
                settings = SearchSettings(task=str(folder), policy="instant", strategy=name, budget=budget)
                journal = store.start(task.name, settings.model_dump(mode="json"))
                asyncio.run(search(task, strategy(name), instant_parts(journal), budget=budget))
                made.append(journal.run)
    return made


@pytest.fixture(scope="module")
def data(runs: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("data") / "data.jsonl"
    done = maxcode("value", "data", *runs, "-o", str(file), "--held-out", "0.3", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["tasks"] == 8
    assert 1 <= told["held_out_tasks"] < 8
    assert told["rows"] == len(file.read_text().splitlines()) > 300
    assert told["tokens"]["p50"] > 50
    return file


@pytest.fixture(scope="module")
def light(data: Path) -> Path:
    """A model of the light kind, trained on the data."""
    trained = maxcode("value", "train", "--data", str(data), "-o", str(data.parent / "light.json"), "--json")
    assert json.loads(trained.stdout)["states"] > 50, trained.stderr
    return data.parent / "light.json"


def test_rows_have_the_promised_fields(data: Path) -> None:
    row = json.loads(data.read_text().splitlines()[0])
    promised = {"text", "features", "u", "future", "future_equal", "label", "task", "depth", "policy", "strategy"}
    assert promised | {"source", "split", "masked", "after", "tokens"} <= set(row)


def test_a_model_is_trained_judged_and_taken_apart(data: Path, light: Path, tmp_path: Path) -> None:
    page = tmp_path / "card.html"
    judged = maxcode(
        "value", "eval", "--data", str(data), "--model", str(light), "--html", str(page), "--format", "csv"
    )
    assert judged.returncode == 0, judged.stderr
    assert judged.stdout.count("ranked by,Spearman") == 4
    assert "<svg" in page.read_text()
    ablated = maxcode("value", "ablate", "--data", str(data), "--json")
    tables = [json.loads(line) for line in ablated.stdout.splitlines()]
    assert [table["title"] for table in tables] == [
        "Trained otherwise: single-path states",
        "Trained otherwise: on-policy states",
    ]


@pytest.mark.long
def test_a_language_model_is_trained_and_judged_beside_the_light_one(data: Path, light: Path, tmp_path: Path) -> None:
    for needed in ("torch", "transformers", "peft"):
        pytest.importorskip(needed, reason="training needs 'maxcode[train]'")
    folder = tmp_path / "tiny"
    words = ["--base", "tiny", "--max-rows", "8", "--max-tokens", "256", "--json"]
    trained = maxcode("value", "train", "--data", str(data), "-o", str(folder), *words)
    told = json.loads(trained.stdout)
    assert (told["states"], told["proposals"], told["steps"]) == (8, 8, 2), trained.stderr
    assert told["cut_to_length"] == 16
    few = tmp_path / "few.jsonl"
    rows = [line for line in data.read_text().splitlines() if '"split":"held-out"' in line]
    few.write_text("\n".join(rows[:6] + rows[-6:]) + "\n")
    judged = maxcode(
        "value", "eval", "--data", str(few), "--model", str(folder), "--model", str(light), "--format", "csv"
    )
    assert judged.returncode == 0, judged.stderr
    table = judged.stdout.split("ranked by,Spearman")[1].splitlines()[1:]
    assert [line.split(",")[0] for line in table[:3]] == [str(folder), str(light), "own reward"]


@pytest.fixture
def small_tasks(tmp_path: Path) -> Path:
    """One task to train on and one to hold out, by their programs."""
    for split in ("train", "held-out"):
        folder = tmp_path / "tasks" / split
        shutil.copytree(SMALL_TASK, folder)
        settings = (folder / "task.toml").read_text()
        (folder / "task.toml").write_text(re.sub(r'(?m)^name = ".*"', f'name = "{split}"', settings, count=1))
        program = (folder / "baseline.cpp").read_text()
        while split_of(load_task(folder).baseline_candidate.id, 0.3) != split:
            program += "// Another.\n"
            (folder / "baseline.cpp").write_text(program)
    return tmp_path / "tasks"


@pytest.mark.long
def test_a_model_is_refined_on_the_states_its_own_searches_meet(
    data: Path, light: Path, small_tasks: Path, tmp_path: Path
) -> None:
    answers, folder = tmp_path / "answers.jsonl", tmp_path / "refined"
    programs = ["int main() { return 1; }", "int main() { return 2; }", "no program"]
    answers.write_text("".join(json.dumps(f"```cpp\n{text}\n```") + "\n" for text in programs))
    words = ["value", "refine", str(small_tasks), "--data", str(data), "--model", str(light), "-o", str(folder)]
    words += ["--policy", f"scripted:{answers}", "--evals", "8", "--held-out", "0.3", "--format", "csv"]
    first = maxcode(*words)
    assert first.returncode == 0, first.stderr
    table = first.stdout.split("ranked by,Spearman")[1].splitlines()[1:]
    assert [line.split(",")[0] for line in table[:3]] == ["before", "after", "own reward"]
    merged = (folder / "round-1" / "data.jsonl").read_text()
    assert "rollouts+critique+value" in merged
    assert len(merged.splitlines()) > len(data.read_text().splitlines())
    written = {path: path.stat().st_mtime_ns for path in (folder / "round-1").glob("*.jsonl")}
    again = maxcode(*words)
    assert again.stdout == first.stdout
    assert written == {path: path.stat().st_mtime_ns for path in written}
    other = maxcode(*words, "--seed", "1")
    assert other.returncode == 2
    assert plain("has a refinement with other settings") in plain(other.stderr)


def test_a_language_model_is_refined_with_the_settings_it_was_trained_with(tmp_path: Path) -> None:
    trained = Training(base="org/model", rank=4, max_tokens=4096, checkpointing=True, max_rows=64)
    record = {"kind": "generative", "base": "org/model", "training": trained.model_dump()}
    (tmp_path / "model.json").write_text(json.dumps(record))
    for given in (tmp_path, tmp_path / "model.json"):
        assert _training(str(given), None, None, 3) == trained.model_copy(update={"seed": 3}).model_dump()
        assert _training(str(given), None, 32, 0) == trained.model_copy(update={"max_rows": 32}).model_dump()
    assert _training("light", None, None, 0) is None


def test_settings_of_language_models_need_a_base(data: Path) -> None:
    done = maxcode("value", "train", "--data", str(data), "-o", "/tmp/never.json", "--max-tokens", "256")
    assert done.returncode == 2
    assert plain("--max-tokens: only with --base") in plain(done.stderr)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["value", "data", "nowhere", "-o", "/tmp/never.jsonl"], "run nowhere: no such run"),
        (["value", "family", "/tmp/never-made", "--count", "99999"], "the family has"),
        (["optimize", "examples/hashmap", "--strategy", "beam+value", "--value", "none"], "+value needs a model"),
        (["optimize", "examples/hashmap", "--screen", "0.5", "--value", "/nowhere"], "/nowhere: cannot be read"),
    ],
)
def test_bad_input_is_said(words: list[str], message: str) -> None:
    done = maxcode(*words)
    assert done.returncode == 2
    assert plain(message) in plain(done.stderr)


def test_a_line_that_is_no_row_is_named(tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text('{"task": "x"}\n')
    done = maxcode("value", "train", "--data", str(tmp_path / "data.jsonl"), "-o", str(tmp_path / "model.json"))
    assert done.returncode == 2
    assert plain("data.jsonl:1: masked: Field required") in plain(done.stderr)

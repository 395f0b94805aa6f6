"""`maxcode optimize` from the task to the claim, with answers from a file and a real machine; and views of the run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_main import maxcode, plain

pytestmark = pytest.mark.timeout(900)
EXAMPLES = Path(__file__).parents[2] / "examples"
BOUNDED = ["--confirm-seconds", "20"]
PROMISED = {"run", "best", "speedup", "ci_low", "ci_high", "evals", "tokens", "usd", "seconds"}


@dataclass(frozen=True)
class Optimized:
    task: Path
    folder: Path
    summary: dict[str, Any]

    @property
    def run(self) -> str:
        return str(self.summary["run"])


def script(file: Path, programs: list[Path]) -> str:
    file.write_text("".join(json.dumps(f"Faster:\n```cpp\n{path.read_text()}```\n") + "\n" for path in programs))
    return f"scripted:{file}"


def optimize(task: Path, programs: list[Path], folder: Path, *words: str) -> Optimized:
    policy = script(folder / "answers.jsonl", programs)
    output = folder / "out"
    done = maxcode("optimize", str(task), "--policy", policy, *BOUNDED, "--out", str(output), "--json", *words)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    return Optimized(task, output, json.loads(line))


@pytest.fixture(scope="module", params=["hashmap", "dp"])
def optimized(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Optimized:
    task = EXAMPLES / request.param
    attempts = sorted((task / "attempts").glob("*.cpp"))
    return optimize(
        task, [*attempts, task / "baseline.cpp"], tmp_path_factory.mktemp(request.param), "--evals", str(len(attempts))
    )


@pytest.mark.alone
@pytest.mark.long
def test_json_has_the_promised_keys(optimized: Optimized) -> None:
    assert set(optimized.summary) >= PROMISED
    assert optimized.summary["evals"] == len(list((optimized.task / "attempts").glob("*.cpp")))
    assert optimized.summary["tokens"] == 0
    assert optimized.summary["usd"] is None
    assert optimized.summary["seconds"] > 0
    assert optimized.summary["confirming_seconds"] > 0


@pytest.mark.timing
@pytest.mark.alone
@pytest.mark.long
def test_an_improvement_is_claimed_with_its_interval(optimized: Optimized) -> None:
    found = optimized.summary
    assert found["improved"] is True
    assert 1.0 < found["ci_low"] <= found["speedup"] <= found["ci_high"]


@pytest.mark.timing
@pytest.mark.alone
@pytest.mark.long
def test_program_diff_and_summary_are_written(optimized: Optimized) -> None:
    best = Path(optimized.summary["best"])
    assert best.parent == optimized.folder
    given = [optimized.task / "baseline.cpp", *(optimized.task / "attempts").glob("*.cpp")]
    known = {line for path in given for line in path.read_text().splitlines()}
    assert set(best.read_text().splitlines()) <= known  # an attempt, or what is left of it when its diff is reduced
    assert (optimized.folder / "best.diff").read_text().startswith("diff --git a/baseline.cpp")
    summary = (optimized.folder / "summary.md").read_text()
    assert "faster" in summary
    assert optimized.run in summary


@pytest.mark.alone
@pytest.mark.long
def test_runs_lists_it_as_finished(optimized: Optimized) -> None:
    rows = {row["run"]: row for row in map(json.loads, maxcode("runs", "--json").stdout.splitlines())}
    row = rows[optimized.run]
    assert (row["task"], row["state"], row["speedup"]) == (
        optimized.task.name,
        "finished",
        optimized.summary["speedup"],
    )


@pytest.mark.alone
@pytest.mark.long
def test_show_has_every_program(optimized: Optimized) -> None:
    shown = json.loads(maxcode("show", optimized.run, "--json").stdout)
    assert len(shown["nodes"]) == optimized.summary["evals"] + 1
    assert shown["nodes"][0]["parent"] is None
    assert "ok" in maxcode("show", optimized.run).stdout


@pytest.mark.alone
@pytest.mark.long
def test_best_prints_the_program_that_was_written(optimized: Optimized) -> None:
    assert maxcode("best", optimized.run, COLUMNS="10000").stdout == Path(optimized.summary["best"]).read_text()


@pytest.mark.alone
@pytest.mark.long
def test_diff_prints_the_diff_that_was_written(optimized: Optimized) -> None:
    assert maxcode("diff", optimized.run, COLUMNS="10000").stdout == (optimized.folder / "best.diff").read_text()


@pytest.mark.alone
@pytest.mark.long
def test_replay_finds_the_same_from_the_record_alone(optimized: Optimized, tmp_path: Path) -> None:
    done = maxcode("replay", optimized.run, "--out", str(tmp_path / "again"), "--json")
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    assert again["run"] != optimized.run
    for key in ("improved", "speedup", "ci_low", "ci_high", "evals", "nodes"):
        assert again[key] == optimized.summary[key]
    assert Path(again["best"]).read_text() == Path(optimized.summary["best"]).read_text()


@pytest.mark.alone
@pytest.mark.long
def test_resuming_a_finished_run_changes_nothing(optimized: Optimized, tmp_path: Path) -> None:
    done = maxcode("resume", optimized.run, "--out", str(tmp_path / "again"), "--json")
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    for key in ("run", "improved", "speedup", "ci_low", "ci_high", "evals", "nodes"):
        assert again[key] == optimized.summary[key]


@pytest.mark.timing
@pytest.mark.alone
@pytest.mark.long
def test_measuring_anew_asks_no_policy(optimized: Optimized, tmp_path: Path) -> None:
    if optimized.task.name != "dp":
        pytest.skip("one example is enough")
    done = maxcode("replay", optimized.run, "--measure", "--out", str(tmp_path / "again"), "--json")
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    assert again["improved"] is True
    assert again["evals"] == optimized.summary["evals"]


@pytest.mark.timing
@pytest.mark.alone
@pytest.mark.long
def test_nothing_faster_claims_nothing_and_says_so(tmp_path: Path) -> None:
    task = EXAMPLES / "dp"
    policy = script(tmp_path / "answers.jsonl", [task / "baseline.cpp"])
    words = ["optimize", str(task), "--policy", policy, "--evals", "2", *BOUNDED, "--out", str(tmp_path / "out")]
    done = maxcode(*words)
    assert done.returncode == 0, done.stderr
    assert "No improvement" in done.stdout
    assert "faster (" not in done.stdout
    assert re.search(r"2 programs( and [^,]*)?, \d+ s of search\.", done.stdout)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["summary.md"]
    assert "No improvement" in (tmp_path / "out" / "summary.md").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["/nowhere", "--policy", "scripted:x"], "/nowhere: no such task or program"),
        ([str(EXAMPLES / "dp"), "--policy", "magic"], "--policy magic: not known"),
        ([str(EXAMPLES / "dp"), "--policy", "openai:m", "--config", "unset.toml"], "openai:m: no key. Set UNSET_KEY"),
        ([str(EXAMPLES / "dp"), "--policy", "scripted:/nowhere"], "scripted:/nowhere: no such file or folder"),
        ([str(EXAMPLES / "dp"), "--policy", "scripted:x", "--strategy", "luck"], "'luck' is not known"),
        ([str(EXAMPLES / "dp"), "--policy", "scripted:x", "--critic", "luck"], "--critic luck: not known"),
        ([str(EXAMPLES / "dp"), "--policy", "scripted:x", "--observe", "luck"], "'luck' is not known"),
        ([str(EXAMPLES / "dp"), "--policy", "scripted:x", "--config", "/nowhere"], "--config /nowhere: no such file"),
    ],
    ids=["target", "policy", "key", "script", "strategy", "critic", "observe", "config"],
)
def test_bad_input_ends_with_2_a_message_and_no_run(words: list[str], message: str, tmp_path: Path) -> None:
    given = [word if word != "scripted:x" else script(tmp_path / "x", [EXAMPLES / "dp/baseline.cpp"]) for word in words]
    (unset := tmp_path / "unset.toml").write_text('[models.m]\napi_key_env = "UNSET_KEY"\n')
    given = [str(unset) if word == "unset.toml" else word for word in given]
    home = tmp_path / "home"
    done = maxcode("optimize", *given, MAXCODE_HOME=str(home), OPENAI_BASE_URL="")
    assert done.returncode == 2
    assert plain(message) in plain(done.stderr)
    assert "Traceback" not in done.stderr
    assert maxcode("runs", "--json", MAXCODE_HOME=str(home)).stdout == ""


def test_a_run_whose_baseline_is_wrong_is_refused_and_listed_as_that(small_task_folder: Path, tmp_path: Path) -> None:
    baseline, home = small_task_folder / "baseline.cpp", str(tmp_path / "home")
    policy = script(tmp_path / "answers.jsonl", [baseline])
    baseline.write_text("int main() { return 1; }\n")
    done = maxcode("optimize", str(small_task_folder), "--policy", policy, MAXCODE_HOME=home)
    assert done.returncode == 2
    assert plain("the baseline fails on an input of the task's own") in plain(done.stderr)
    assert json.loads(maxcode("runs", "--json", MAXCODE_HOME=home).stdout)["state"] == "refused"

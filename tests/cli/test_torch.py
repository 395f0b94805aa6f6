"""`maxcode optimize` of torch tasks from the task to the claim, on whatever device there is; and views of the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from maxcode.cli.optimize import opened as made_or_loaded
from maxcode.task.kind import NewOptions
from tests.cli.test_main import maxcode

pytest.importorskip("torch", reason="torch is not installed: models cannot be run")
pytestmark = [pytest.mark.alone, pytest.mark.timing, pytest.mark.long, pytest.mark.timeout(900)]
SOFTMAX = Path(__file__).parents[2] / "examples" / "torch" / "softmax"


def optimize(folder: Path, policy: str, evals: int) -> dict[str, Any]:
    words = ["--policy", policy, "--evals", str(evals), "--strategy", "flat+maxcode", "--confirm-seconds", "20"]
    words += ["--out", str(folder / "out")]
    done = maxcode("optimize", str(small_softmax(folder)), *words, "--no-minimize", "--json")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    return dict(json.loads(line))


def small_softmax(folder: Path) -> Path:
    """The example at a size that takes a fraction of a millisecond on a CPU."""
    made = folder / "softmax"
    shutil.copytree(SOFTMAX, made)
    text = (made / "task.toml").read_text()
    assert "batch_size = 768, dim = 1024" in text
    (made / "task.toml").write_text(text.replace("batch_size = 768, dim = 1024", "batch_size = 192, dim = 512"))
    return made


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Two answers: one that is wrong at the edges, one that is right and faster."""
    folder = tmp_path_factory.mktemp("scripted")
    answers = folder / "answers"
    answers.mkdir()
    shutil.copyfile(SOFTMAX / "solutions/wrong_tail.py", answers / "1.py")
    shutil.copyfile(SOFTMAX / "solutions/fused.py", answers / "2.py")
    return optimize(folder, f"scripted:{answers}", 2) | {"folder": folder / "out"}


def test_scripted_models_are_judged_and_the_faster_one_is_claimed(scripted: dict[str, Any]) -> None:
    assert scripted["improved"] is True
    assert 1.0 < scripted["ci_low"] <= scripted["speedup"]
    best = Path(scripted["best"]).read_text()
    assert best == (SOFTMAX / "solutions/fused.py").read_text()


def test_a_problem_as_it_is_becomes_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    problem = tmp_path / "my softmax.py"
    problem.write_text((SOFTMAX / "model.py").read_text())
    task = made_or_loaded(problem, NewOptions())
    assert task.kind.name == "torch"
    assert task.folder.is_relative_to(tmp_path / "home")


def test_the_results_are_written(scripted: dict[str, Any]) -> None:
    folder = scripted["folder"]
    assert (folder / "best.diff").read_text().startswith("diff --git a/model.py")
    assert "faster** than the baseline" in (folder / "summary.md").read_text()


def test_the_run_can_be_looked_at(scripted: dict[str, Any]) -> None:
    run = scripted["run"]
    nodes = json.loads(maxcode("show", run, "--json").stdout)["nodes"]
    assert [node["status"] for node in nodes] == ["ok", "wrong", "ok"]
    assert "class ModelNew" in maxcode("best", run).stdout
    assert "+class ModelNew" in maxcode("diff", run).stdout

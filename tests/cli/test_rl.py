"""`maxcode rl` from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.cli.main import app
from maxcode.store.journal import Store
from maxcode.train.grpo.config import Actions, preset
from maxcode.train.grpo.metrics import KIND, StepRecord
from maxcode.train.grpo.run import RunSettings

runner = CliRunner()


def test_help_of_training_names_its_groups_and_imports_nothing_slow() -> None:
    code = (
        "import sys; sys.argv = ['maxcode', 'rl', 'train', '--help']\n"
        "from maxcode.cli.main import app\n"
        "try: app()\n"
        "finally: assert not set(sys.modules) & {'torch', 'trl', 'transformers', 'ray', 'ribs'}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for title in ("Model", "Problems", "Update", "Machines", "Result"):
        assert f"\n{title}\n" in done.stdout


@pytest.mark.parametrize(("command", "default"), [("train", "the preset's"), ("explore", "3"), ("eval", "its own")])
def test_help_tells_the_default_of_each_command(command: str, default: str) -> None:
    told = runner.invoke(app, ["rl", command, "--help"]).output
    assert f"Named actions: the longest sequence. [{default}]" in " ".join(told.split())
    assert "one object per cell" not in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["train"], "give --out DIR for a new training, or --resume DIR"),
        (["train", "-o", "x", "--preset", "nothing"], "--preset nothing: not known"),
        (["train", "-o", "x", "--tasks", "hpc:nothing"], "no kernel 'nothing'"),
        (["train", "-o", "x", "--engine", "ray", "--bench-cpus", "2"], "--bench-cpus: only with --engine local"),
        (["train", "--resume", "no-such-folder"], "has no run.json"),
        (["train", "--resume", "x", "--steps", "9", "--bench-cpus", "1"], "leave out --steps, --bench-cpus"),
        (["warmstart", "-o", "x"], "name runs, or --data FILE"),
        (["warmstart", "-o", "x", "--data", "/"], "is a directory"),
        (["warmstart", "-o", "x", "--data", __file__, "--learning-rate", "-1"], "should be greater than or equal to 0"),
        (["train", "-o", __file__], "is a file"),
        (["plot", "no-such-run", "-o", "x.html"], "no such run"),
    ],
)
def test_bad_input_is_named_with_its_fix(words: list[str], message: str) -> None:
    done = runner.invoke(app, ["rl", *words])
    assert done.exit_code == 2, done.output
    assert message in " ".join(done.output.split())


def test_a_folder_with_a_training_is_not_begun_again(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    done = runner.invoke(app, ["rl", "train", "-o", str(tmp_path), "--tasks", "hpc:dgemm:m=24,n=24,k=24"])
    assert done.exit_code == 2
    assert "a training was begun there" in done.output


def workers_of(pid: int) -> set[int]:
    """Processes that judge programs for a training."""
    lists = [each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children")]
    found = {int(child) for each in lists for child in each.split()}
    return {each for each in found if b"maxcode.evaluate.worker" in command_line(each)}


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.long
def test_ctrl_c_ends_a_training_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason="needs the extra `rl`")
    words = ["rl", "train", "-o", str(tmp_path), "--preset", "tiny", "--actions", "named", "--ceiling", "16"]
    command = [sys.executable, "-c", "from maxcode.cli.main import app; app()", *words, "--steps", "1000"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not (workers := workers_of(process.pid)):
        assert process.poll() is None
        time.sleep(0.1)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    _, told = process.communicate(timeout=20)
    assert told == f"Stopped; the last checkpoint is kept. `maxcode rl train --resume {tmp_path}` goes on.\n"
    assert process.returncode == 130
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def step(number: int, reward: float) -> StepRecord:
    return StepRecord(
        step=number, samples=8 * number, reward=reward, reward_best=reward, success=0.5, gflops_best=reward, seconds=2.0
    )


def run_with(curriculum: str, rewards: list[float]) -> str:
    with Store() as store:
        journal = store.start("rl:dgemm", {"kind": "rl", "curriculum": curriculum, "steps": len(rewards)})
        for number, reward in enumerate(rewards, 1):
            journal.note(KIND, step(number, reward).model_dump(mode="json"))
        return journal.run


def test_curves_of_runs_are_one_page_with_a_line_for_each(tmp_path: Path) -> None:
    runs = [run_with("none", [10.0, 30.0, 20.0]), run_with("sqd", [10.0, 40.0, 50.0]), run_with("sqd", [20.0, 20.0])]
    page = tmp_path / "curves.html"
    done = runner.invoke(app, ["rl", "plot", *runs, "-o", str(page), "--json"])
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "sqd" in text and "<svg" in text and "http" not in text
    reward_plot = text[text.index("<figure>") : text.index("</figure>")]
    assert reward_plot.count("<polyline") == 4, "one run of `none`; two seeds of `sqd` and their mean"
    rows = json.loads(done.output)["rows"]
    assert [(row[0], row[5]) for row in rows] == [("none", "30"), ("sqd", "50"), ("sqd", "20")]


def test_a_run_is_drawn_by_the_folder_of_its_training(tmp_path: Path) -> None:
    run = run_with("sqd", [10.0])
    settings = RunSettings(config=preset("tiny", Actions.NAMED), tasks=(), curriculum="sqd", steps=1, run=run)
    (tmp_path / "run.json").write_text(settings.model_dump_json())
    page = tmp_path / "pages/curves.html"
    done = runner.invoke(app, ["rl", "plot", f"mine={tmp_path}", "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert "mine" in page.read_text()


def test_a_run_without_steps_has_no_curve(tmp_path: Path) -> None:
    done = runner.invoke(app, ["rl", "plot", run_with("none", []), "-o", str(tmp_path / "x.html")])
    assert done.exit_code == 2
    assert "no steps yet" in done.output

"""What a person at a terminal sees: the result, Ctrl-C, and the line that says how it goes."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from maxcode.config import Config
from maxcode.optimize.run import SearchSettings, Watch, choose, optimize
from maxcode.report.under_way import under_way_in_words
from maxcode.search.budget import Budget
from maxcode.store.journal import Store
from tests.cli.test_main import maxcode
from tests.conftest import SMALL_TASK
from tests.optimize.test_optimize import Pool
from tests.policy.endpoint import Endpoint, completion
from tests.search.fakes import TASK, outcome_of, program

COMMAND = [sys.executable, "-c", "from maxcode.cli.main import app; app()"]

pytestmark = pytest.mark.usefixtures("empty_home")


def finished_run(says: str, folder: Path) -> str:
    """A run that is on record to its end, by instant stand-ins."""
    answers = folder / "answers.jsonl"
    answers.write_text(json.dumps(f"```cpp\n{program(says)}```") + "\n")
    settings = SearchSettings(
        task=str(SMALL_TASK), policy=f"scripted:{answers}", strategy="flat", budget=Budget(evals=1)
    )
    with Store() as store:
        journal = store.start(TASK.name, settings.model_dump(mode="json"))
        chosen = choose(settings, Config())
        asyncio.run(optimize(TASK, settings, chosen, Pool({}), journal, Watch([])))  # type: ignore[arg-type]
    return journal.run


def at_a_terminal(*words: str, typed: str) -> tuple[str, int]:
    """What the terminal shows, and the exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass  # the other end is closed
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()), process.wait(60)


def test_a_finished_search_is_shown_again_without_a_question(tmp_path: Path) -> None:
    shown, code = at_a_terminal("resume", finished_run("speed 2.0", tmp_path), "--out", str(tmp_path / "o"), typed="")
    assert code == 0
    assert "2x faster" in shown
    assert "[y/n]" not in shown


def begun_run() -> str:
    """A run whose baseline is on record, and which asks a model next."""
    settings = SearchSettings(
        task=str(SMALL_TASK), policy="openai:m", strategy="flat", critic="none", budget=Budget(evals=2)
    ).model_dump(mode="json")
    baseline = outcome_of(TASK.baseline_candidate)
    with Store() as store:
        run = store.start(TASK.name, settings).run
        store.append(run, "evaluate.answered", TASK.baseline_candidate.id, baseline.model_dump(mode="json"))
    return run


@pytest.mark.parametrize("presses", [1, 4])
def test_ctrl_c_ends_in_good_order_and_the_run_goes_on_later(presses: int, tmp_path: Path) -> None:
    run, out = begun_run(), ["--out", str(tmp_path / "out")]
    refusal = completion("no", "no")
    with Endpoint(lambda number, _: replace(refusal, delay=60.0) if number == 0 else refusal) as endpoint:
        here = {**os.environ, "OPENAI_BASE_URL": endpoint.url}
        process = subprocess.Popen([*COMMAND, "resume", run, *out], stderr=subprocess.PIPE, text=True, env=here)
        while not endpoint.requests:
            time.sleep(0.02)
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        _, told = process.communicate(timeout=60)
        *progress, last = told.splitlines()  # on a slow machine progress is told before
        assert last == f"Stopped; everything so far is kept. `maxcode resume {run}` goes on."
        assert [line for line in progress if not line.startswith(f"{TASK.name}: ")] == []
        assert process.returncode == 130
        assert list(Path(tempfile.gettempdir()).glob(f"maxcode-pool-{process.pid}-*")) == []
        done = maxcode("resume", run, "--json", OPENAI_BASE_URL=endpoint.url)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["evals"] == 2
    assert Path(json.loads(done.stdout)["summary"]).parent == tmp_path / "out", "where the run was told to write"
    assert json.loads(maxcode("show", run, "--json").stdout)["asked_again"] == [["policy", "1.0"]]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, ""),
        ({"policy": 3}, "asking for programs"),
        ({"evaluate": 5, "critic": 1}, "judging 5, criticising 1"),
        ({"confirm": 1}, "measuring a finalist afresh"),
        ({"clock": 1}, ""),
    ],
    ids=str,
)
def test_what_is_under_way_is_said_in_words(counts: dict[str, int], words: str) -> None:
    assert under_way_in_words(Counter(counts)) == words

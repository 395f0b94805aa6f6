"""Candidates of a torch task from text to outcome, in real processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import Mode, Outcome
from maxcode.evaluate.stages import Request, Stages
from maxcode.kinds.torch.processes.session import BUILD_NICE
from maxcode.task import Task, load_task
from tests.conftest import cpus_of_this_process

pytest.importorskip("torch", reason="torch is not installed")
pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]
SHARES = Path("/proc/self/autogroup")
FOLDER = Path(__file__).parent / "tasks" / "scale"
MODEL = """
import torch
import torch.nn as nn
{imports}

class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        {init}

    def forward(self, x):
        {forward}
"""
RIGHT = "return torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + x"


def text(forward: str = RIGHT, imports: str = "", init: str = "pass") -> str:
    return MODEL.format(forward=forward, imports=imports, init=init)


@pytest.fixture(scope="module")
def task() -> Task:
    return load_task(FOLDER)


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    made = Stages(0, (cpus_of_this_process()[0],), tmp_path_factory.mktemp("scratch"))
    yield made
    made.close()


def judge(stages: Stages, task: Task, source: str, *, measure: bool = False, mode: Mode = Mode.SEARCH) -> Outcome:
    return stages.evaluate(task, Request(candidate=task.candidate(source), seed=5, measure=measure, mode=mode))


@pytest.mark.timing
def test_the_original_is_right_and_neither_faster_nor_slower(stages: Stages, task: Task) -> None:
    outcome = stages.evaluate(task, Request(candidate=task.baseline_candidate, seed=5))
    assert outcome.status == "ok", outcome.reason
    assert outcome.measurement is not None
    assert 0.7 < outcome.measurement.speedup < 1.4
    assert [each.name for each in outcome.stages if each.name != "noise"] == [
        "rules",
        "build",
        "wait",
        "verify",
        "measure",
    ]


def test_a_right_candidate_passes_every_trial(stages: Stages, task: Task) -> None:
    outcome = judge(stages, task, text())
    assert outcome.status == "ok", outcome.reason
    assert outcome.verification is not None and outcome.verification.passed == outcome.verification.total == 4


@pytest.mark.parametrize(
    ("forward", "said"),
    [
        ("return torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + 1.001 * x", "off by"),
        ("return (torch.tanh(x.half() * self.weight.half()).float().sum(dim=1, keepdim=True) + x)", ""),
        ("return torch.zeros_like(x)", "off by"),
        ("return (torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + x).double()", "dtype"),
        ("return x.add_(torch.tanh(x * self.weight).sum(dim=1, keepdim=True))", "input 0 was changed"),
        ("return torch.tanh(x * self.weight.mul_(1.0001)).sum(dim=1, keepdim=True) + x", ""),
        ("return torch.tanh(x * self.weight).sum(dim=1)[:, :4095] if False else x", ""),
    ],
)
def test_wrong_results_are_told_apart(stages: Stages, task: Task, forward: str, said: str) -> None:
    outcome = judge(stages, task, text(forward))
    assert outcome.status == "wrong", outcome.reason
    assert said in (outcome.reason or "")


def test_weights_must_be_those_of_the_seed(stages: Stages, task: Task) -> None:
    outcome = judge(stages, task, text(init="self.weight.data.zero_()"))
    assert outcome.status == "wrong"
    assert "'weight'" in (outcome.reason or "")


def test_only_the_other_shape_is_wrong(stages: Stages, task: Task) -> None:
    forward = "return (torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + x) * (1 if x.shape[1] == 4096 else 1.01)"
    outcome = judge(stages, task, text(forward))
    assert outcome.status == "wrong"
    assert "rows = 3, columns = 7" in (outcome.reason or "")


def test_an_exception_is_told_with_its_line(stages: Stages, task: Task) -> None:
    outcome = judge(stages, task, text("return self.missing(x)"))
    assert outcome.status == "crashed"
    assert "missing" in (outcome.reason or "") and "line 13" in (outcome.reason or "")


@pytest.mark.timing
def test_a_call_that_does_not_end_is_ended(stages: Stages, task: Task) -> None:
    began = time.monotonic()
    outcome = judge(stages, task, text("\n        while True: pass"))
    assert outcome.status == "timeout"
    assert time.monotonic() - began < 30


def test_a_process_that_ends_itself_is_a_crash(stages: Stages, task: Task) -> None:
    outcome = judge(stages, task, text("import os as o\n        getattr(o, '_' + 'exit')(0)"))
    assert outcome.status in ("crashed", "rejected")


def test_syntax_is_a_matter_of_the_build(stages: Stages, task: Task) -> None:
    outcome = judge(stages, task, "\nclass ModelNew:\n    def forward(self)\n")
    assert outcome.status == "build_error"
    assert outcome.reason == "line 3: expected ':'"


@pytest.mark.parametrize(
    "look",
    [
        "assert not pathlib.Path(HOME, 'secret-seed').exists() and not pathlib.Path(HOME, 'cache', 'torch').exists()",
        "assert not pathlib.Path(TASK).exists() or not any(pathlib.Path(TASK).iterdir())",
        "assert len([each for each in pathlib.Path('/proc').iterdir() if each.name.isdigit()]) <= 2",
        "assert not {key for key in os.environ if key.startswith(('OPENAI', 'AWS', 'PYTEST'))}",
        "pathlib.Path('/tmp/mine').write_text('x')",
    ],
)
def test_what_a_candidate_sees(stages: Stages, task: Task, look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the static rules, so that the confinement is what is tested."""
    monkeypatch.setattr("maxcode.kinds.torch.rules.check.broken_rule", lambda *_: None)
    here = look.replace("HOME", repr(os.environ["MAXCODE_HOME"])).replace("TASK", repr(str(task.folder)))
    outcome = judge(stages, task, text(f"{here}\n        {RIGHT}", imports="import os, pathlib"))
    assert outcome.status == "ok", outcome.reason


@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.create_connection(('127.0.0.1', 1), 1)",
        "open('/usr/bin/mine', 'w')",
        "os.kill(os.getppid() or 2, 9)",
        "os.setuid(0)",
        "ctypes.CDLL(None, use_errno=True).mount(b'none', b'/usr', b'tmpfs', 0, None) and 1 / 0",
    ],
)
def test_what_a_candidate_cannot_do(stages: Stages, task: Task, attempt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode.kinds.torch.rules.check.broken_rule", lambda *_: None)
    outcome = judge(stages, task, text(f"{attempt}\n        {RIGHT}", imports="import ctypes, os"))
    assert outcome.status == "crashed", outcome


@pytest.mark.skipif(not SHARES.exists(), reason="this kernel does not share processors out by session")
def test_builds_stay_behind_other_sessions(stages: Stages, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode.kinds.torch.rules.check.broken_rule", lambda *_: None)
    monkeypatch.setitem(BUILD_NICE, "cpu", 19)
    look = f"import pathlib\nfrom torch.utils import cpp_extension\nassert 0, pathlib.Path('{SHARES}').read_text()"
    outcome = judge(stages, task, text(imports=look))
    assert outcome.status == "build_error" and "nice 19" in (outcome.reason or ""), outcome.reason


def test_an_output_that_is_remembered_is_wrong(stages: Stages, task: Task) -> None:
    """Right on every trial with new weights; wrong as soon as inputs change under the same model."""
    init = "self.known = None"
    forward = """
        if self.known is None:
            self.known = torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + x
        return self.known.clone()
    """.strip()
    outcome = judge(stages, task, text(forward, init=init), measure=True)
    assert outcome.status == "wrong"
    assert "of the elements are wrong" in (outcome.reason or "")


@pytest.mark.timing
def test_a_candidate_killed_in_the_middle_is_a_crash(stages: Stages, task: Task) -> None:
    judge(stages, task, text())
    killer = threading.Timer(2.0, _kill_candidates)
    killer.start()
    outcome = judge(stages, task, text(f"\n        for _ in range(10**9): pass\n        {RIGHT}"))
    killer.join()
    assert outcome.status == "crashed"
    assert "SIGKILL" in (outcome.reason or "")


def test_only_the_originals_process_stays_after_an_evaluation(stages: Stages, task: Task) -> None:
    judge(stages, task, text(), measure=True)
    judge(stages, task, text("return self.missing(x)"))
    assert len(_confined()) <= 1


def _kill_candidates() -> None:
    for pid in _confined():
        os.kill(pid, signal.SIGKILL)


def _confined() -> list[int]:
    """The first processes of namespaces that this process started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":", 1) for line in (entry / "status").read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if status.get("NSpid", "").split()[1:] == ["1"] and os.getpid() in _ancestors(int(entry.name)):
            found.append(int(entry.name))
    return found


def _ancestors(pid: int) -> set[int]:
    found: set[int] = set()
    while pid > 1:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return found
        found.add(pid)
    return found

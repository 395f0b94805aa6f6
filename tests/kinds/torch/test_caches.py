"""What compilers make in one process of a program, in the next process of the same program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from maxcode.core import Mode, Outcome
from maxcode.evaluate.build import Builder
from maxcode.evaluate.judge import Equipment
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.stages import Request, Stages
from maxcode.kinds.torch.judge import TorchJudge, _settings, build_folder, problem_texts
from maxcode.kinds.torch.processes import caches
from maxcode.kinds.torch.processes.process_spawner import child_environment
from maxcode.kinds.torch.processes.session import HarnessSession, ModelText
from maxcode.task import Task, load_task
from tests.conftest import cpus_of_this_process

pytest.importorskip("torch", reason="torch is not installed")
PRIVATE = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user"]), "true"]
pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        shutil.which("unshare") is None or subprocess.run(PRIVATE, capture_output=True).returncode != 0,
        reason="this machine gives no process a /tmp of its own",
    ),
]
SCALE = Path(__file__).parent / "tasks" / "scale"
MODEL = """
import os, pathlib, sys
import torch
import torch.nn as nn

{before}


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))

    def forward(self, x):
        return (torch.tanh(x * self.weight).sum(dim=1, keepdim=True) + x) * FACTOR
"""
LEAVE = """
left = pathlib.Path("/tmp/inductor/sub/left")
FACTOR = 2 if left.exists() else 1
left.parent.mkdir(parents=True, exist_ok=True)
left.write_text("x")
"""
"""Wrong as soon as a process finds what another has left."""


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    folder = shutil.copytree(SCALE, tmp_path_factory.mktemp("task") / "scale")
    file = folder / "task.toml"
    file.write_text(file.read_text().replace("seconds = 8", "seconds = 120"))
    return load_task(folder)


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    made = Stages(0, (cpus_of_this_process()[0],), tmp_path_factory.mktemp("scratch"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what happens to the files is what is tested."""
    monkeypatch.setattr("maxcode.kinds.torch.rules.check.broken_rule", lambda *_: None)


def verified(stages: Stages, task: Task, text: str) -> Outcome:
    return stages.evaluate(task, Request(candidate=task.candidate(text), seed=5, measure=False))


def kept(task: Task, text: str) -> list[str]:
    """The files in all archives of a candidate."""
    found = []
    for archive in (build_folder(task.candidate(text).id) / "caches").glob("*"):
        with tarfile.open(archive) as members:
            found += sorted(members.getnames())
    return found


def test_a_process_finds_what_an_earlier_one_of_the_same_program_left(stages: Stages, task: Task) -> None:
    text = MODEL.format(before=f"# with torch.compile\n{LEAVE}")
    assert verified(stages, task, text).status == "ok"
    assert verified(stages, task, text).status == "wrong"


def test_another_program_does_not_find_it(stages: Stages, task: Task) -> None:
    for name in ("one", "other"):
        text = MODEL.format(before=f"# {name} with torch.compile\n{LEAVE}")
        assert verified(stages, task, text).status == "ok"


def test_a_program_that_does_not_compile_leaves_nothing(stages: Stages, task: Task) -> None:
    text = MODEL.format(before=LEAVE)
    assert verified(stages, task, text).status == "ok"
    assert not kept(task, text)


def test_a_program_that_fails_leaves_nothing(stages: Stages, task: Task) -> None:
    """Else one that takes too long to compile would get further each time, and pass in the end."""
    text = MODEL.format(before=f"# with torch.compile, wrong\n{LEAVE}\nFACTOR = 3")
    assert verified(stages, task, text).status == "wrong"
    assert not kept(task, text)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_second_process_does_not_compile_again(stages: Stages, task: Task) -> None:
    before = """
from torch._dynamo.utils import counters
torch.compile(lambda x: torch.tanh(x) + 1)(torch.ones(8))
hits = counters["aot_autograd"]["autograd_cache_hit"] + counters["inductor"]["fxgraph_cache_hit"]
assert not hits, f"{hits} found compiled"
FACTOR = 1
"""
    text = MODEL.format(before=before)
    first = verified(stages, task, text)
    assert first.status == "ok", first.reason
    assert "found compiled" in (verified(stages, task, text).reason or "")


HONEST = """
# with torch.compile
FACTOR = 1
at = pathlib.Path("/tmp/inductor")
at.mkdir(exist_ok=True)
(at / "honest").write_text("x")
"""


@pytest.mark.parametrize(
    "leave",
    [
        "os.symlink('/etc/passwd', at / 'link')",
        "os.symlink('..', at / 'up'); os.symlink('/', at / 'root')",
        "os.symlink('/etc', '/tmp/triton')",
        "os.mkfifo(at / 'pipe')",
        "(at / 'twice').write_text('x'); os.link(at / 'twice', at / 'again')",
        "(at / 'odd name\\n').write_text('x')",
    ],
)
def test_nothing_but_plain_files_is_kept(stages: Stages, task: Task, leave: str) -> None:
    text = MODEL.format(before=f"{HONEST}{leave}")
    assert verified(stages, task, text).status == "ok"
    assert kept(task, text) == ["inductor/honest"]


@pytest.mark.parametrize(
    "leave",
    [
        "(at / '/'.join('d' * 40)).mkdir(parents=True)",
        "(at / 'large').write_bytes(bytes(2 << 20))",
        "os.truncate(os.open(at / 'sparse', os.O_CREAT | os.O_RDWR), 1 << 30)",
        "[(at / str(i)).mkdir() for i in range(300)]",
    ],
)
def test_of_more_than_compilers_leave_nothing_is_kept(
    stages: Stages, task: Task, leave: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "MOST_BYTES", 1 << 20)
    monkeypatch.setattr(caches, "MOST_ENTRIES", 200)
    text = MODEL.format(before=f"{HONEST}{leave}")
    assert verified(stages, task, text).status == "ok"
    assert not kept(task, text)


def test_what_torch_compile_imports_is_there_when_a_process_starts(stages: Stages, task: Task) -> None:
    before = "# with torch.compile\nFACTOR = 1 if 'torch._inductor.compile_fx' in sys.modules else 2"
    assert verified(stages, task, MODEL.format(before=before)).status == "ok"


LOAD = """
import json, os, threading
import torch
from maxcode.kinds.torch.processes.zygote import load_compilers

def state():
    return {
        "threads": [threading.active_count(), len(os.listdir("/proc/self/task"))],
        "children": open("/proc/self/task/%d/children" % os.getpid()).read(),
        "open": len(os.listdir("/proc/self/fd")),
        "cuda": torch.cuda.is_initialized(),
        "caches": os.path.exists(os.environ["TORCHINDUCTOR_CACHE_DIR"]),
    }

before = state()
load_compilers()
print(json.dumps([before, state()]))
"""


def test_loading_compilers_leaves_no_thread_process_file_or_gpu_behind(tmp_path: Path) -> None:
    """A process that others are forked from must not have any."""
    environment = {"PYTHONPATH": os.pathsep.join(sys.path[1:]), "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor")}
    done = subprocess.run(
        [sys.executable, "-c", LOAD], env=child_environment() | environment, capture_output=True, text=True, check=True
    )
    before, after = json.loads(done.stdout)
    assert before == after
    assert not after["cuda"] and not after["caches"]


def test_what_is_called_ahead_leaves_its_caches(task: Task, tmp_path: Path) -> None:
    assert "inductor/sub/left" in called_ahead(task, tmp_path, MODEL.format(before=LEAVE), 60)


@pytest.mark.parametrize("alone", [False, True])
def test_kernels_chosen_beside_others_are_chosen_again(task: Task, tmp_path: Path, alone: bool) -> None:
    chosen = LEAVE.replace("/left", "/chosen.best_config")
    kept = called_ahead(task, tmp_path, MODEL.format(before=f"{LEAVE}\n{chosen}"), 60, alone=alone)
    assert "inductor/sub/left" in kept
    assert ("inductor/sub/chosen.best_config" in kept) == alone


@pytest.mark.parametrize("before", [f"{LEAVE}\nwhile True: pass", f"{LEAVE}\nos.abort()"])
def test_what_hangs_or_crashes_ahead_leaves_none(task: Task, tmp_path: Path, before: str) -> None:
    assert called_ahead(task, tmp_path, MODEL.format(before=before), 3) == []


def test_the_original_is_not_compiled_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be built by one who has the GPU, and would wait for it."""
    folder = shutil.copytree(SCALE, tmp_path / "scale")
    model = next(folder.glob("*.py"))
    model.write_text(f"{model.read_text()}\n# not torch.compile")
    task, ahead = load_task(folder), list[str]()
    monkeypatch.setattr("maxcode.kinds.torch.judge.device_of", lambda _: "cuda")
    monkeypatch.setattr(TorchJudge, "_compile_ahead", lambda _, __, program: ahead.append(program.model))
    cpus = (cpus_of_this_process()[0],)
    sandboxes = (Sandbox(0, "a"), Sandbox(0, "b"))
    given = Equipment(0, sandboxes, Builder(sandboxes[0], cpus), cpus, tmp_path, lambda _: True)
    with closing(TorchJudge(given)) as judge:
        judge.baseline(task)
        judge.build(task, task.candidate(MODEL.format(before="# torch.compile")), Mode.SEARCH)
    assert ahead == ["ModelNew"]


def called_ahead(task: Task, folder: Path, text: str, seconds: float, *, alone: bool = True) -> list[str]:
    """The files in the archive."""
    (folder / "builds").mkdir()
    with closing(HarnessSession((Sandbox(0, "a"), Sandbox(0, "b")), (cpus_of_this_process()[0],), 0)) as session:
        session.open(task, _settings(task))
        problems = tuple(each for each, _ in problem_texts(task))
        program = ModelText("key", f"{text}\n# torch.compile", folder / "builds", "ModelNew")
        session.compile_ahead(program, problems, seconds, alone=alone)
    return [name for file in (folder / "caches").glob("*.tar") for name in tarfile.open(file).getnames()]

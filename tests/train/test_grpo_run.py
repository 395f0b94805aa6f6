"""Whole training runs: a tiny random model, real compilations and timings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from maxcode.core import Candidate, InputError, Measurement, Mode, Outcome, Status, Verdict
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.pool import LocalPool
from maxcode.store.journal import Store
from maxcode.system.processes import process_of, session
from maxcode.task import Task
from maxcode.train.archive_record import KIND as ARCHIVE
from maxcode.train.archive_record import RecordedArchive, recorded_archive
from maxcode.train.base import load_base, save_adapter
from maxcode.train.curriculum import CurriculumKind
from maxcode.train.grpo.config import Actions, config_of, preset
from maxcode.train.grpo.loading import is_main_process, with_lora
from maxcode.train.grpo.metrics import KIND, StepRecord
from maxcode.train.grpo.run import RunSettings, last_checkpoint, settings_of, train
from maxcode.train.grpo.tasks import named_task
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]
torch = pytest.importorskip("torch", reason="needs the extra `train`")
for package in ("trl", "peft", "datasets"):
    pytest.importorskip(package, reason="needs the extra `train`")
pytest.importorskip("ribs", reason="needs the extra `rl`")


SPEC = "hpc:dgemm:m=24,n=24,k=24"
OTHER = "hpc:dgemm:m=20,n=20,k=20"
LONGER = "hpc:dgemm:m=64,n=64,k=64"
"""Long enough that a loaded machine does not make its clocks disagree."""


def settings(actions: Actions = Actions.NAMED, **given: Any) -> RunSettings:
    chosen = {"steps": 4, "group": 3, "turns": 1, "save_every": 2, **given}
    config = preset("tiny", actions, **chosen)
    return RunSettings(config=config, tasks=(SPEC,), curriculum=CurriculumKind.NONE, steps=config.steps, ceiling=16.0)


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(str(folder / "adapter_model.safetensors")))


def records(run: str) -> list[StepRecord]:
    with Store() as store:
        return [StepRecord.model_validate(event.payload) for event in store.read(run, KIND)]


class Killed(Exception):
    pass


class ByLength:
    """Judges by a clock that never errs: a program's length. Real timings are never the same twice."""

    async def __aenter__(self) -> ByLength:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del mode, seed
        return [self._outcome(task, each) for each in candidates]

    def speedup(self, program: str) -> float:
        return 1 + len(program) / 1000

    def _outcome(self, task: Task, candidate: Candidate) -> Outcome:
        speedup = self.speedup(candidate.files[task.main_file])
        measured = Measurement(
            samples=(),
            clock="cpu",
            method="exclusive",
            verdict=Verdict.FASTER,
            speedup=speedup,
            ci_low=speedup,
            ci_high=speedup,
            alpha=0.05,
            gflops=speedup,
            machine="none",
        )
        return Outcome(candidate=candidate.id, task=task.hash, status=Status.OK, measurement=measured)


class AllAlike(ByLength):
    def speedup(self, program: str) -> float:
        del program
        return 1.5


class OnlyOneDiffers(ByLength):
    """Programs of one task are told apart, those of others are all alike."""

    def __init__(self, spec: str) -> None:
        self._differs = MaskedTask(task=named_task(spec), mask=EVERYTHING).judged.hash

    def _outcome(self, task: Task, candidate: Candidate) -> Outcome:
        return (ByLength if task.hash == self._differs else AllAlike)()._outcome(task, candidate)


def with_tasks(wanted: RunSettings, *specs: str) -> RunSettings:
    return wanted.model_copy(update={"tasks": specs})


def close(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Equal but for rounding, which Adam makes larger where a gradient is next to nothing."""
    return one.keys() == other.keys() and all(torch.allclose(one[name], other[name], atol=1e-4) for name in one)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def stop_at_the_third_step_and_go_on(wanted: RunSettings, folder: Path) -> Path:
    def kill(record: StepRecord) -> None:
        if record.step == 3:
            raise Killed

    with pytest.raises(Killed):
        train(wanted, folder, ByLength(), watch=kill)
    assert last_checkpoint(folder) == folder / "checkpoint-2"
    return train(settings_of(folder), folder, ByLength(), watch=lambda _: None)


def test_a_resumed_run_ends_as_one_that_was_never_stopped(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    train(settings(), whole, ByLength(), watch=lambda _: None)
    final = stop_at_the_third_step_and_go_on(settings(), stopped)

    assert same(weights(whole / "final"), weights(final))
    timed = {"seconds", "generating", "waiting", "idle", "per_core", "per_busy_core", "cached"}
    straight = [each.model_dump(exclude=timed) for each in records(settings_of(whole).run or "")]
    broken = {each.step: each.model_dump(exclude=timed) for each in records(settings_of(stopped).run or "")}
    assert [broken[each["step"]] for each in straight] == straight
    assert [each["samples"] for each in straight] == [3, 6, 9, 12]
    assert config_of(final) == settings().config
    assert archive_of(stopped) == archive_of(whole)


def test_answers_count_as_known_only_where_nothing_was_run(tmp_path: Path) -> None:
    """Each is asked about twice: when it is written, and for its reward."""
    judged: list[str] = []

    class Listed(ByLength):
        def speedup(self, program: str) -> float:
            judged.append(program)
            return super().speedup(program)

    train(settings(), tmp_path / "run", Listed(), watch=lambda _: None)
    found = records(settings_of(tmp_path / "run").run or "")
    assert sum(round((1 - each.cached) * 3) for each in found) == len(judged) == len(set(judged))


def archive_of(folder: Path) -> RecordedArchive | None:
    """On record."""
    with Store() as store:
        return recorded_archive(store.read(settings_of(folder).run or "", ARCHIVE))


def test_a_resumed_run_from_a_warm_start_keeps_what_it_had_learned(tmp_path: Path) -> None:
    """TRL holds the warm start as a second adapter, for the KL term: it must not take the place of the first."""
    warm = tmp_path / "warm"
    model, _ = load_base("tiny")
    save_adapter(with_lora(model, settings().config), warm)
    wanted = settings(base=str(warm), beta=0.1, group=6)
    train(wanted, tmp_path / "whole", ByLength(), watch=lambda _: None)
    final = stop_at_the_third_step_and_go_on(wanted, tmp_path / "stopped")

    assert not same(weights(warm), weights(tmp_path / "whole" / "checkpoint-2"))
    assert same(weights(tmp_path / "whole" / "final"), weights(final))


def test_a_model_learns_to_name_what_pays(tmp_path: Path) -> None:
    found: list[StepRecord] = []
    train(settings(steps=14, group=8, save_every=100), tmp_path, ByLength(), watch=found.append)
    assert fmean(each.reward for each in found[-4:]) > found[0].reward + 2
    assert (found[-1].entropy or 0.0) < 0.7 * (found[0].entropy or 0.0)


@pytest.mark.parametrize("actions", Actions)
@pytest.mark.parametrize(("entropy", "target", "moves"), [(0.0, None, False), (0.1, None, True), (0.0, 9.0, True)])
def test_a_group_that_is_all_alike_moves_the_model_by_the_entropy_term_alone(
    tmp_path: Path, actions: Actions, entropy: float, target: float | None, moves: bool
) -> None:
    found: list[StepRecord] = []
    wanted = settings(actions, steps=2, beta=0.0, max_tokens=6, entropy=entropy, entropy_target=target)
    train(wanted, tmp_path, AllAlike(), watch=found.append)
    assert [each.groups_dropped for each in found] == [1, 1]
    assert ((found[-1].grad_norm or 0.0) > 0) is moves


def test_dropped_groups_beside_kept_ones_change_nothing_but_by_the_entropy_term(tmp_path: Path) -> None:
    """An entropy term that weighs next to nothing, which lets dropped groups in, ends as none at all."""

    def trained(entropy: float) -> dict[str, Any]:
        wanted = settings(steps=3, group=4, prompts=2, beta=0.5, entropy=entropy, save_every=100)
        folder = tmp_path / str(entropy)
        found: list[StepRecord] = []
        train(with_tasks(wanted, SPEC, OTHER), folder, OnlyOneDiffers(OTHER), watch=found.append)
        assert any(each.groups_dropped == 1 for each in found)
        return weights(folder / "final")

    assert close(trained(1e-12), trained(0.0))


def test_after_a_step_that_moved_the_model_groups_that_are_all_alike_leave_it_where_it_is(tmp_path: Path) -> None:
    seen: dict[int, dict[str, Any]] = {}
    found: list[StepRecord] = []

    def watch(record: StepRecord) -> None:
        found.append(record)
        if record.step > 1:
            seen[record.step - 1] = weights(tmp_path / f"checkpoint-{record.step - 1}")

    wanted = with_tasks(settings(steps=5, group=6, save_every=1), SPEC, OTHER)
    final = train(wanted, tmp_path, OnlyOneDiffers(OTHER), watch=watch)
    seen[len(found)] = weights(final)
    moved = [each.step for each in found if not each.groups_dropped]
    still = [each.step for each in found if each.groups_dropped and moved and each.step > moved[0]]
    assert moved and still, found
    assert all(same(seen[step], seen[step - 1]) for step in still)


def test_gradients_that_are_not_finite_leave_the_model_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from maxcode.train.grpo.trainer import Trainer

    train(settings(steps=1), tmp_path / "before", ByLength(), watch=lambda _: None)
    usual = Trainer._compute_loss

    def lost(self: Trainer, model: Any, inputs: dict[str, Any]) -> Any:
        return usual(self, model, inputs) * (float("nan") if self.state.global_step else 1.0)

    monkeypatch.setattr(Trainer, "_compute_loss", lost)
    train(settings(steps=2), tmp_path / "after", ByLength(), watch=lambda _: None)
    assert same(weights(tmp_path / "before" / "final"), weights(tmp_path / "after" / "final"))


def test_micro_batches_end_as_one_large_batch(tmp_path: Path) -> None:
    def trained(micro_batch: int | None) -> dict[str, Any]:
        folder = tmp_path / str(micro_batch)
        wanted = settings(steps=2, group=4, turns=2, beta=0.1, micro_batch=micro_batch)
        return weights(train(wanted, folder, ByLength(), watch=lambda _: None))

    assert close(trained(2), trained(None))


def test_answers_that_are_no_programs_earn_the_least_and_move_nothing(tmp_path: Path) -> None:
    """A random model writes bytes: every group is all alike, and no weight changes, not even by the KL term."""
    wanted = settings(Actions.PROGRAMS, steps=2, group=2, max_tokens=6)
    final = train(wanted, tmp_path, LocalPool(), watch=lambda _: None)
    for each in records(settings_of(tmp_path).run or ""):
        assert each.tiers == {"format": 2} and each.reward == -100.0
        assert each.groups_dropped == 1 and each.success == 0.0
        assert each.grad_norm == 0.0 and each.loss == 0.0
    assert all(not value.any() for name, value in weights(final).items() if "lora_B" in name)


def test_a_node_that_dies_in_the_middle_is_held_against_no_answer(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="needs the extra `ray`")
    from maxcode.evaluate.ray.pool import RayPool
    from tests.evaluate.ray_cluster import two_nodes

    with two_nodes() as (head, node):

        def crash(record: StepRecord) -> None:
            if record.step == 1:  # and so in the middle of the next one
                threading.Timer(0.3, node.crash).start()

        wanted = settings(steps=2, group=4, seed=5).model_copy(update={"tasks": (LONGER,)})
        train(wanted, tmp_path, RayPool(head.address, use_cache=False), watch=crash)
    found = records(settings_of(tmp_path).run or "")
    assert [each.step for each in found] == [1, 2]
    assert all(each.unmeasured + sum(each.tiers.values()) == 4 for each in found)
    assert sum(each.tiers.get("ok", 0) for each in found) > 0
    assert {tier for each in found for tier in each.tiers} <= {"ok", "wrong", "build_error"}


IN_TWO_PROCESSES = """
import sys
from pathlib import Path
from maxcode.train.grpo import trainer
from tests.train.test_grpo_run import ByLength, settings, train
trainer.refuse_unfit = lambda *_: None  # GPUs and vLLM, which several processes are for, are not here
wanted = settings(steps=int(sys.argv[2]), group=4)
train(wanted, Path(sys.argv[1]), ByLength(), watch=lambda record: print("step", record.step, flush=True))
"""


def in_two_processes(folder: Path, steps: int) -> subprocess.Popen[str]:
    script = folder.with_suffix(".py")
    script.write_text(IN_TWO_PROCESSES)
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    root = Path(__file__).parents[2]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path]), "OMP_NUM_THREADS": "1"}
    words = [*launch, str(script), str(folder), str(steps)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=here)


def test_several_processes_keep_one_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "run"
    launched = in_two_processes(folder, 2)
    out, err = launched.communicate()
    assert launched.returncode == 0, err
    assert out.splitlines() == ["step 1", "step 2"]
    with Store() as store:
        (run,) = store.runs()
        assert [event.kind for event in store.read(run.id)].count("rl.finished") == 1
    assert settings_of(folder).run == run.id


def test_several_processes_are_stopped_by_the_one_on_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    launched = in_two_processes(tmp_path / "run", 1000)
    assert launched.stdout is not None
    assert launched.stdout.readline() == "step 1\n"
    with Store() as store:
        (run,) = store.runs()
        (opened,) = store.read(run.id, "session.opened")
    assert (opened.payload["processes"], opened.payload["process"]["pid"]) == (2, launched.pid)
    children = [int(each) for each in Path(f"/proc/{launched.pid}/task/{launched.pid}/children").read_text().split()]
    assert len(children) >= 2
    os.kill(opened.payload["process"]["pid"], signal.SIGINT)
    launched.communicate(timeout=60)
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize(
    ("there", "main"),
    [({}, True), ({"RANK": "3"}, True), ({"WORLD_SIZE": "2", "RANK": "1"}, False), ({"WORLD_SIZE": "2"}, True)],
    ids=str,
)
def test_the_main_process_is_known_before_anything_is_imported(
    there: dict[str, str], main: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in there.items():
        monkeypatch.setenv(name, value)
    assert is_main_process() is main


@pytest.mark.skipif(len(usable_cpus()) < 2, reason="needs a core for each")
def test_a_model_keeps_off_the_cores_that_time_programs_with_all_its_threads() -> None:
    code = (
        "import torch\n"
        "from maxcode.evaluate.machine import usable_cpus\n"
        "from maxcode.train.grpo.run import keep_off_benchmark_cores\n"
        "cpus = usable_cpus()\n"
        "torch.set_num_threads(len(cpus))\n"
        "keep_off_benchmark_cores(1)\n"
        "assert usable_cpus() == cpus[1:]\n"
        "assert torch.get_num_threads() == len(cpus) - 1\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_process_that_sees_two_gpus_trains_on_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import TrainingArguments

    from maxcode.train.grpo.trainer import training_arguments

    looked = TrainingArguments._setup_devices.func

    def see_two(arguments: Any) -> Any:
        device = looked(arguments)
        arguments._n_gpu = 2
        return device

    monkeypatch.setattr(TrainingArguments._setup_devices, "func", see_two)
    assert training_arguments(settings().config, tmp_path).n_gpu == 1


def test_a_folder_without_a_run_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no run\.json"):
        settings_of(tmp_path)


def test_a_training_without_its_model_is_not_begun(tmp_path: Path) -> None:
    with Store() as store:
        before = store.runs()
    with pytest.raises(InputError, match="no such folder"):
        train(settings(base=str(tmp_path / "none")), tmp_path / "out", ByLength(), watch=lambda _: None)
    with pytest.raises(InputError, match=r"has no run\.json"):
        settings_of(tmp_path / "out")
    with Store() as store:
        assert store.runs() == before


def test_a_training_that_is_still_running_is_not_resumed(tmp_path: Path) -> None:
    train(settings(steps=1), tmp_path, ByLength(), watch=lambda _: None)
    begun = settings_of(tmp_path)
    assert begun.run is not None
    with subprocess.Popen(["sleep", "60"]) as other:
        with Store() as store:
            store.open(begun.run).note("session.opened", session(process_of(other.pid)))
        with pytest.raises(InputError, match=f"process {other.pid} .* is working on it"):
            train(begun, tmp_path, ByLength(), watch=lambda _: None)
        other.kill()


def test_settings_that_cannot_be() -> None:
    with pytest.raises(InputError, match="not known; use one of"):
        preset("no-such-model", Actions.PROGRAMS)
    with pytest.raises(InputError, match=r"use one of: qwen2\.5-coder-14b, smollm2-135m, tiny"):
        preset("smollm2-135m-named", Actions.PROGRAMS)
    with pytest.raises(InputError, match="switch vllm off"):
        preset("qwen2.5-coder-14b", Actions.NAMED)
    with pytest.raises(InputError, match="group: Input should be greater"):
        preset("tiny", Actions.PROGRAMS, group=1)

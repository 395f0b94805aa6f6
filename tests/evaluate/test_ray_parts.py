"""Parts of the cluster engine that need no cluster: tasks as values, a node alone, the choice of a class, doubts."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from maxcode.config import Config
from maxcode.core import InputError, Measurement, Noise, Outcome, Sample, Status, Verdict
from maxcode.evaluate.engine import Engine, open_pool
from maxcode.evaluate.ray.bundle import Bundle, BundledFile, kept_folder, pack, unpack
from maxcode.evaluate.ray.node import NodeActor, NodeReply, Order
from maxcode.evaluate.ray.place import NodeClass, NodeHealth, NodeInfo, choose, this_place
from maxcode.evaluate.ray.reference import doubt, measure_health, spread
from maxcode.evaluate.stages import Request
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK

WRONG = '#include <cstdio>\nint main() { puts("1 2 3"); }\n'


@pytest.fixture
def task() -> Task:
    return load_task(SMALL_TASK)


def test_task_has_the_same_hash_where_its_bundle_is_unpacked(task: Task) -> None:
    bundle = pack(task)
    copy = load_task(unpack(bundle) / bundle.folder)
    assert copy.folder != task.folder
    assert copy.hash == task.hash


def test_task_with_changes_shares_the_bundle_and_has_its_own_hash(task: Task) -> None:
    changes = {"limits": {"seconds": 3.0}}
    changed = load_task(SMALL_TASK, changes)
    bundle = pack(changed)
    assert bundle.id == pack(task).id
    assert load_task(unpack(bundle), changes).hash == changed.hash != task.hash


REPOSITORY = """
name = "repo"
kind = "command"

[command]
repository = ".."
editable = ["lib/*.py"]
test = "sh test.sh"
bench = "sh bench.sh"
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in {
        "lib/a.py": "x = 1\n",
        "test.sh": "exit 0\n",
        "bench.sh": "exit 0\n",
        "perf/x.txt": "\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "test.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("lib/a.py")
    (tmp_path / "perf/task.toml").write_text(REPOSITORY)
    return tmp_path


def test_repository_beside_its_task_is_packed_with_links_and_modes(repository: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    task = load_task(repository / "perf")
    bundle = pack(task)
    folder = unpack(bundle)
    assert load_task(folder / bundle.folder).hash == task.hash
    assert (folder / "link").is_symlink()
    assert (folder / "test.sh").stat().st_mode & 0o111


def test_repository_at_an_absolute_path_is_refused_with_the_fix(repository: Path) -> None:
    file = repository / "perf/task.toml"
    file.write_text(REPOSITORY.replace('".."', f'"{repository}"'))
    with pytest.raises(InputError, match=r"command\.repository.*relative"):
        pack(load_task(repository / "perf"))


def test_bundle_cannot_write_outside_of_its_folder() -> None:
    evil = Bundle(folder=".", entries=(BundledFile(name="../escaped", form="file", data=b"x"),))
    with pytest.raises(InputError, match="outside"):
        unpack(evil)
    assert not (kept_folder(evil.id).parent / "escaped").exists()


def order(task: Task, bundle: Bundle, *, task_hash: str | None = None) -> Order:
    request = Request(candidate=task.candidate(WRONG), seed=1, measure=False)
    return Order(
        bundle=bundle.id,
        folder=bundle.folder,
        changes=task.changes,
        task_hash=task_hash or task.hash,
        request=request,
    )


async def _talk(task: Task) -> list[NodeReply]:
    """What a node says before it has the task, with it, about another hash of it, and when it is leaving."""
    node, bundle = NodeActor("alone", "cpu", 1), pack(task)
    asked = [await node.ask(order(task, bundle))]
    assert await node.take(bundle) is None
    asked.append(await node.ask(order(task, bundle)))
    asked.append(await node.ask(order(task, bundle, task_hash="0" * 32)))
    await node.leave(1.0)
    asked.append(await node.ask(order(task, bundle)))
    return asked


@pytest.mark.long
def test_node_asks_for_a_task_it_does_not_have_and_judges_it_once_it_does(small_task_folder: Path) -> None:
    (small_task_folder / "tests/public/input.0.txt").open("a").write("\n")  # content that no other test has sent
    before, judged, other, leaving = asyncio.run(_talk(load_task(small_task_folder)))
    assert before.fault == "unknown task"
    assert judged.outcome is not None
    assert judged.outcome.status is Status.WRONG
    assert (other.fault, other.outcome) == ("input", None)
    assert "has changed" in (other.error or "")
    assert leaving.fault == "leaving"


PLACE = NodeClass(machine="alpha", toolchain="t", protections="p", devices="d", evaluator=this_place().evaluator)


def node(name: str, slots: int, kind: str = "cpu", **changes: str) -> NodeInfo:
    return NodeInfo.model_validate(
        {"name": name, "host": name, "kind": kind, "slots": slots, "place": PLACE.model_copy(update=changes)}
    )


def test_class_with_the_most_slots_is_chosen_and_the_others_are_named() -> None:
    nodes = [node("a", 2), node("b", 3, machine="beta"), node("c", 2)]
    choice = choose(nodes, ("cpu",))
    assert choice is not None
    assert choice.place.machine == "alpha"
    assert choice.unused is not None
    assert "b (3 slots: beta)" in choice.unused


def test_named_class_is_chosen_however_small() -> None:
    choice = choose([node("a", 8), node("b", 1, machine="beta")], ("cpu",), "beta")
    assert choice is not None
    assert choice.place.machine == "beta"
    assert choose([node("a", 8)], ("cpu",), "beta") is None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (node("b", 1, toolchain="other"), "other compilers"),
        (node("b", 1, protections="other"), "another sandbox"),
        (node("b", 1, evaluator="other"), "another version of MaxCode"),
        (node("b", 1, kind="gpu"), "a GPU node"),
    ],
)
def test_nodes_that_could_judge_otherwise_are_left_out(other: NodeInfo, words: str) -> None:
    choice = choose([node("a", 1), other], ("cpu",))
    assert choice is not None
    assert choice.place == PLACE
    assert words in (choice.unused or "")


def test_programs_never_go_to_gpu_nodes(task: Task) -> None:
    assert task.kind.nodes(task) == ("cpu",)
    assert choose([node("a", 8, kind="gpu")], task.kind.nodes(task)) is None


def timed(ratios: list[float], *, dropped: int = 0, status: Status = Status.OK) -> Outcome:
    samples = tuple(Sample(baseline=ratio, candidate=1.0, method="exclusive") for ratio in ratios)
    measurement = Measurement(
        samples=samples,
        clock="cpu",
        method="exclusive",
        verdict=Verdict.TIE,
        speedup=1.0,
        ci_low=1.0,
        ci_high=1.0,
        alpha=0.01,
        noise=Noise(exclusive=0.02, pairs=5),
        dropped=dropped,
        machine="alpha",
    )
    return Outcome(candidate="c", task="t", status=status, measurement=measurement)


def health(seconds: float) -> NodeHealth:
    return NodeHealth(seconds=seconds, spread=0.01, at=0.0)


@pytest.mark.parametrize(
    ("outcome", "seconds", "words"),
    [
        (timed([1.0, 1.01, 0.99]), 1.0, None),
        (timed([1.0, 1.3, 0.7]), 1.0, "spread"),
        (timed([1.0, 1.01, 0.99], dropped=6), 1.0, "took CPU time"),
        (timed([1.0, 1.01, 0.99]), 1.3, "1.30 times as slow"),
        (Outcome(candidate="c", task="t", status=Status.TIMEOUT), 1.3, "1.30 times as slow"),
        (Outcome(candidate="c", task="t", status=Status.WRONG), 1.3, None),
    ],
    ids=["steady", "spread", "stolen", "slow node", "timeout on a slow node", "wrong on a slow node"],
)
def test_what_was_measured_in_doubt_is_measured_again(outcome: Outcome, seconds: float, words: str | None) -> None:
    found = doubt(outcome, health(seconds), [health(1.0), health(seconds), None])
    assert found is None if words is None else words in (found or "")


@pytest.mark.timing
@pytest.mark.long
def test_reference_program_gives_speed_and_spread_of_a_machine(make_health: Callable[[], NodeHealth]) -> None:
    found = make_health()
    assert 0.001 < found.seconds < 2.0
    assert found.spread >= 0.0


@pytest.fixture
def make_health() -> Callable[[], NodeHealth]:
    from maxcode.evaluate.pool import LocalPool

    async def measured() -> NodeHealth:
        async with LocalPool(1, use_cache=False) as pool:
            return await measure_health(pool)

    return lambda: asyncio.run(measured())


def test_counts_have_no_spread() -> None:
    m = timed([1.0, 2.0]).measurement
    assert m is not None
    assert spread(m.model_copy(update={"method": "count"})) is None


def test_engine_without_an_address_says_how_to_give_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(InputError, match=r"--address HOST:PORT.*RAY_ADDRESS.*maxcode\.toml"):
        open_pool(Engine(name="ray"), Config())
    with pytest.raises(InputError, match="only with --engine ray"):
        open_pool(Engine(address="127.0.0.1:6379"), Config())

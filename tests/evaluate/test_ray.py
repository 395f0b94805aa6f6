"""The cluster engine on a real Ray with two nodes: the local pool's outcomes, also when a node dies."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from maxcode.core import Outcome, Status
from maxcode.evaluate.pool import LocalPool, Pool
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK
from tests.evaluate.ray_cluster import Worker, two_nodes
from tests.evaluate.test_pool import HONEST

pytest.importorskip("ray", reason="needs the extra `ray`")
from maxcode.evaluate.ray.pool import RayPool

pytestmark = [pytest.mark.long, pytest.mark.alone]
SOURCES = {
    Status.OK: HONEST,
    Status.BUILD_ERROR: "int main() { return missing; }\n",
    Status.TIMEOUT: "int main() { for (;;) {} }\n",
    Status.CRASHED: "int main() { __builtin_trap(); }\n",
    Status.WRONG: '#include <cstdio>\nint main() { puts("1 2 3"); }\n',
    Status.REJECTED: "#include <unistd.h>\nint main() { fork(); }\n",
}
ROOT = Path(__file__).parents[2]
Found = TypeVar("Found")


@pytest.fixture(scope="module")
def cluster() -> Iterator[tuple[Worker, Worker]]:
    with two_nodes() as workers:
        yield workers


@pytest.fixture(scope="module")
def task() -> Task:
    return load_task(SMALL_TASK)


def run(work: Coroutine[Any, Any, Found]) -> Found:
    return asyncio.run(work)


async def _judge(pool: Pool, task: Task, sources: list[str], *, measure: bool) -> list[Outcome]:
    return await pool(task, [task.candidate(text) for text in sources], measure=measure)


async def _both(address: str, task: Task, sources: list[str], *, measure: bool) -> tuple[list[Outcome], list[Outcome]]:
    async with LocalPool(2, use_cache=False) as local:
        ours = await _judge(local, task, sources, measure=measure)
    async with RayPool(address, use_cache=False) as pool:
        assert pool.slots == 2
        return ours, await _judge(pool, task, sources, measure=measure)


def untimed(outcome: Outcome) -> dict[str, Any]:
    """All of an outcome but how long its stages took."""
    return outcome.model_dump(exclude={"stages"})


def test_outcomes_are_those_of_the_local_pool(cluster: tuple[Worker, Worker], task: Task) -> None:
    ours, theirs = run(_both(cluster[0].address, task, list(SOURCES.values()), measure=False))
    assert [outcome.status for outcome in theirs] == list(SOURCES)
    assert list(map(untimed, theirs)) == list(map(untimed, ours))


def test_exact_measurements_are_those_of_the_local_pool(cluster: tuple[Worker, Worker]) -> None:
    changes = {"objective": {"metric": "instructions"}}
    ours, theirs = run(_both(cluster[0].address, load_task(SMALL_TASK, changes), [HONEST], measure=True))
    assert ours[0].measurement is not None
    assert untimed(theirs[0]) == untimed(ours[0])


async def _cancelled_then_asked(address: str, task: Task) -> Outcome:
    async with RayPool(address, use_cache=False) as pool:
        endless = [task.candidate(SOURCES[Status.TIMEOUT] + f"// {i}\n") for i in range(2)]
        asked = asyncio.ensure_future(pool(task, endless, measure=False))
        await asyncio.sleep(1.0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        (outcome,) = await _judge(pool, task, [SOURCES[Status.WRONG]], measure=False)
        return outcome


def test_cancelled_evaluation_leaves_no_answer_for_the_next(cluster: tuple[Worker, Worker], task: Task) -> None:
    outcome = run(_cancelled_then_asked(cluster[0].address, task))
    assert outcome.status is Status.WRONG
    assert outcome.candidate == task.candidate(SOURCES[Status.WRONG]).id


async def _left_while_under_way(address: str, task: Task) -> asyncio.Future[list[Outcome]]:
    async with RayPool(address, use_cache=False) as pool:
        asked = asyncio.ensure_future(_judge(pool, task, [SOURCES[Status.TIMEOUT] + "// left\n"], measure=False))
        await asyncio.sleep(0.5)
    await asyncio.wait([asked])
    return asked


def test_closing_the_pool_ends_what_is_under_way(cluster: tuple[Worker, Worker], task: Task) -> None:
    import ray

    assert run(_left_while_under_way(cluster[0].address, task)).cancelled()
    assert not ray.is_initialized()


async def _judge_in_doubt(address: str, task: Task) -> Outcome:
    async with RayPool(address, use_cache=True) as pool:
        (outcome,) = await _judge(pool, task, [SOURCES[Status.CRASHED] + "// in doubt\n"], measure=False)
        return outcome


def test_doubtful_outcome_is_measured_again_and_not_kept(
    cluster: tuple[Worker, Worker], task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Outcome] = []

    def always(outcome: Outcome, *_: object) -> str:
        seen.append(outcome)
        return "for the test"

    monkeypatch.setattr("maxcode.evaluate.ray.pool.doubt", always)
    assert run(_judge_in_doubt(cluster[0].address, task)).status is Status.CRASHED
    assert len(seen) == 3
    monkeypatch.undo()
    assert not run(_judge_in_doubt(cluster[0].address, task)).cached
    assert run(_judge_in_doubt(cluster[0].address, task)).cached


def test_command_line_uses_the_cluster(cluster: tuple[Worker, Worker], tmp_path: Path) -> None:
    file = tmp_path / "wrong.cpp"
    file.write_text(SOURCES[Status.WRONG])
    words = ["evaluate", str(SMALL_TASK), str(file), "--engine", "ray", "--address", cluster[0].address, "--json"]
    done = subprocess.run([sys.executable, "-m", "maxcode", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "wrong"


def test_snippet_of_the_docs_runs(cluster: tuple[Worker, Worker]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/cluster.md").read_text(), re.DOTALL)
    environment = {**os.environ, "RAY_ADDRESS": cluster[0].address}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "crashed 2\n", done.stderr


async def _judge_and_crash(address: str, victim: Worker, task: Task) -> tuple[list[Outcome], set[str]]:
    """One node dies as soon as the first outcome is there; both are busy then."""
    sources = [f"{text}// {i}\n" for i in range(2) for text in SOURCES.values()]
    async with RayPool(address, use_cache=False) as pool:
        assert pool.slots == 2
        asked = [asyncio.ensure_future(_judge(pool, task, [text], measure=False)) for text in sources]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.to_thread(victim.crash)
        outcomes = [outcome for each in asked for outcome in await each]
        return outcomes, {node.name for node in pool.nodes}


def test_node_that_dies_costs_no_verdict(cluster: tuple[Worker, Worker], task: Task) -> None:
    """The last test: it leaves one node."""
    head, victim = cluster
    outcomes, left = run(_judge_and_crash(head.address, victim, task))
    assert [outcome.status for outcome in outcomes] == 2 * list(SOURCES)
    assert left == {head.joined["node"]["name"]}

"""A tree that follows a run is the tree of the run, however its events come."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.optimize.recorded import recorded_tree
from maxcode.store.journal import Event, Store
from maxcode.view.follow import Follower, Followers
from tests.report.recording import record
from tests.search.fakes import shape
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("empty_home")


def copy_of(store: Store, run: str) -> tuple[str, list[Event]]:
    """A new run with the same settings, and the events it still lacks."""
    info = store.info(run)
    return store.start(info.task, info.settings).run, list(store.read(run))


@pytest.mark.parametrize("strategy", ["flat", "mcts+maxcode", "evolve+maxcode"])
def test_a_growing_run_is_followed_to_its_end(strategy: str) -> None:
    run = record(strategy=strategy)
    with Store() as store:
        growing, events = copy_of(store, run)
        last = [0]
        follower = Follower(store, growing, lambda: last[0])
        sizes = []
        for i, event in enumerate(events):
            store.append(growing, event.kind, event.key, event.payload)
            last[0] = max(head.number for head in store.latest())
            if i in (len(events) // 3, 2 * len(events) // 3):
                until(lambda: follower.caught_up and follower.journal.last >= last[0])
                sizes.append(len(follower.columns))
        until(lambda: follower.complete)
        assert follower.tree is not None
        assert shape(follower.tree) == shape(recorded_tree(store, run))
        assert 0 < sizes[0] <= sizes[1] < len(follower.columns)


def test_the_oldest_follower_is_let_go() -> None:
    runs = [record(finish=False, budget={"evals": 4}) for _ in range(3)]
    with Store() as store:
        followers = Followers(store, most=2)
        first, *_ = [followers.of(run, lambda: 0) for run in runs]
        assert followers.at_hand(runs[0]) is None
        until(lambda: first.complete)
        followers.close()


def test_a_changed_task_is_said_to_be_changed(small_task_folder: Path) -> None:
    run = record(task=str(small_task_folder))
    baseline = small_task_folder / "baseline.cpp"
    baseline.write_text("// another program\n" + baseline.read_text())
    with Store() as store:
        follower = Follower(store, run, lambda: 0)
        assert "not the one it began with" in str(until(lambda: follower.problem))
        follower.close()

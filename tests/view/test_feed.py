"""What is known of runs while they are made."""

from __future__ import annotations

import pytest

from maxcode.store.journal import Store
from maxcode.view.feed import RunFeed
from tests.conftest import SMALL_TASK

pytestmark = pytest.mark.usefixtures("empty_home")


def test_a_search_that_a_benchmark_has_just_begun_is_known_as_its_part() -> None:
    plan = {
        "suite": "demo",
        "tasks": [str(SMALL_TASK)],
        "methods": [{"name": "flat", "strategy": "flat"}],
        "seeds": [0],
    }
    with Store() as store:
        feed, bench = RunFeed(store), store.start("bench:demo", plan)
        bench.note("session.opened", {})
        feed.look()
        run = store.start("total", {"task": str(SMALL_TASK), "policy": "rewrite"}).run
        bench.note("cell.started", {"cell": "flat", "run": run})
        feed.look()
        assert feed.overviews[run].bench == bench.run

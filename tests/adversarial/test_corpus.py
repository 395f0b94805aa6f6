"""Every program of the corpus is caught, with the right status and a reason a person can read."""

from __future__ import annotations

import asyncio
import re

import pytest

from maxcode.core import Outcome, Verdict
from tests.adversarial.corpus import Attack, collected, judge, left_by_pools, parameters, read_corpus

pytestmark = pytest.mark.alone
CORPUS = read_corpus("programs")
QUICK = """
    build_include_hidden_test control_total_sort count_log_found exit_early forge_report harm_input_mode heart_size
    kernel_cache_shape kernel_write_after process_fork_bomb_raw py_fork_disguised read_walk recall_input_times
"""
"""One of each large class; the others are `long`."""


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> dict[str, Outcome]:
    return asyncio.run(judge(collected(request, CORPUS)))


def test_corpus_is_large() -> None:
    assert len(CORPUS) >= 30


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_nothing_is_left_behind(outcomes: dict[str, Outcome]) -> None:
    assert outcomes
    assert left_by_pools() == []


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("attack", parameters(CORPUS, QUICK))
def test_is_caught(attack: Attack, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[attack.name]
    assert outcome.status.value in attack.expect, f"{attack.attack}: {outcome.status.value}: {outcome.reason}"
    if outcome.status.value != "ok":
        assert outcome.reason and re.search(attack.reason or "", outcome.reason, re.IGNORECASE), outcome.reason
    elif attack.max_speedup is not None:
        assert outcome.measurement is not None
        won = outcome.measurement.verdict is Verdict.FASTER
        assert not won or outcome.measurement.speedup < attack.max_speedup

"""No honest program is refused, however aggressive: each is accepted, under sanitizers too, and its gain is seen."""

from __future__ import annotations

import asyncio

import pytest

from maxcode.core import Outcome, Status
from maxcode.evaluate.machine import usable_cpus
from maxcode.task import load_task
from tests.adversarial.corpus import Attack, collected, judge, parameters, read_corpus

pytestmark = pytest.mark.alone
HONEST = [each for each in read_corpus("honest") if load_task(each.task).limits.cpus <= len(usable_cpus())]
QUICK = "smooth_avx2"


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> dict[str, Outcome]:
    return asyncio.run(judge(collected(request, HONEST)))


def test_honest_programs_are_many() -> None:
    assert len(HONEST) >= 25


@pytest.mark.timeout(900)
@pytest.mark.parametrize("honest", parameters(HONEST, QUICK))
def test_is_accepted(honest: Attack, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[honest.name]
    assert outcome.status is Status.OK, f"{honest.attack}: {outcome.status.value}: {outcome.reason}"
    assert outcome.measurement is not None
    if honest.min_speedup is not None:
        assert outcome.measurement.speedup > honest.min_speedup

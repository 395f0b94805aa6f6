"""Every cheating torch candidate is caught, with the right status and a reason a person can read; honest ones pass."""

from __future__ import annotations

import ast
import asyncio

import pytest

from maxcode.core import Outcome
from maxcode.evaluate.pool import LocalPool, Pool
from maxcode.kinds.torch.rules.check import broken_rule
from maxcode.task import load_task
from tests.adversarial.corpus import LONG_SAMPLING_SECONDS, collected, left_by_pools
from tests.adversarial.torch_corpus import CASES, HERE, Case, device_here

QUICK = "control_mean cache_shape forged_reply_disguised".split()
CHEATS = [case for case in CASES if not case.honest]


def test_the_corpus_is_large() -> None:
    assert len(CHEATS) >= 32
    assert len(CASES) - len(CHEATS) >= 4


def test_the_table_names_every_file_once() -> None:
    assert sorted(case.name for case in CASES) == sorted(path.stem for path in HERE.glob("*.py"))


def test_disguised_forms_are_many() -> None:
    plain = {case.name for case in CASES if not case.runtime}
    disguised = {case.name.removesuffix("_disguised") for case in CASES if case.name.endswith("_disguised")}
    assert len(disguised & plain) >= 10


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_says_what_it_tries(case: Case) -> None:
    assert ast.get_docstring(ast.parse(case.path.read_text()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_rules_see_what_they_should(case: Case) -> None:
    """Plain forms are named at once; disguised and honest ones pass, so that the runtime is what is tested by them."""
    task = load_task(case.folder)
    reason = broken_rule(task, task.candidate(case.path.read_text()))
    if case.runtime:
        assert reason is None
    else:
        outcome = Outcome(candidate="", task="", status="rejected", reason=reason)
        assert case.is_met(outcome), reason


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> dict[str, Outcome]:
    pytest.importorskip("torch", reason="torch is not installed: no candidate can run")
    wanted = collected(request, CASES)
    tasks = {case.task for case in wanted}
    beside = [case for case in CASES if case in wanted or (case.honest and case.task in tasks)]
    return asyncio.run(_judge_all([case for case in beside if case.runs_on(device_here())]))


async def _judge_all(cases: list[Case]) -> dict[str, Outcome]:
    """The honest first: some cheats build on what they leave behind."""
    found: dict[str, Outcome] = {}
    async with LocalPool(use_cache=False) as pool:
        for honest in (True, False):
            kinds = sorted({(case.folder, case.timed) for case in cases})
            groups = [[c for c in cases if (c.folder, c.timed, c.honest) == (*kind, honest)] for kind in kinds]
            for judged in await asyncio.gather(*(_judge(pool, group) for group in groups if group)):
                found |= judged
    return found


async def _judge(pool: Pool, group: list[Case]) -> dict[str, Outcome]:
    """Of one task, all timed or none."""
    task = load_task(group[0].folder)
    candidates = [task.candidate(case.path.read_text()) for case in group]
    results = await pool(task, candidates, measure=group[0].timed, seconds=LONG_SAMPLING_SECONDS)
    return {case.name: outcome for case, outcome in zip(group, results, strict=True)}


@pytest.mark.alone
@pytest.mark.long
@pytest.mark.timeout(900)
def test_nothing_is_left_behind(outcomes: dict[str, Outcome]) -> None:
    assert outcomes
    assert left_by_pools() == []


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    """A verdict that may be `ok` hangs on a clock."""
    unsteady = [pytest.mark.timing] if "ok" in case.expect and case.timed else []
    return unsteady if case.name in QUICK else [*unsteady, pytest.mark.long]


@pytest.mark.alone
@pytest.mark.timeout(900)
@pytest.mark.parametrize("case", [pytest.param(each, id=each.name, marks=_marks(each)) for each in CASES])
def test_gets_the_verdict_it_should(case: Case, outcomes: dict[str, Outcome]) -> None:
    if case.name not in outcomes:
        pytest.skip(f"needs {'a GPU' if case.device == 'cuda' else 'a machine without one'}")
    outcome = outcomes[case.name]
    speedup = outcome.measurement.speedup if outcome.measurement else None
    assert case.is_met(outcome), f"{outcome.status.value} (speedup {speedup}): {outcome.reason}"

"""Candidates of repositories that forge their tests or their bench are caught; honest ones are accepted."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from maxcode.core import Candidate, Outcome, Verdict
from maxcode.evaluate.pool import LocalPool
from maxcode.task import load_task
from tests.adversarial.corpus import HERE, LONG_SAMPLING_SECONDS, Attack, collected, parameters, read_repository_corpus

pytestmark = pytest.mark.alone
CORPUS = read_repository_corpus()
QUICK = "canned_by_length"
ENVIRONMENT = Path(pytest.__file__).parents[4]


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    folder = tmp_path_factory.mktemp("repositories")
    shutil.copytree(HERE / "repositories", folder, dirs_exist_ok=True)
    for toml in folder.glob("*/task.toml"):
        toml.write_text(f'{toml.read_text()}python = "{ENVIRONMENT}"\n')  # the one that has pytest
    return asyncio.run(_judge_all(folder, collected(request, CORPUS)))


async def _judge_all(folder: Path, corpus: list[Attack]) -> dict[str, Outcome]:
    async with LocalPool(use_cache=False) as pool:

        async def judge(name: str) -> dict[str, Outcome]:
            task = load_task(folder / name)
            attacks = [attack for attack in corpus if attack.task.name == name]
            candidates = [Candidate(files=dict.fromkeys(task.files, attack.path.read_text())) for attack in attacks]
            results = await pool(task, candidates, seconds=LONG_SAMPLING_SECONDS)
            return {attack.name: outcome for attack, outcome in zip(attacks, results, strict=True)}

        groups = await asyncio.gather(*map(judge, sorted({attack.task.name for attack in corpus})))
    return {name: outcome for group in groups for name, outcome in group.items()}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("attack", parameters(CORPUS, QUICK))
def test_is_caught(attack: Attack, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[attack.name]
    assert outcome.status.value in attack.expect, f"{attack.attack}: {outcome.status.value}: {outcome.reason}"
    if outcome.status.value != "ok":
        assert outcome.reason and re.search(attack.reason or "", outcome.reason, re.IGNORECASE), outcome.reason
        return
    assert outcome.measurement is not None
    if attack.max_speedup is not None:
        assert outcome.measurement.speedup < attack.max_speedup
    else:
        assert outcome.measurement.verdict is Verdict.FASTER

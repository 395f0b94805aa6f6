"""Candidates for functions of packages that cheat are caught; honest ones are accepted."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from maxcode.core import Candidate, Outcome, Verdict
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.function.scaffold import make
from maxcode.task import load_task
from maxcode.task.kind import NewOptions
from tests.adversarial.corpus import HERE, Attack, collected, parameters, read_attack

pytestmark = pytest.mark.alone
FOLDER = HERE / "functions"
CORPUS = [read_attack(path, FOLDER) for path in sorted((FOLDER / "attacks").iterdir())]
QUICK = "other_types memo_lru_cache merged_alias"
ENVIRONMENT = Path(pytest.__file__).parents[4]
"""The one that has pytest."""


def function_of(attack: Attack) -> str:
    found = re.search(r"^# function: (\w+)$", attack.path.read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    folder = tmp_path_factory.mktemp("functions")
    shutil.copytree(FOLDER / "wordy", folder / "wordy")
    return asyncio.run(_judge_all(folder, collected(request, CORPUS)))


async def _judge_all(folder: Path, corpus: list[Attack]) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    async with LocalPool(use_cache=False) as pool:
        for name in sorted({function_of(attack) for attack in corpus}):
            place = folder / "wordy" / "src" / "wordy" / f"counting.py::{name}"
            make(folder / name, place, NewOptions(name=name, python=ENVIRONMENT))
            task = load_task(folder / name)
            attacks = [attack for attack in corpus if function_of(attack) == name]
            candidates = [Candidate(files={task.main_file: attack.path.read_text()}) for attack in attacks]
            results = await pool(task, candidates)
            found |= {attack.name: outcome for attack, outcome in zip(attacks, results, strict=True)}
    return found


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("attack", parameters(CORPUS, QUICK))
def test_is_caught(attack: Attack, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[attack.name]
    assert outcome.status.value in attack.expect, f"{attack.attack}: {outcome.status.value}: {outcome.reason}"
    if outcome.status.value != "ok":
        assert outcome.reason and re.search(attack.reason or "", outcome.reason, re.IGNORECASE), outcome.reason
        return
    assert outcome.measurement is not None
    if attack.max_speedup is not None:
        assert outcome.measurement.speedup < attack.max_speedup or outcome.measurement.verdict is not Verdict.FASTER
    else:
        assert outcome.measurement.verdict is Verdict.FASTER

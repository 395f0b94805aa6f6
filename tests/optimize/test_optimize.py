"""From a search to a claim: only fresh figures count, and what is written is what is claimed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from maxcode.config import Config
from maxcode.core import Candidate, InputError, Mode, Outcome, Status, Verdict
from maxcode.optimize.run import FINALISTS, Result, SearchSettings, Watch, choose, finalists, optimize
from maxcode.optimize.summary import write_results
from maxcode.search.budget import Budget, Spent
from maxcode.task import Task
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK, grown, in_memory, measured, outcome, outcome_of, program

BASELINE = TASK.baseline_candidate
Fresh = dict[str, Outcome]
"""What confirming finds, by what a program says of itself."""


class Pool:
    """Judges a search by what programs say of themselves, and confirms as it is told."""

    slots = 1

    def __init__(self, fresh: Fresh) -> None:
        self._fresh = fresh
        self.confirmed: list[str] = []

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, **_: Any
    ) -> list[Outcome]:
        del task
        return [self._judge(candidate, mode) for candidate in candidates]

    def _judge(self, candidate: Candidate, mode: Mode) -> Outcome:
        if mode is Mode.SEARCH:
            return outcome_of(candidate)
        says = candidate.files[TASK.main_file].splitlines()[0].removeprefix("// ")
        self.confirmed.append(says)
        return self._fresh.get(says) or outcome_of(candidate)


def run(says: list[str], fresh: Fresh, folder: Path) -> tuple[Result, Pool]:
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(f"```cpp\n{program(each)}```") + "\n" for each in says))
    settings = SearchSettings(
        task=str(SMALL_TASK), policy=f"scripted:{answers}", strategy="flat", budget=Budget(evals=len(says))
    )
    pool = Pool(fresh)
    found = optimize(TASK, settings, choose(settings, Config()), pool, in_memory(), Watch([]))  # type: ignore[arg-type]
    return asyncio.run(found), pool


def said(result: Result) -> str:
    return result.best.files[TASK.main_file].splitlines()[0].removeprefix("// ")


def test_the_claim_is_the_fresh_figure(tmp_path: Path) -> None:
    result, _ = run(["speed 3.0"], {"speed 3.0": outcome(measurement=measured(2.0))}, tmp_path)
    assert result.improved
    assert result.summary()["speedup"] == 2.0


def test_one_finalist_that_holds_is_enough(tmp_path: Path) -> None:
    result, pool = run(["speed 3.0", "speed 2.0"], {"speed 3.0": outcome(measurement=measured(1.5))}, tmp_path)
    assert said(result) == "speed 3.0"
    assert pool.confirmed == ["speed 3.0"]


def test_the_second_is_measured_afresh_if_the_first_does_not_hold(tmp_path: Path) -> None:
    lucky = outcome(measurement=measured(1.0, Verdict.TIE))
    result, pool = run(["speed 3.0", "speed 2.0", "speed 1.5"], {"speed 3.0": lucky}, tmp_path)
    assert said(result) == "speed 2.0"
    assert pool.confirmed == ["speed 3.0", "speed 2.0"]


def test_luck_that_does_not_last_is_not_claimed(tmp_path: Path) -> None:
    result, _ = run(["speed 3.0"], {"speed 3.0": outcome(measurement=measured(1.0, Verdict.TIE))}, tmp_path)
    assert not result.improved


@pytest.mark.parametrize("status", [Status.CRASHED, Status.WRONG])
def test_a_program_that_fails_when_confirmed_is_not_chosen(status: Status, tmp_path: Path) -> None:
    result, _ = run(["speed 3.0", "speed 2.0"], {"speed 3.0": outcome(status, measured(9.0))}, tmp_path)
    assert said(result) == "speed 2.0"
    assert result.improved


def test_when_all_fail_the_baseline_is_the_best(tmp_path: Path) -> None:
    result, _ = run(["speed 3.0"], {"speed 3.0": outcome(Status.CRASHED)}, tmp_path)
    assert result.best == BASELINE
    assert not result.improved


def test_a_program_that_turns_out_slower_is_not_the_best(tmp_path: Path) -> None:
    result, _ = run(["speed 3.0"], {"speed 3.0": outcome(measurement=measured(0.5))}, tmp_path)
    assert not result.improved
    assert result.best == BASELINE


def test_nothing_faster_is_not_confirmed_at_all(tmp_path: Path) -> None:
    result, pool = run(["speed 0.9", "wrong", "broken"], {}, tmp_path)
    assert pool.confirmed == []
    assert (result.best, result.confirmed, result.improved) == (BASELINE, None, False)
    assert result.spent.evals == 3


def test_only_a_few_different_finalists_are_confirmed_best_first() -> None:
    tree = grown(*((0, 1.0 + i / 10, 1) for i in range(-2, 9)))
    found = [candidate.files[TASK.main_file] for candidate in finalists(tree)]
    assert len(found) == FINALISTS
    assert [text.splitlines()[0] for text in found] == ["// speed 1.8", "// speed 1.7"]


def test_the_same_program_is_one_finalist(tmp_path: Path) -> None:
    _, pool = run(["speed 3.0", "speed 3.0", "speed 2.0"], {"speed 3.0": outcome(Status.CRASHED)}, tmp_path)
    assert pool.confirmed == ["speed 3.0", "speed 2.0"]


def result_of(text: str | None, confirmed: Outcome | None) -> Result:
    best = TASK.candidate(text) if text is not None else BASELINE
    return Result(run="r1", best=best, confirmed=confirmed, spent=Spent(evals=4), nodes=5, depth=1)


def test_files_are_the_program_its_diff_and_a_summary(tmp_path: Path) -> None:
    written = write_results(tmp_path / "out", TASK, result_of(program("fast"), outcome(measurement=measured(2.0))))
    assert [path.name for path in written] == ["best.cpp", "best.diff", "summary.md"]
    assert written[0].read_text() == program("fast")
    assert "+// fast\n" in written[1].read_text()
    assert "**2x faster**" in written[2].read_text()


@pytest.mark.parametrize(
    ("confirmed", "words"),
    [(None, "No improvement was found."), (outcome(measurement=measured(1.0, Verdict.TIE)), "No improvement is claim")],
    ids=["nothing", "tie"],
)
def test_a_summary_without_a_claim_says_so(confirmed: Outcome | None, words: str, tmp_path: Path) -> None:
    (summary,) = write_results(tmp_path, TASK, result_of(None, confirmed))
    assert [path.name for path in tmp_path.iterdir()] == ["summary.md"], "no diff without a gain"
    assert words in summary.read_text()
    assert "faster" not in summary.read_text()


def test_a_missing_newline_at_the_end_keeps_the_diff_in_lines(tmp_path: Path) -> None:
    _, diff, _ = write_results(tmp_path, TASK, result_of("int main() {}", outcome(measurement=measured(2.0))))
    assert all(line[:1] in "+- @\\" for line in diff.read_text().splitlines()[1:])


def test_a_model_of_values_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"\+value needs a model"):
        choose(SearchSettings(task="t", policy="rewrite", strategy="beam+value", value="none"), Config())
    with pytest.raises(InputError, match=r"nowhere.json: cannot be read"):
        choose(SearchSettings(task="t", policy="rewrite", strategy="beam+value", value="/nowhere.json"), Config())


def test_the_speedup_over_torch_compile_is_told_where_it_is_known(tmp_path: Path) -> None:
    over_compiled = measured(3.0).model_copy(update={"speedup_compiled": 1.25})
    result, _ = run(["speed 3"], {"speed 3": outcome(measurement=over_compiled)}, tmp_path)
    write_results(tmp_path / "out", TASK, result)
    assert "1.25x over torch.compile" in (tmp_path / "out/summary.md").read_text()

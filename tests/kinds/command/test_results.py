"""What a run on a repository leaves: a patch, the changed files, and the text of a pull request."""

from __future__ import annotations

import subprocess
from pathlib import Path

from maxcode.core import Measurement, Outcome, Status, Verdict, Verification
from maxcode.optimize.run import Result
from maxcode.optimize.summary import write_results
from maxcode.search.budget import Spent
from maxcode.task import Task
from tests.kinds.command.conftest import FAST, candidate


def result(task: Task) -> Result:
    measurement = Measurement(
        samples=(),
        clock="cpu",
        method="exclusive",
        verdict=Verdict.FASTER,
        speedup=2.5,
        ci_low=2.25,
        ci_high=2.75,
        alpha=0.01,
        seconds_baseline=0.5,
        seconds_candidate=0.2,
        machine="some machine",
    )
    best = candidate(task, sum_c=FAST)
    confirmed = Outcome(
        candidate=best.id,
        task=task.hash,
        status=Status.OK,
        measurement=measurement,
        verification=Verification(passed=6, total=6),
    )
    return Result(run="r", best=best, confirmed=confirmed, spent=Spent(), nodes=2, depth=1)


def test_the_patch_makes_the_repository_what_was_measured(task: Task, repository: Path, tmp_path: Path) -> None:
    patch = write_results(tmp_path / "out", task, result(task))[0]
    subprocess.run(["git", "init", "-q", "."], cwd=repository, check=True)
    subprocess.run(["git", "apply", str(patch)], cwd=repository, check=True)
    assert (repository / "sum.c").read_text() == FAST


def test_only_changed_files_are_written(task: Task, tmp_path: Path) -> None:
    written = write_results(tmp_path / "out", task, result(task))
    names = {str(path.relative_to(tmp_path / "out")) for path in written}
    assert names == {"best.patch", "summary.md", "files/sum.c"}


def test_the_pull_request_says_what_how_much_and_how(task: Task, tmp_path: Path) -> None:
    write_results(tmp_path / "out", task, result(task))
    text = (tmp_path / "out" / "summary.md").read_text()
    for part in ("2.5x", "2.25 to 2.75", "`sum.c` (+1 -1 lines)", "`./check` passes (5 tests", "git apply", "make"):
        assert part in text
    assert "sanitizers" not in text

"""`maxcode report` as people call it: pages, Markdown, and runs side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maxcode.cli.main import app
from tests.report.recording import HOSTILE, hostile_parts, record

pytestmark = pytest.mark.usefixtures("empty_home")


def report(*words: str) -> Result:
    return CliRunner().invoke(app, ["report", *words])


def test_a_page_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "new" / "report.html"
    done = report(record(), "-o", str(file), "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["bytes"] == file.stat().st_size
    assert file.read_text().startswith("<!doctype html>")


def test_markdown_has_the_claim_the_diff_and_the_command() -> None:
    done = report(record(), "--format", "markdown")
    assert done.exit_code == 0, done.output
    for words in (
        "x faster** than the baseline",
        "```diff\ndiff --git a/baseline.cpp",
        "maxcode optimize",
        "task hash",
    ):
        assert words in done.stdout


def test_no_reason_or_code_ends_a_fence_or_a_table_in_markdown() -> None:
    run = record(hostile_parts(), strategy="cuda-llm+maxcode", budget={"evals": 4})
    text = report(run, "--format", "markdown").stdout
    reasons = [line for line in text.splitlines() if line.startswith("- 1 × ")]
    assert len(reasons) == 2
    assert all(re.fullmatch(r"- 1 × [a-z ]+: `` .*[^`]`[^`].* ``", line) for line in reasons), reasons
    assert text.count("\n```") == 4


def test_markdown_of_an_unfinished_run_claims_nothing() -> None:
    done = report(record(finish=False), "--format", "markdown")
    assert "nothing is claimed" in done.stdout


def test_methods_are_compared_with_intervals() -> None:
    runs = [record(strategy=strategy, seed=seed) for strategy in ("flat", "beam+maxcode") for seed in (0, 1)]
    done = report("--compare", *runs, "--format", "markdown")
    assert done.exit_code == 0, done.output
    assert all(f"| {run} |" in done.stdout for run in runs)
    assert "Speedup reached" in done.stdout
    assert "| beam+maxcode |" in done.stdout


def test_several_runs_without_compare_are_bad_input() -> None:
    done = report(record(), record())
    assert done.exit_code == 2
    assert "--compare" in done.stderr


def test_one_run_cannot_be_compared() -> None:
    done = report("--compare", record())
    assert done.exit_code == 2
    assert "two runs or more" in done.stderr


def test_an_unknown_run_is_bad_input() -> None:
    assert report("nothing").exit_code == 2


def test_hostile_text_is_in_no_page_as_it_is(tmp_path: Path) -> None:
    run = record(hostile_parts(), strategy="cuda-llm+maxcode", budget={"evals": 4})
    report(run, "-o", str(tmp_path / "r.html"))
    assert HOSTILE[:20] not in (tmp_path / "r.html").read_text()

"""Solved cases: kept when confirmed, found by likeness, never the task's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.policy.rewrite.priors import SOLVED, priors
from maxcode.policy.rewrite.transformation import Transformation
from maxcode.search.observe.observation import Observation
from maxcode.search.observe.render import Prompts, render, tokens
from maxcode.search.observe.retrieval import Solved, features, likeness, nearest, solved_cases
from maxcode.store.journal import Store
from maxcode.task import load_task
from tests.policy.rewrite.programs import transformation
from tests.policy.rewrite.test_policy import attempt

EXAMPLES = Path(__file__).parents[3] / "examples"
TASKS = {path.parent.name: load_task(path) for path in EXAMPLES.glob("*/task.toml")}


def case(name: str, speedup: float = 2.0, actions: str = "") -> Solved:
    task = TASKS[name]
    before = task.read(task.main_file)
    return Solved(
        task=name, task_hash=task.hash, before=before, after="faster " + name, speedup=speedup, actions=actions
    )


CASES = [case(name) for name in sorted(TASKS)]


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_never_shown_its_own_solution(name: str) -> None:
    task = TASKS[name]
    assert name not in {example.title for example in nearest(CASES, task, task.read(task.main_file), count=16)}


def test_kernels_are_like_kernels_and_string_programs_like_string_programs() -> None:
    first = {
        name: nearest(CASES, TASKS[name], TASKS[name].read(TASKS[name].main_file), 2) for name in ("matmul", "sort")
    }
    assert {each.title for each in first["matmul"]} & {"nbody", "spmv", "stencil", "convolution"}
    assert {each.title for each in first["sort"]} & {"hashmap", "graph", "parse", "strings"}


@given(st.text(max_size=200), st.text(max_size=200))
def test_likeness_is_a_cosine(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other, {}) <= 1.0 + 1e-9
    assert likeness(one, other, {}) == pytest.approx(likeness(other, one, {}))


def test_names_do_not_matter_to_likeness() -> None:
    assert features("for (int i = 0; i < n; i++) total += a[i];") == features(
        "for (int k = 0; k < count; k++) result += values[k];"
    )


def test_of_one_task_the_fastest_case_is_kept(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'journal.db'}") as store:
        for speedup in (2.0, 5.0, 3.0):
            store.start("sort", {}).note("solved", case("sort", speedup).model_dump(mode="json"))
        assert [each.speedup for each in solved_cases(store)] == [5.0]


def test_the_rewriter_prefers_what_solved_similar_programs() -> None:
    example = nearest([case("matmul", actions="newline-for-endl@baseline.cpp:7")], TASKS["sort"], "")
    seen = Observation(task=TASKS["sort"], current=attempt(TASKS["sort"]), examples=example)
    each: Transformation = transformation("newline-for-endl")
    assert priors(seen, seen.current).transformation(each) == SOLVED * each.prior


def test_examples_that_do_not_fit_are_left_out() -> None:
    task = TASKS["sort"]
    examples = nearest(CASES, task, task.read(task.main_file))
    for budget in (1500, 4000, 20_000):
        seen = Observation(task=task, current=attempt(task), examples=examples, blocks=frozenset({"examples"}))
        text = "".join(message["content"] for message in render(seen, Prompts(None), budget=budget))
        assert tokens(text) <= budget
        assert (f"Solved before: {examples[0].title}" in text) == (budget == 20_000 or "Solved before" in text)

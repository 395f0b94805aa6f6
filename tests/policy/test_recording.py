"""Answers that are written down and given again."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from maxcode.config import Config
from maxcode.core import InputError, PolicyError, Proposal
from maxcode.policy.choose import choose_policy, models_of, programs_recorded, settled
from maxcode.policy.recording import Recording, read_recording, record_policy, recording_of_run, replay_policy
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import observe
from maxcode.search.parts import Policy
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.store.journal import Journal, Store
from tests.search.fakes import (
    TASK,
    answers_of,
    constant_policy,
    grown,
    in_memory,
    instant_parts,
    instant_policy,
    program,
    shape,
)

EVALS = 20
METHODS = ["flat", "effi-learner", "cuda-llm+maxcode", "beam", "mcts", "evolve"]

pytestmark = pytest.mark.usefixtures("empty_home")


def grow(policy: Policy, method: str = "beam", journal: Journal | None = None, evals: int = EVALS) -> Tree:
    parts = replace(instant_parts(journal or in_memory()), policy=policy)
    return asyncio.run(search(TASK, strategy(method), parts, budget=Budget(evals=evals), seed=3)).tree


def ask(policy: Policy, n: int, first: int = 0) -> list[str]:
    tree = grown()
    observation = observe(tree, tree.root, frozenset(), program=first)
    return [each.text for each in asyncio.run(answers_of(policy, observation, n, seed=5_000_000 + first))]


def recording(*texts: str, task: str = TASK.name) -> Recording:
    return Recording(source="replay:x", task=task, answers=tuple(Proposal(text=text) for text in texts))


def script(file: Path, count: int = EVALS) -> Path:
    texts = [f"```cpp\n{program(f'speed {1 + i % 7 / 10}', f'number {i}')}```" for i in range(count)]
    file.write_text("".join(json.dumps(text) + "\n" for text in texts))
    return file


@pytest.mark.parametrize("method", METHODS)
def test_a_recorded_search_runs_again_without_its_policy(method: str, tmp_path: Path) -> None:
    answers, kept = script(tmp_path / "answers.jsonl"), tmp_path / "kept.jsonl"
    tree = grow(choose_policy(f"record:{kept},scripted:{answers}", Config()), method)
    answers.unlink()
    assert shape(grow(choose_policy(f"replay:{kept}", Config()), method)) == shape(tree)


@pytest.mark.parametrize("method", METHODS)
def test_a_run_of_the_journal_runs_again_without_its_policy(method: str) -> None:
    with Store() as store:
        journal = store.start(TASK.name, {})
        tree = grow(instant_policy, method, journal)
    assert shape(grow(choose_policy(f"replay:{journal.run}", Config()), method)) == shape(tree)


def test_a_replay_costs_what_the_recorded_answers_did(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    grow(record_policy(kept, instant_policy))
    assert {answer.cost.tokens for answer in read_recording(str(kept)).answers} == {120}


def test_answers_go_by_the_number_of_the_program() -> None:
    replayed = replay_policy(recording("a", "b", "c", "d"))
    assert ask(replayed, 2) == ["a", "b"]
    assert ask(replayed, 2, first=2) == ["c", "d"]


def test_a_recording_that_ends_says_how_to_go_on() -> None:
    with pytest.raises(PolicyError, match=r"ends after 2 programs\. Use --evals 2, or replay:x,POLICY"):
        ask(replay_policy(recording("a", "b")), 3)


def test_another_policy_goes_on_where_a_recording_ends() -> None:
    goes_on = replay_policy(recording("a", "b", "c"), constant_policy("0", "1", "2", "3", "4", "5"))
    assert ask(goes_on, 2, first=1) == ["b", "c"]
    assert ask(goes_on, 3, first=1) == ["b", "c", "3"]
    assert ask(goes_on, 2, first=4) == ["4", "5"]


def test_a_recording_of_another_task_is_refused() -> None:
    with pytest.raises(InputError, match="replay:x: was recorded for dp, not for total"):
        ask(replay_policy(recording("a", task="dp")), 1)


def test_answers_are_in_the_file_before_they_are_used(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    policy = record_policy(kept, constant_policy("a", "b", "c"))
    for seed in (0, 1):
        texts = ask(policy, 1, seed)
        assert [answer.text for answer in read_recording(str(kept)).answers][seed:] == texts


def test_an_answer_that_was_asked_for_again_is_the_one_that_counts(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    for text in ("lost with its process", "used"):
        ask(record_policy(kept, constant_policy(text)), 1)
    assert [answer.text for answer in read_recording(str(kept)).answers] == ["used"]


def test_a_recording_goes_as_far_as_no_answer_is_missing(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    policy = record_policy(kept, constant_policy(*"abcdef"))
    for first in (0, 1, 3):
        ask(policy, 1, first)
    assert [answer.text for answer in read_recording(str(kept)).answers] == ["a", "b"]


def test_the_record_of_a_killed_run_goes_as_far_as_no_answer_is_missing() -> None:
    with Store() as store:
        run = store.start(TASK.name, {}).run
        for key in ("1.0", "2.0", "2.1", "3.0", "3.2"):
            store.append(run, "policy.answered", key, {"proposals": [{"text": f"{key}a"}, {"text": f"{key}b"}]})
    texts = [answer.text for answer in recording_of_run(run).answers]
    assert texts == ["1.0a", "1.0b", "2.0a", "2.0b", "2.1a", "2.1b", "3.0a", "3.0b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "has no answers"), ('"text"\n', "line 1: not a line of a recording"), ("{\n", "line 1: not a line")],
)
def test_a_bad_recording_is_named_with_what_is_wrong(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "kept.jsonl").write_text(content)
    with pytest.raises(InputError, match=rf"kept\.jsonl.*{message}"):
        read_recording(str(tmp_path / "kept.jsonl"))


@pytest.mark.parametrize("spec", ["record:", "record:file", "record:file,", "replay:", "replay:,openai:m"])
def test_an_incomplete_name_is_refused_with_the_right_ones(spec: str) -> None:
    with pytest.raises(InputError, match="use record:FILE,POLICY, replay:FILE, replay:RUN or replay:RUN,POLICY"):
        choose_policy(spec, Config())


def test_neither_a_file_nor_a_run() -> None:
    with pytest.raises(InputError, match="replay:nowhere: no such file, and run nowhere: no such run"):
        choose_policy("replay:nowhere", Config())


def test_names_mean_the_same_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    grow(record_policy(Path("kept.jsonl"), instant_policy), evals=3)
    with Store() as store:
        run = store.start(TASK.name, {}).run
    given = "record:new.jsonl,replay:kept.jsonl,replay:last,0.5*openai:a + 0.5*rewrite"
    assert settled(given) == (
        f"record:{tmp_path / 'new.jsonl'},replay:{tmp_path / 'kept.jsonl'},replay:{run},0.5*openai:a + 0.5*rewrite"
    )


def test_a_new_run_is_not_recorded_into_an_old_recording(tmp_path: Path) -> None:
    (tmp_path / "kept.jsonl").touch()
    with pytest.raises(InputError, match=r"kept\.jsonl: is there already"):
        settled(f"record:{tmp_path / 'kept.jsonl'},rewrite")


def test_how_many_programs_a_recording_has_is_known_where_nobody_goes_on(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    grow(record_policy(kept, instant_policy), evals=5)
    assert programs_recorded(f"replay:{kept}") == programs_recorded(f"record:new,replay:{kept}") == 5
    assert programs_recorded(f"replay:{kept},rewrite") is None
    assert programs_recorded("rewrite") is None


@pytest.mark.parametrize(
    ("spec", "models"),
    [
        ("openai:a", ["openai:a"]),
        ("0.7*openai:a + 0.3*openai:org/b:free", ["openai:a", "openai:org/b:free"]),
        ("record:file,openai:a + rewrite", ["openai:a"]),
        ("replay:run,openai:a", ["openai:a"]),
        ("replay:run", []),
        ("scripted:openai:a", []),
    ],
)
def test_the_models_of_a_policy_are_known(spec: str, models: list[str]) -> None:
    assert models_of(spec) == models

"""`hf:CHECKPOINT`: a model in this process as the policy."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.config import Config
from maxcode.core import InputError, Outcome, Status
from maxcode.policy.choose import choose_policy, settled
from maxcode.search.observe.observation import Observation, observe
from maxcode.search.tree import Tree
from maxcode.train.base import save_adapter, tiny_model
from maxcode.train.grpo.config import Actions, keep_config, preset
from maxcode.train.grpo.loading import with_lora
from maxcode.train.grpo.menu import menu_of
from maxcode.train.grpo.tasks import named_task
from tests.search.fakes import answers_of

pytestmark = pytest.mark.usefixtures("one_thread")
torch = pytest.importorskip("torch", reason="needs the extra `train`")
for package in ("transformers", "peft"):
    pytest.importorskip(package, reason="needs the extra `train`")


def checkpoint(folder: Path, actions: Actions) -> str:
    """A tiny model as `rl train` leaves it."""
    model, tokenizer = tiny_model()
    model.name_or_path = "tiny"
    config = preset("tiny", actions, turns=2, max_tokens=12)
    save_adapter(with_lora(model, config), folder)
    tokenizer.save_pretrained(folder)
    keep_config(folder, config)
    return str(folder)


def seen() -> Observation:
    task = named_task("hpc:dgemm:m=24,n=24,k=24")
    tree = Tree(task, Outcome(candidate=task.baseline_candidate.id, task=task.hash, status=Status.OK))
    return observe(tree, tree.root, ())


def test_a_model_of_named_actions_drives_the_rewriter(tmp_path: Path) -> None:
    policy = choose_policy(f"hf:{checkpoint(tmp_path, Actions.NAMED)}", Config())
    observation = seen()
    task = observation.task
    for proposal in asyncio.run(answers_of(policy, observation, 3, 7)):
        program = task.baseline_candidate.files[task.main_file]
        for name in proposal.text.split(" + "):
            program = menu_of(task, program)[name]
        assert proposal.candidate is not None
        assert proposal.candidate.files == {task.main_file: program}
        assert proposal.cost.prompt_tokens > 0 and proposal.cost.usd == 0.0


def test_the_same_seed_gives_the_same_proposals(tmp_path: Path) -> None:
    policy = choose_policy(f"hf:{checkpoint(tmp_path, Actions.NAMED)}", Config())
    first, second = (asyncio.run(answers_of(policy, seen(), 3, 7)) for _ in range(2))
    assert [each.text for each in first] == [each.text for each in second]


def test_answers_of_a_model_that_writes_programs_are_read_as_those_of_any_other(tmp_path: Path) -> None:
    policy = choose_policy(f"hf:{checkpoint(tmp_path, Actions.PROGRAMS)}", Config())
    proposals = asyncio.run(answers_of(policy, seen(), 2, 7))
    assert len(proposals) == 2
    assert all(each.candidate is None and each.problem for each in proposals), "random bytes hold no program"
    assert all(each.model == f"hf:{tmp_path}" for each in proposals)


def test_a_folder_that_is_not_there_is_said_before_anything_is_done(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        choose_policy(f"hf:{tmp_path / 'nothing'}", Config())


def test_a_run_remembers_where_its_checkpoint_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path)
    assert settled("hf:model") == f"hf:{tmp_path / 'model'}"
    assert settled("hf:Org/Model-7B") == "hf:Org/Model-7B"

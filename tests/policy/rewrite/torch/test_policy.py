"""The rewriter on torch tasks: its own family only, kernels where the task requires them."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Fact, Outcome, Status
from maxcode.kinds.torch.table import Torch
from maxcode.policy.rewrite.actions import BY_NAME, read_action
from maxcode.policy.rewrite.policy import proposals
from maxcode.policy.rewrite.priors import SHOWN, priors
from maxcode.policy.rewrite.torch.program import has_kernel
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.task import load_task
from maxcode.task.model import Task

TASK = load_task(Path(__file__).parents[4] / "examples/torch/mlp_norm")


def observation(task: Task) -> Observation:
    outcome = Outcome(candidate="c", task="t", status=Status.OK)
    files = task.baseline_candidate.files
    return Observation(task=task, current=Attempt(node=0, depth=0, files=files, outcome=outcome, reward=1.0, u=1.0))


def with_rule(rule: str) -> Task:
    return TASK.model_copy(update={"settings": TASK.table(Torch).model_copy(update={"rule": rule, "device": "cuda"})})


def test_every_proposal_is_a_candidate_made_by_transformations_of_models() -> None:
    found = proposals(observation(TASK), 16, 0)
    assert all(each.candidate for each in found)
    for each in found:
        assert each.candidate is not None
        assert "class ModelNew(" in each.candidate.files[TASK.main_file]
        assert {BY_NAME[step.name].family for step in read_action(each.text)} == {"torch"}


def test_where_kernels_are_required_every_proposal_has_one() -> None:
    found = proposals(observation(with_rule("custom-kernel-required")), 12, 0)
    made = [each.candidate.files[TASK.main_file] for each in found if each.candidate]
    assert len(made) >= 8
    assert all(map(has_kernel, made))


def test_the_profile_changes_what_is_proposed() -> None:
    fact = Fact(kind="hot_function", source="torch profiler", text="cudnn_conv: 80% of the kernel time", value=0.8)
    plain = observation(TASK)
    outcome = plain.current.outcome.model_copy(update={"facts": (fact,)})
    hot = plain.model_copy(update={"current": plain.current.model_copy(update={"outcome": outcome})})
    weights = [priors(each, each.current).transformation(BY_NAME["channels-last"]) for each in (plain, hot)]
    assert weights[1] == SHOWN * weights[0]


def first_actions(task: Task) -> list[str]:
    return [read_action(proposals(observation(task), 1, seed)[0].text)[0].name for seed in range(80)]


def test_compiling_is_what_is_tried_most_on_a_gpu_and_rarely_on_a_cpu() -> None:
    on_gpu = with_rule("anything-faster")
    on_cpu = TASK.model_copy(update={"settings": TASK.table(Torch).model_copy(update={"device": "cpu"})})
    found = first_actions(on_gpu)
    assert max(set(found), key=found.count) == "compile"
    assert first_actions(on_cpu).count("compile") < 20

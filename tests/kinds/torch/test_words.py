"""The prompt of a torch task states what the evaluator enforces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from maxcode.core import Fact, Status
from maxcode.evaluate.gpu import torch_version
from maxcode.kinds.torch import words
from maxcode.search.observe.observation import observe
from maxcode.search.observe.render import Prompts, render
from maxcode.search.tree import Tree
from maxcode.task import load_task
from tests.search.fakes import measured, outcome

EXAMPLES = Path(__file__).parents[3] / "examples" / "torch"


def prompt(name: str, status: Status = Status.OK, **changes: Any) -> str:
    task = load_task(EXAMPLES / name, {"torch": changes})
    tree = Tree(task, outcome(status, measured(1.0)))
    system, user = render(observe(tree, tree.root, frozenset({"best"})), Prompts())
    return system["content"] + user["content"].replace(task.read(task.main_file).rstrip(), "")


@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/task.toml")))
def test_every_torch_example_has_a_complete_prompt(name: str) -> None:
    text = prompt(name)
    assert "$" not in text
    assert "class ModelNew(nn.Module)" in text


def test_sizes_and_device_are_those_of_this_machine() -> None:
    text = prompt("softmax", device="cpu")
    assert "timed with batch_size = 768, dim = 1024" in text
    assert "a CPU, with 1 thread and no GPU" in text
    assert (torch_version() or "not installed here") in text


def test_a_gpu_is_named_and_its_ways_to_write_kernels_are_those_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "device_of", lambda _: "cuda")
    monkeypatch.setattr(words, "gpus", lambda: ("NVIDIA H200, 580.1",))
    monkeypatch.setattr(words, "find_spec", lambda name: object() if name == "triton" else None)
    text = prompt("softmax")
    assert "a GPU (NVIDIA H200)" in text
    assert "Triton" in text
    assert "CuPy" not in text
    assert "timed at the sizes of the file" in text


def test_all_shapes_are_told() -> None:
    text = prompt("softmax")
    assert "batch_size = 21, dim = 97; batch_size = 2, dim = 1; batch_size = 40, dim = 1022" in text
    many = [{"dim": 8 + i} for i in range(9)]
    assert "and 3 more" in prompt("softmax", shapes=many)


def test_the_rule_is_stated() -> None:
    assert "must be done by kernels of your own" in prompt("softmax", rule="custom-kernel-required")
    assert "Anything that is faster" in prompt("softmax", rule="anything-faster")


def test_precision_and_values_are_those_of_the_task() -> None:
    assert "TF32 is off for both" in prompt("softmax")
    assert "TF32 is on for both" in prompt("softmax", tf32=True)
    assert "not far above that of `Model`" not in prompt("softmax", precision="kernelbench")
    assert "both signs" not in prompt("softmax", distributions=False)


def test_a_correct_model_is_asked_about_kernels_not_about_input_and_output() -> None:
    text = prompt("softmax")
    assert "number of kernels launched" in text
    assert "input and output, vectorisation" not in text


def test_the_original_s_problem_is_in_every_prompt_and_its_floor_where_it_is_known() -> None:
    task = load_task(EXAMPLES / "softmax")
    copied = Fact(kind="resource", source="torch profiler", text="20% of what this device copies", value=0.2)
    busy = Fact(kind="resource", source="torch profiler", text="the GPU computes 50% of the time", value=0.5)
    timed = measured(1.0).model_copy(update={"seconds_baseline": 0.01, "seconds_candidate": 0.01})
    tree = Tree(task, outcome(measurement=timed).model_copy(update={"facts": (copied, busy)}))
    tree.add(tree.root, task.candidate("class ModelNew: ...\n"), outcome(Status.WRONG), 0.0, step=1)
    for node in tree:
        (_, user) = render(observe(tree, node, frozenset()), Prompts())
        assert task.read(task.main_file).rstrip() in user["content"]
    assert "as fast as a copy, takes about 1 ms" in words.floor(task, tree.root.outcome)
    assert words.floor(task, outcome()) == ""

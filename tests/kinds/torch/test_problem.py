"""Problem files: what they must define, which constants they have, and the sizes that these can be brought to."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import InputError
from maxcode.kinds.torch.problem.problem import (
    check_problem,
    constants,
    elements,
    extra_shapes,
    scaled,
    variants,
    with_constants,
)

HEAD = """import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, *sizes):
        super().__init__()

    def forward(self, *x):
        return x[0]

"""
PRODUCT = f"""{HEAD}
M = 1024 * 2
K = 4096
N = 2048

def get_inputs():
    a = torch.rand(M, K)
    b = torch.rand(K, N)
    return [a, b]

def get_init_inputs():
    return []
"""
VOLUME = f"""{HEAD}
batch_size = 64
in_channels, out_channels = 3, 16
depth, height, width = 16, 64, 64
kernel_size = 3  # größer geht auch

def get_inputs():
    return [torch.rand(batch_size, in_channels, depth, height, width)]

def get_init_inputs():
    return [in_channels, out_channels, kernel_size]
"""
BLOCK = f"""{HEAD}
batch_size: int = 8
length = 512
width = 768
heads = 12
hidden = 4 * width
scale = 0.5

def get_inputs():
    return [torch.rand(batch_size, length, width) * scale]

def get_init_inputs():
    return [width, heads, hidden]
"""
CLASSES = f"""{HEAD}
batch_size = 32768
num_classes = 4096
input_shape = (num_classes,)

def get_inputs():
    return [torch.rand(batch_size, *input_shape), torch.randint(0, num_classes, (batch_size,))]

def get_init_inputs():
    return []
"""


@pytest.mark.parametrize("name", ["Model", "get_inputs", "get_init_inputs"])
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(InputError, match=rf"^relu\.py: has no (class|def) {name}"):
        check_problem(PRODUCT.replace(name, "other"), "relu.py")


def test_a_syntax_error_is_given_with_its_line() -> None:
    with pytest.raises(InputError, match=r"^relu\.py: line 3: "):
        check_problem("import torch\n\ndef get_inputs(:\n", "relu.py")


def test_constants_are_numbers_and_simple_expressions() -> None:
    assert constants(PRODUCT) == {"M": 2048, "K": 4096, "N": 2048}


def test_constants_may_be_assigned_several_at_once() -> None:
    found = constants(VOLUME)
    assert (found["in_channels"], found["depth"], found["width"]) == (3, 16, 64)


def test_what_follows_from_others_and_what_is_no_number_is_no_constant() -> None:
    assert constants(BLOCK) == {"batch_size": 8, "length": 512, "width": 768, "heads": 12, "scale": 0.5}
    assert "input_shape" not in constants(CLASSES)


def test_a_name_that_is_set_twice_is_no_constant() -> None:
    assert "M" not in constants(PRODUCT + "\nif K > 5:\n    M = 7\n")


def test_what_only_a_script_does_is_of_no_matter() -> None:
    assert constants(PRODUCT + "\nif __name__ == '__main__':\n    M = 7\n")["M"] == 2048


def test_replacing_constants_changes_nothing_else() -> None:
    text = with_constants(VOLUME, {"height": 7, "batch_size": 2})
    assert text == VOLUME.replace("batch_size = 64", "batch_size = 2").replace("16, 64, 64", "16, 7, 64")


@given(st.dictionaries(st.sampled_from(["batch_size", "length", "width"]), st.integers(1, 10**6)))
def test_replaced_constants_are_read_back(values: dict[str, int]) -> None:
    assert constants(with_constants(BLOCK, values)) == {**constants(BLOCK), **values}


def test_what_follows_from_a_constant_follows_it() -> None:
    names: dict[str, int] = {}
    module = ast.parse(with_constants(BLOCK, {"width": 24}))
    module.body = [each for each in module.body if isinstance(each, ast.Assign)]
    exec(compile(module, "block", "exec"), names)
    assert names["hidden"] == 96


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"size": 3}, "constant 'size' is not there. Constants at module level: batch_size = 8, length = 512"),
        ({"hidden": 3}, "constant 'hidden' is computed from width; change that"),
        ({"length": 2.5}, "constant 'length' is a whole number; 2.5 is not"),
    ],
)
def test_what_cannot_be_set_is_said(values: dict[str, float], message: str) -> None:
    with pytest.raises(InputError) as caught:
        with_constants(BLOCK, values, "block.py")
    assert str(caught.value).startswith(f"block.py: {message}")


@pytest.mark.parametrize("text", [PRODUCT, VOLUME, BLOCK, CLASSES])
@pytest.mark.parametrize("factor", [0.5, 0.1, 0.01, 4.0])
def test_scaling_gets_near_the_number_of_elements(text: str, factor: float) -> None:
    reached = elements(with_constants(text, scaled(text, factor))) / elements(text)
    assert factor / 1.5 <= reached <= factor * 1.5


def test_only_sizes_of_inputs_are_changed_and_those_of_the_model_are_left_alone() -> None:
    assert set(scaled(VOLUME, 0.01)) <= {"batch_size", "depth", "height", "width"}
    assert set(scaled(BLOCK, 0.01)) <= {"batch_size", "length"}


def test_the_largest_is_shrunk_first() -> None:
    assert scaled(BLOCK, 0.5) == {"length": 256}


def test_sizes_of_the_model_shrink_when_nothing_else_is_left_and_stay_divisible() -> None:
    found = [each for each in variants(BLOCK, 1e-4) if "width" in each]
    assert found
    assert all(each["width"] % 12 == 0 for each in found)


def test_what_gets_nearest_comes_first() -> None:
    sizes = [elements(with_constants(BLOCK, each)) for each in variants(BLOCK, 1e-6)]
    assert sizes == sorted(sizes)


def test_nothing_to_change_is_no_variant() -> None:
    assert variants(f"{HEAD}\ndef get_inputs():\n    return [torch.rand(3, 4)]\n", 0.1) == ()
    assert variants(PRODUCT, 1.0) == ()


def test_further_shapes_are_one_and_three_and_something_odd() -> None:
    assert extra_shapes(BLOCK) == ({"batch_size": 1}, {"batch_size": 3}, {"length": 511})


def test_further_shapes_leave_alone_what_the_model_reads() -> None:
    reading = VOLUME.replace("return x[0]", "return x[0] / width + batch_size")
    assert extra_shapes(reading) == ({"height": 63},)

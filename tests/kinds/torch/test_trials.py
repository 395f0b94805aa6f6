"""The inputs that candidates get: as the problem makes them, and others like them."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.kinds.torch.harness.trials import LoadedProblem, can_vary, variation  # noqa: E402


def test_expanded_inputs_become_full_ones() -> None:
    text = "import torch\ndef get_inputs():\n    return [torch.rand(1, 8).expand(8, 8)]\n"
    (found,) = LoadedProblem(text, "model.py", "cpu").inputs(1)
    assert found.shape == (8, 8) and found.is_contiguous() and torch.equal(found[0], found[7])


def test_varied_inputs_are_like_those_drawn_and_never_the_same() -> None:
    drawn = [[torch.rand(300, 100), 3] for _ in range(3)]
    found = [variation(drawn) for _ in range(4)]
    for tensor, number in found:
        assert number == 3 and tensor.shape == (300, 100) and tensor.dtype == torch.float32
        assert tensor.min() >= 0 and tensor.max() <= 1 and 0.3 < tensor.mean() < 0.5
    assert len({tensor.sum().item() for tensor, _ in found}) == 4


def test_no_part_of_a_varied_input_repeats_another_up_to_a_factor() -> None:
    """At the same place and at any other: the best match of a window in a later call is as bad as chance makes it."""
    drawn = [[torch.randn(4096)] for _ in range(3)]
    seen = torch.cat([variation(drawn)[0] for _ in range(40)]).unfold(0, 64, 1)
    (later,) = variation(drawn)
    windows = later.unfold(0, 64, 64)
    cosines = (windows @ seen.T) / (windows.norm(dim=1)[:, None] * seen.norm(dim=1))
    assert cosines.abs().max() < 0.98


def test_what_all_draws_share_stays() -> None:
    """Zeros of a triangle, and the layout in memory of a transposed tensor."""
    drawn = [[torch.rand(30, 20).tril().t()] for _ in range(3)]
    (tensor,) = variation(drawn)
    assert tensor.stride() == drawn[0][0].stride() and torch.equal(tensor, tensor.triu())
    assert len(tensor[tensor != 0].unique()) > 300


@pytest.mark.parametrize(
    ("tensor", "varies"),
    [
        (torch.rand(9), True),
        (torch.ones(9), True),
        (torch.empty(0), True),
        (torch.arange(9), False),
        (torch.arange(9.0), False),
        (torch.tensor([0.0, 1.0, 1.0]), False),
        (torch.tensor([0.5, float("-inf")]), False),
    ],
)
def test_what_would_become_of_another_kind_is_not_varied(tensor: torch.Tensor, varies: bool) -> None:
    assert can_vary([tensor, 3]) == varies


@pytest.mark.parametrize("shape", [(), (1,), (2,), (5, 3)])
def test_small_inputs_are_varied_too(shape: tuple[int, ...]) -> None:
    drawn = [[torch.ones(shape)] for _ in range(3)]
    (tensor,) = variation(drawn)
    assert tensor.shape == shape and bool((tensor >= 0.7).all()) and bool((tensor < 1).all())

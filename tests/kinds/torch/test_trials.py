"""The inputs that candidates get: as the problem makes them, and others like them."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.kinds.torch.trials import Problem, variation  # noqa: E402


def test_expanded_inputs_become_full_ones() -> None:
    text = "import torch\ndef get_inputs():\n    return [torch.rand(1, 8).expand(8, 8)]\n"
    (found,) = Problem(text, "model.py", "cpu").inputs(1)
    assert found.shape == (8, 8) and found.is_contiguous() and torch.equal(found[0], found[7])


def test_varied_inputs_are_like_those_drawn_and_never_the_same() -> None:
    drawn = [[torch.rand(300, 100), 3] for _ in range(3)]
    found = [variation(drawn) for _ in range(4)]
    for tensor, number in found:
        assert number == 3 and tensor.shape == (300, 100) and tensor.dtype == torch.float32
        assert tensor.min() >= 0 and tensor.max() <= 1 and 0.3 < tensor.mean() < 0.5
    assert len({tensor.sum().item() for tensor, _ in found}) == 4


def test_a_varied_input_is_of_many_pieces() -> None:
    """Of a tensor that counts up, neighbours differ by the factor of their piece, and jump where pieces meet."""
    counting = torch.arange(1 << 18, dtype=torch.float64)
    (tensor,) = variation([[counting]])
    steps = torch.unique((tensor.diff() * 1e6).round())
    assert len(steps) > 60


@pytest.mark.parametrize("shape", [(), (1,), (2,), (5, 3)])
def test_small_inputs_are_varied_too(shape: tuple[int, ...]) -> None:
    drawn = [[torch.ones(shape)] for _ in range(3)]
    (tensor,) = variation(drawn)
    assert tensor.shape == shape and bool((tensor >= 0.7).all()) and bool((tensor < 1).all())

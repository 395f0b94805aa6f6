"""What passes for the same result, and what does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.kinds.torch.harness import compare  # noqa: E402
from maxcode.kinds.torch.harness.compare import (  # noqa: E402
    Expected,
    errors_of,
    structure_difference,
    value_difference,
)


def judged(got: Any, result: Any, exact: Any = None, *, strict: bool = True) -> str | None:
    expected = Expected(result, exact)
    return structure_difference(got, result) or value_difference(got, expected, errors_of(expected), strict=strict)


@pytest.fixture
def product() -> tuple[Any, Any, Any, Any]:
    """Two matrices, their product in float32, and the exact one."""
    torch.manual_seed(0)
    a, b = torch.randn(64, 512), torch.randn(512, 64)
    return a, b, a @ b, a.double() @ b.double()


def test_another_order_of_summation_is_right(product: tuple[Any, Any, Any, Any]) -> None:
    a, b, result, exact = product
    in_parts = sum(a[:, i : i + 64] @ b[i : i + 64] for i in range(0, 512, 64))
    assert judged(in_parts, result, exact) is None


def test_half_precision_is_told_by_its_error(product: tuple[Any, Any, Any, Any]) -> None:
    a, b, result, exact = product
    assert judged((a.half() @ b.half()).float(), result, exact) is not None


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0])
def test_half_precision_is_told_however_small_the_values(size: float) -> None:
    result = torch.rand(1000) * size
    assert judged(result.half().float(), result, result.double()) is not None


def test_kernelbench_lets_small_errors_pass() -> None:
    result = torch.rand(1000) * 1e-3
    assert judged(result + 5e-5, result, result.double(), strict=False) is None
    assert judged(result + 5e-5, result, result.double()) is not None


def test_zeros_are_not_small_values() -> None:
    result = torch.rand(1000) * 1e-6
    assert judged(torch.zeros(1000), result, result.double()) is not None


def test_one_wrong_element_among_many() -> None:
    result = torch.rand(100_000)
    wrong = result.clone()
    wrong[77_777] += 0.01
    assert "[77777]" in (judged(wrong, result, result.double()) or "")


def test_infinities_and_nan_must_be_where_the_originals_are() -> None:
    result = torch.tensor([1.0, float("inf"), float("nan")])
    assert judged(result.clone(), result) is None
    assert judged(torch.tensor([1.0, float("-inf"), float("nan")]), result) is not None
    assert judged(torch.tensor([1.0, float("inf"), 0.0]), result) is not None


def test_structure_counts() -> None:
    result = torch.rand(4, 6)
    assert "strides" in (judged(result.t().contiguous().t(), result) or "")
    assert "dtype" in (judged(result.double(), result) or "")
    assert "shape" in (judged(result[:3], result) or "")
    assert judged((result,), result) is not None
    assert judged((result.clone(), 3), (result, 3)) is None
    assert judged((result.clone(), 4), (result, 3)) is not None


def test_integers_are_exact() -> None:
    result = torch.arange(10)
    assert judged(result.clone(), result) is None
    assert judged(result + (result == 5), result) is not None


@pytest.mark.parametrize("shape", [(60,), (4, 15), (1, 60), (2, 3, 10)])
def test_large_outputs_are_compared_a_part_at_a_time(shape: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "PART", 7)
    torch.manual_seed(0)
    result = torch.rand(shape)
    assert judged(result.clone(), result, result.double()) is None
    wrong = result.clone()
    wrong.view(-1)[41] += 0.5
    index = [int(each) for each in (wrong != result).nonzero()[0]]
    said = judged(wrong, result, result.double()) or ""
    assert f"at {index}:" in said
    assert "1.7% of the elements" in said


def test_nothing_and_a_single_number_are_results_too() -> None:
    for result in (torch.empty(0, 3), torch.tensor(2.0)):
        assert judged(result.clone(), result, result.double()) is None
    assert judged(torch.tensor(3.0), torch.tensor(2.0), torch.tensor(2.0).double()) is not None


def test_complex_numbers_may_differ_a_little_and_no_more() -> None:
    torch.manual_seed(0)
    x = torch.randn(8, 64)
    result, exact = torch.fft.fft(x), torch.fft.fft(x.double())
    assert judged(result * (1 + 1e-7), result, exact) is None
    assert judged(result.conj().resolve_conj(), result, exact) is not None


VALUES = st.one_of(
    st.floats(-3, 3, width=32), st.sampled_from([0.0, 1e-30, 1e30, float("inf"), float("-inf"), float("nan")])
)
OFF = st.sampled_from([0.0, 0.0, 1e-9, 1e-7, 3e-6, 1e-5, 9e-5, 1.1e-4, 1e-3, 0.5, float("inf"), float("nan")])


@given(st.lists(st.tuples(VALUES, OFF), min_size=1, max_size=40), st.booleans(), st.sampled_from([0.0, 1e-6, 1e-3]))
def test_what_is_surely_right_is_right_element_by_element(
    elements: list[tuple[float, float]], strict: bool, known: float
) -> None:
    want = torch.tensor([value for value, _ in elements])
    got = want + torch.tensor([off for _, off in elements])
    if compare._surely_right(got, want, (known, known), strict=strict):
        for read in (compare._wide, compare._finite):
            assert compare._distance(got, want, want, (known, known), read, strict=strict) is None


@pytest.mark.parametrize("odd", [float("inf"), float("nan")])
def test_what_is_not_finite_is_never_surely_right(odd: float) -> None:
    want = torch.ones(1000)
    got = want.clone()
    got[500] = odd
    assert not compare._surely_right(got, want, (1.0, 1.0), strict=False)
    assert not compare._surely_right(want, got, (1.0, 1.0), strict=False)


def test_the_order_of_a_dict_does_not_matter() -> None:
    result = {"values": torch.ones(3), "sums": torch.zeros(2)}
    assert judged({"sums": torch.zeros(2), "values": torch.ones(3)}, result) is None
    assert judged({"sums": torch.ones(2), "values": torch.ones(3)}, result) is not None

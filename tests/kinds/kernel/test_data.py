"""Kernel inputs in shared memory: what goes in, what comes back, and what must not be touched."""

from __future__ import annotations

import mmap
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode.kinds.kernel.data import GUARD_BYTES, POISON_BYTE, SharedMemory, first_difference, make_inputs
from maxcode.kinds.kernel.table import ELEMENT_TYPES, Kernel
from maxcode.task.expression import Sizes
from maxcode.task.model import Tolerance

SIZES: list[Sizes] = [{"n": 5, "s": 1.5}, {"n": 33, "s": -2.0}]
KERNEL = Kernel.model_validate(
    {
        "function": "f",
        "arguments": [
            {"name": "n", "type": "int"},
            {"name": "s", "type": "float"},
            {"name": "x", "type": "double", "role": "in", "shape": "n"},
            {
                "name": "k",
                "type": "short",
                "role": "in",
                "shape": "n+2",
                "fill": {"kind": "integers", "low": -9, "high": 9},
            },
            {"name": "z", "type": "float", "role": "inout", "shape": "2*n"},
            {"name": "y", "type": "double", "role": "out", "shape": "n"},
            {"name": "c", "type": "unsigned char", "role": "out", "shape": "n"},
        ],
        "shapes": {"timed": SIZES},
    }
)
BUFFERS = ["x", "k", "z", "y", "c"]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def loaded(memory: SharedMemory) -> list[dict[str, Any]]:
    inputs = [make_inputs(KERNEL, sizes, rng()) for sizes in SIZES]
    for slot, each in enumerate(inputs):
        memory.load(slot, each)
    return inputs


def flip(memory: SharedMemory, at: int) -> None:
    """Changes one byte from outside, as another process would."""
    size = os.fstat(memory.descriptor).st_size
    with mmap.mmap(memory.descriptor, size) as view:
        view[at] ^= 0xFF


def place(memory: SharedMemory, slot: int, name: str) -> tuple[int, int]:
    """First byte of a buffer and the first byte after it, from the table that the kernel's process reads."""
    width = len(KERNEL.arguments)
    index = [a.name for a in KERNEL.arguments].index(name)
    words = np.frombuffer(os.pread(memory.descriptor, 8 * (2 + 2 * width * len(SIZES)), 0), np.int64)
    start = int(words[2 + slot * width + index])
    return start, start + int(words[2 + (len(SIZES) + slot) * width + index])


def test_inputs_are_in_place_as_they_were_given() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        for slot, inputs in enumerate(loaded(memory)):
            for name, values in inputs.items():
                start, end = place(memory, slot, name)
                assert os.pread(memory.descriptor, end - start, start) == values.tobytes()


def test_outputs_come_back_as_they_were_written() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        inputs = loaded(memory)
        for slot, sizes in enumerate(SIZES):
            answer = np.arange(int(sizes["n"]), dtype=np.float64) + slot
            start, _ = place(memory, slot, "y")
            os.pwrite(memory.descriptor, answer.tobytes(), start)
            outputs = memory.outputs(slot)
            assert set(outputs) == {"z", "y", "c"}
            assert np.array_equal(outputs["y"], answer)
            assert np.array_equal(outputs["z"], inputs[slot]["z"])


def test_outputs_are_copies() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        loaded(memory)
        before = memory.outputs(0)
        memory.array(0, "y")[:] = 3.0
        assert np.isnan(before["y"]).all()


def test_scalars_are_in_the_table_with_their_own_type() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        width = len(KERNEL.arguments)
        for slot, sizes in enumerate(SIZES):
            memory.load(slot, make_inputs(KERNEL, sizes, rng()))
            words = os.pread(memory.descriptor, 16, 8 * (2 + slot * width))
            assert np.frombuffer(words[:4], np.int32)[0] == sizes["n"]
            assert np.frombuffer(words[8:12], np.float32)[0] == np.float32(sizes["s"])


def test_sizes_of_a_call_are_not_in_the_table_before_it() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        memory.load(0, make_inputs(KERNEL, SIZES[0], rng()))
        words = os.pread(memory.descriptor, 8 * len(KERNEL.arguments), 8 * (2 + len(KERNEL.arguments)))
        assert words == bytes([POISON_BYTE]) * len(words)


def test_outputs_are_poisoned_before_the_call() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        memory.array(0, "y")[:] = 1.0
        memory.array(0, "c")[:] = 1
        loaded(memory)
        assert np.isnan(memory.array(0, "y")).all()
        assert (memory.array(0, "c") == POISON_BYTE).all()


def test_wiping_leaves_no_trace_of_inputs_and_outputs() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        inputs = loaded(memory)
        memory.wipe()
        content = os.pread(memory.descriptor, os.fstat(memory.descriptor).st_size, 0)
        assert all(values.tobytes() not in content for each in inputs for values in each.values())
        assert (memory.array(0, "x").view(np.uint8) == POISON_BYTE).all()


def test_buffers_are_aligned() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        for slot, sizes in enumerate(SIZES):
            memory.load(slot, make_inputs(KERNEL, sizes, rng()))
        assert all(place(memory, slot, name)[0] % 64 == 0 for slot in range(len(SIZES)) for name in BUFFERS)


def test_the_memory_cannot_be_made_smaller_by_others() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory, pytest.raises(PermissionError):
        os.ftruncate(memory.descriptor, 0)


def test_an_honest_call_is_not_tampering() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        inputs = loaded(memory)
        for slot in range(len(SIZES)):
            for name in ("y", "z", "c"):
                memory.array(slot, name)[:] = 0
        assert [memory.tampering(slot, inputs[slot]) for slot in range(len(SIZES))] == [None, None]


@settings(max_examples=200)
@given(st.integers(0, len(SIZES) - 1), st.sampled_from(BUFFERS), st.booleans(), st.integers(0, GUARD_BYTES // 2 - 1))
def test_a_byte_changed_near_a_buffer_is_found(slot: int, name: str, before: bool, distance: int) -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        inputs = loaded(memory)
        start, end = place(memory, slot, name)
        flip(memory, start - 1 - distance if before else end + distance)
        assert memory.tampering(slot, inputs[slot]) == f"wrote outside the bounds of buffer '{name}'"


@given(st.integers(0, len(SIZES) - 1), st.sampled_from(["x", "k"]), st.data())
def test_a_byte_changed_in_an_input_is_found(slot: int, name: str, data: st.DataObject) -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        inputs = loaded(memory)
        start, end = place(memory, slot, name)
        flip(memory, data.draw(st.integers(start, end - 1)))
        found = memory.tampering(slot, inputs[slot])
        assert found is not None
        assert f"the input '{name}' was changed" in found


def test_canaries_differ_from_wipe_to_wipe() -> None:
    with SharedMemory(KERNEL, SIZES, rng()) as memory:
        loaded(memory)
        _, end = place(memory, 0, "x")
        first = os.pread(memory.descriptor, 64, end)
        memory.wipe()
        assert os.pread(memory.descriptor, 64, end) != first


def test_inputs_differ_from_call_to_call_but_not_from_seed_to_seed() -> None:
    source = rng()
    first, second = (make_inputs(KERNEL, SIZES[1], source) for _ in range(2))
    again = make_inputs(KERNEL, SIZES[1], rng())
    assert not np.array_equal(first["x"], second["x"])
    assert np.array_equal(first["x"], again["x"])


def filled(c_type: str, fill: dict[str, Any], n: int = 200) -> np.ndarray[Any, Any]:
    arguments = [
        {"name": "n", "type": "int"},
        {"name": "x", "type": c_type, "role": "inout", "shape": "n", "fill": fill},
    ]
    kernel = Kernel.model_validate({"function": "f", "arguments": arguments, "shapes": {"timed": [{"n": n}]}})
    return make_inputs(kernel, {"n": n}, rng())["x"]


@pytest.mark.parametrize("kind", ["uniform", "integers", "sorted"])
@pytest.mark.parametrize("c_type", sorted(ELEMENT_TYPES))
def test_fill_is_within_its_bounds(c_type: str, kind: str) -> None:
    values = filled(c_type, {"kind": kind, "low": 3, "high": "n // 2"})
    assert values.dtype == np.dtype(ELEMENT_TYPES[c_type])
    assert values.shape == (200,)
    assert values.min() >= 3
    assert values.max() <= 100
    assert len(np.unique(values)) > 10


@pytest.mark.parametrize("c_type", ["int", "float", "double", "signed char"])
def test_fill_reaches_below_zero(c_type: str) -> None:
    values = filled(c_type, {"kind": "integers", "low": -50, "high": 50})
    assert values.min() < 0 < values.max()


@pytest.mark.parametrize("c_type", ["int", "unsigned char", "float", "double"])
def test_integers_stay_below_their_upper_bound(c_type: str) -> None:
    values = filled(c_type, {"kind": "integers", "low": 0, "high": 4})
    assert set(values.tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("c_type", ["int", "long", "float", "double"])
def test_sorted_fill_is_sorted(c_type: str) -> None:
    values = filled(c_type, {"kind": "sorted", "low": -1000, "high": 1000})
    assert (np.diff(values) >= 0).all()


@pytest.mark.parametrize("c_type", ["int", "unsigned long", "double"])
def test_permutation_holds_every_index_once(c_type: str) -> None:
    values = filled(c_type, {"kind": "permutation"})
    assert sorted(values.tolist()) == list(range(200))
    assert (np.diff(values.astype(np.int64)) < 0).any()


@pytest.mark.parametrize("c_type", ["float", "double"])
def test_normal_fill_has_its_mean_and_deviation(c_type: str) -> None:
    values = filled(c_type, {"kind": "normal", "mean": 5.0, "deviation": 0.5}, n=4000)
    assert abs(float(values.mean()) - 5.0) < 0.1
    assert abs(float(values.std()) - 0.5) < 0.1


@pytest.mark.parametrize("c_type", ["int", "unsigned char", "float", "double"])
def test_constant_fill_is_constant(c_type: str) -> None:
    assert set(filled(c_type, {"kind": "constant", "value": 7.0}).tolist()) == {7}


def difference(
    want: list[Any], have: list[Any], dtype: str = "f8", *, hidden: bool = False, **bounds: float
) -> str | None:
    tolerance = Tolerance.model_validate({"relative": 1e-6, **bounds})
    expected, got = ({"y": np.array(values, dtype)} for values in (want, have))
    return first_difference(expected, got, tolerance, hidden=hidden)


@given(st.lists(st.floats(width=32), min_size=1, max_size=20))
def test_outputs_equal_themselves_whatever_they_hold(values: list[float]) -> None:
    assert difference(values, list(values), "f4") is None


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.data())
def test_a_wrong_element_is_found_in_its_place(values: list[float], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    changed = [*values[:at], values[at] + 10.0, *values[at + 1 :]]
    found = difference(values, changed)
    assert found is not None
    assert found.startswith(f"y[{at}]: expected ")
    assert f"1 of {len(values)} elements" in found


def test_error_within_the_tolerance_is_accepted() -> None:
    assert difference([1.0, 100.0], [1.0 + 1e-7, 100.0 - 1e-5]) is None


def test_small_elements_are_judged_by_the_size_of_the_whole() -> None:
    assert difference([1e-9, 1000.0], [2e-9, 1000.0]) is None
    assert difference([1e-9, 1e-9], [2e-9, 1e-9]) is not None


def test_absolute_tolerance_holds_without_a_relative_one() -> None:
    assert difference([0.0, 0.0], [1e-4, 0.0], relative=0.0, absolute=1e-3) is None
    assert difference([0.0, 0.0], [1e-2, 0.0], relative=0.0, absolute=1e-3) is not None


@pytest.mark.parametrize("have", [np.nan, np.inf, -np.inf])
def test_number_is_not_near_what_is_not_finite(have: float) -> None:
    assert difference([1.0, 2.0], [1.0, have]) is not None


@pytest.mark.parametrize("have", [0.0, 1.0, -np.inf, np.nan])
def test_infinity_is_near_nothing_but_itself(have: float) -> None:
    assert difference([1.0, np.inf], [1.0, have]) is not None


@pytest.mark.parametrize("have", [0.0, np.inf])
def test_nan_is_near_nothing_but_itself(have: float) -> None:
    assert difference([1.0, np.nan], [1.0, have]) is not None


def test_nan_and_infinity_where_they_are_expected_are_right() -> None:
    assert difference([np.nan, np.inf, -np.inf, 1.0], [np.nan, np.inf, -np.inf, 1.0 + 1e-9]) is None


def test_one_infinite_element_does_not_excuse_the_others() -> None:
    assert difference([np.inf, 1.0], [np.inf, 2.0]) is not None


def test_an_overflowing_scale_does_not_excuse_the_elements() -> None:
    assert difference([1e200, 1.0], [1e200, 2e199]) is not None


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8"])
def test_integers_have_no_tolerance(dtype: str) -> None:
    assert difference([100, 100], [100, 101], dtype, relative=1.0, absolute=50.0) is not None


def test_zeros_of_both_signs_are_equal() -> None:
    assert difference([0.0], [-0.0], relative=0.0) is None


def test_element_that_was_never_written_is_said_to_be() -> None:
    assert "(never written)" in (difference([1.0, 2.0], [1.0, np.nan]) or "")
    poison = int.from_bytes(bytes([POISON_BYTE] * 4), "little", signed=True)
    assert "(never written)" in (difference([1, 2], [1, poison], "i4") or "")


def test_values_of_hidden_calls_are_not_shown() -> None:
    found = difference([1.25, 7.625], [1.25, 3.375], hidden=True)
    assert found is not None
    assert "7.625" not in found
    assert "3.375" not in found
    assert "y[1]" in found

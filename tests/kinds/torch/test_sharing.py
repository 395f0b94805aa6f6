"""Tensors described by an untrusted process are checked before they are read."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.kinds.torch.harness.sharing import HostArena, MalformedTensor, Placed, peek, placed, read_placed, view  # noqa: E402
from maxcode.kinds.torch.harness.values import (  # noqa: E402
    Layout,
    all_words,
    from_words,
    in_words,
    like_the_first,
    tensors_in,
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
)
fields = st.fixed_dictionaries(
    {
        "at": anything | st.integers(),
        "dtype": st.sampled_from(["float32", "int64", "quint8", ""]),
        "shape": st.lists(st.integers(-3, 10), max_size=20) | anything,
        "strides": st.lists(st.integers(-3, 10), max_size=20) | anything,
    }
)


@given(anything | fields)
def test_nonsense_is_refused_and_never_read(words: Any) -> None:
    memory = torch.zeros(4096, dtype=torch.uint8)
    try:
        found = read_placed(words)
        assert view(memory, found.address, found).numel() >= 0
    except MalformedTensor:
        pass


@given(anything)
def test_structures_of_nonsense_are_refused(words: Any) -> None:
    try:
        from_words(words, read_placed)
    except (MalformedTensor, AttributeError, TypeError):
        pass


def test_arguments_come_back_from_an_arena_as_they_were() -> None:
    given = [torch.randn(3, 5).t(), 7, {"a": (torch.arange(4), True)}, torch.empty(0, 3)]
    layout = Layout(given)
    arena = HostArena(3 * layout.size)
    there = layout.arguments(arena.memory, 2)
    for ours, theirs in zip(tensors_in(given), tensors_in(there), strict=True):
        theirs.copy_(ours)
    again = layout.arguments(arena.memory, 2)
    assert again[1] == 7
    assert torch.equal(again[0], given[0])
    assert again[0].stride() == given[0].stride()
    assert torch.equal(again[2]["a"][0], torch.arange(4))


def test_memory_of_a_process_is_read_where_it_is() -> None:
    tensor = torch.randn(10, 4)[::2]
    assert torch.equal(peek(os.getpid(), placed(tensor)), tensor)


def test_memory_that_is_not_there_is_no_tensor() -> None:
    with pytest.raises(MalformedTensor):
        peek(os.getpid(), Placed(0x1000, "float32", (4,), (1,)))


results = st.one_of(
    st.just(lambda: torch.zeros(3, 4)),
    st.just(lambda: torch.zeros(4, 3).t()),
    st.just(lambda: torch.zeros(2, dtype=torch.int64)),
    st.just(lambda: (torch.zeros(2), [torch.zeros(1)])),
    st.just(lambda: {"a": torch.zeros(2), "b": 3}),
    st.just(lambda: (torch.zeros(2), 1.5)),
)


@given(st.lists(results, max_size=5))
def test_results_in_few_words_say_what_they_say_in_full(makers: list[Any]) -> None:
    values = [make() for make in makers]
    describe = lambda tensor: placed(tensor).in_words()  # noqa: E731
    assert all_words(like_the_first(values, describe), len(values)) == [in_words(each, describe) for each in values]


def test_many_like_results_take_few_words() -> None:
    values = [torch.zeros(3, 4) for _ in range(64)]
    assert like_the_first(values, lambda tensor: placed(tensor).in_words()).keys() == {"first", "places"}


@given(
    st.fixed_dictionaries({"first": anything, "places": anything})
    | st.fixed_dictionaries({"each": anything})
    | anything
)
def test_nonsense_for_results_is_refused(words: Any) -> None:
    try:
        for each in all_words(words, 2):
            from_words(each, read_placed)
    except (MalformedTensor, KeyError, TypeError, ValueError, AttributeError):
        pass


@pytest.mark.parametrize(
    ("shape", "strides"), [([1 << 62, 1 << 62], [0, 0]), ([0, 1 << 62, 1 << 62], [1, 1, 1]), ([1], [1 << 70])]
)
def test_numbers_that_no_tensor_has_are_refused(shape: list[int], strides: list[int]) -> None:
    with pytest.raises(MalformedTensor, match="too large"):
        read_placed({"at": 64, "dtype": "float32", "shape": shape, "strides": strides})


@pytest.mark.parametrize(("results", "calls"), [(2000, 2), (64, 64)])
def test_few_words_do_not_stand_for_more_than_there_is_memory(results: int, calls: int) -> None:
    words = {"first": {"list": [{"list": []}] * (1 << 15)}, "places": [[]] * results}
    with pytest.raises(MalformedTensor, match="results"):
        all_words(words, calls)


def test_shared_memory_keeps_its_size() -> None:
    arena = HostArena(1 << 16)
    with pytest.raises(PermissionError):
        os.ftruncate(arena.descriptor, 0)
    assert int(arena.memory.sum()) == 0

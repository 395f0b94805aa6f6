"""Comparing outputs: what counts as the same, and where a difference is said to be."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from maxcode.kinds.program.compare import SNIPPET, OutputDifference, first_difference
from maxcode.task.model import Tests as Settings
from maxcode.task.model import Tolerance

EXACT = Settings(compare="exact")
TOKENS = Settings(compare="tokens")
NUMBERS = Settings(compare="numbers", tolerance=Tolerance(relative=1e-6, absolute=1e-9))
ALL = [EXACT, TOKENS, NUMBERS]

words = st.from_regex(rb"[!-~]{1,8}", fullmatch=True)
token_lists = st.lists(words, max_size=12)
spaces = st.from_regex(rb"[ \t\n\r]{1,4}", fullmatch=True)


def name_of(tests: Settings) -> str:
    return tests.compare


@pytest.mark.parametrize("tests", ALL, ids=name_of)
@given(st.binary(max_size=200))
def test_a_text_equals_itself(tests: Settings, text: bytes) -> None:
    assert first_difference(text, bytes(bytearray(text)), tests) is None


@pytest.mark.parametrize("tests", [TOKENS, NUMBERS], ids=name_of)
@given(st.data())
def test_white_space_does_not_matter_to_tokens(tests: Settings, data: st.DataObject) -> None:
    tokens = data.draw(token_lists)
    texts = [
        b"".join(data.draw(spaces) + token for token in tokens) + data.draw(st.one_of(st.just(b""), spaces))
        for _ in range(2)
    ]
    assert first_difference(texts[0], texts[1], tests) is None


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_exact_means_every_byte(expected: bytes, got: bytes) -> None:
    assert (first_difference(expected, got, EXACT) is None) == (expected == got)


@given(st.lists(words, min_size=1, max_size=12), st.data())
def test_a_changed_token_is_always_found_in_its_place(tokens: list[bytes], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(tokens) - 1))
    other = data.draw(words)
    assume(other != tokens[at])
    changed = [*tokens[:at], other, *tokens[at + 1 :]]
    found = first_difference(b" ".join(tokens) + b"\n", b"\n".join(changed), TOKENS)
    assert found == OutputDifference(f"line 1, token {at + 1}", tokens[at].decode(), other.decode())


@given(st.lists(words, min_size=1, max_size=12), st.data())
def test_a_missing_token_is_always_found(tokens: list[bytes], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(tokens) - 1))
    fewer = [*tokens[:at], *tokens[at + 1 :]]
    assert first_difference(b" ".join(tokens), b" ".join(fewer), TOKENS) is not None
    assert first_difference(b" ".join(fewer), b" ".join(tokens), TOKENS) is not None


def test_output_that_stops_early_says_what_was_due() -> None:
    assert first_difference(b"1 2 3\n", b"1 2\n", TOKENS) == OutputDifference(
        "after 2 of 3 tokens", "3", "end of output"
    )


def test_output_that_goes_on_says_what_was_too_much() -> None:
    assert first_difference(b"1 2\n", b"1 2 3\n", TOKENS) == OutputDifference(
        "after 2 of 2 tokens", "end of output", "3"
    )


def test_token_is_counted_within_its_line() -> None:
    found = first_difference(b"a b\n\nc d e\n", b"a b c d f", TOKENS)
    assert found == OutputDifference("line 3, token 3", "e", "f")


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_exact_difference_is_at_the_first_differing_byte(expected: bytes, got: bytes) -> None:
    assume(expected != got)
    found = first_difference(expected, got, EXACT)
    assert found is not None
    line, column = (int(part.split()[1]) for part in found.where.split(", "))
    at = len(b"".join(expected.split(b"\n")[: line - 1])) + (line - 1) + column - 1
    assert expected[:at] == got[:at]
    assert expected[at : at + 1] != got[at : at + 1]


@given(st.binary(max_size=5000), st.binary(max_size=5000))
def test_difference_fits_a_prompt(expected: bytes, got: bytes) -> None:
    for tests in ALL:
        found = first_difference(expected, got, tests)
        if found:
            assert max(len(found.expected), len(found.got)) <= SNIPPET + 3
            assert "\n" not in found.expected + found.got


@given(st.floats(-1e12, 1e12), st.floats(-0.99, 0.99))
def test_number_within_the_tolerance_is_accepted(want: float, share: float) -> None:
    got = want + share * (1e-9 + 1e-6 * abs(want))
    assert first_difference(f"{want!r}".encode(), f"{got!r}".encode(), NUMBERS) is None


@given(st.floats(-1e12, 1e12), st.floats(1.01, 1e6), st.booleans())
def test_number_beyond_the_tolerance_is_found(want: float, factor: float, below: bool) -> None:
    away = factor * (1e-9 + 1e-6 * abs(want))
    got = want - away if below else want + away
    assert first_difference(f"{want!r}".encode(), f"{got!r}".encode(), NUMBERS) is not None


def test_numbers_may_be_written_differently() -> None:
    assert first_difference(b"1000 0.5 -2\n", b"1e3 5e-1 -2.0\n", NUMBERS) is None


def test_words_between_numbers_must_be_equal() -> None:
    assert first_difference(b"total 1.0\n", b"totam 1.0\n", NUMBERS) is not None


@pytest.mark.parametrize("got", ["0", "1", "-inf", "nan", "1e308"])
def test_infinity_is_near_nothing_but_itself(got: str) -> None:
    assert first_difference(b"inf", got.encode(), NUMBERS) is not None


@pytest.mark.parametrize("got", ["inf", "nan", "-inf"])
def test_a_number_is_not_near_infinity_or_nan(got: str) -> None:
    assert first_difference(b"1.0", got.encode(), NUMBERS) is not None


@pytest.mark.parametrize("got", ["1_0", "1__0", "0x0a", "10L"])
def test_what_no_c_program_would_print_as_ten_is_not_ten(got: str) -> None:
    assert first_difference(b"10", got.encode(), NUMBERS) is not None


def test_tolerance_is_for_numbers_only() -> None:
    tests = Settings(compare="tokens", tolerance=Tolerance(relative=1))
    assert first_difference(b"1.0", b"1.0000000001", tests) is not None


@pytest.mark.parametrize("filling", [b"\n", b" ", b"1 ", b"1"])
def test_output_without_end_is_compared_in_a_moment_and_in_little_memory(filling: bytes) -> None:
    got = b"1 2\n" + filling * (60_000_000 // len(filling))
    start = time.process_time()
    tracemalloc.start()
    for tests in ALL:
        first_difference(b"1 2\n", got, tests)
    assert tracemalloc.get_traced_memory()[1] < 3 * len(got)
    tracemalloc.stop()
    assert time.process_time() - start < 5

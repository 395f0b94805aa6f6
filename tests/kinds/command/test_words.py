"""What commands print, read: numbers of tests, numbers of benches, and what may differ between runs."""

from __future__ import annotations

import time

import pytest

from maxcode.evaluate.failure import Failure
from maxcode.kinds.command.pairs import check_bench_output, comparable, printed_number
from maxcode.kinds.command.passed import passed_names, passed_tests
from maxcode.kinds.command.table import Command


@pytest.mark.parametrize(
    ("output", "passed"),
    [
        ("............ [100%]\n12 passed in 0.34s\n", 12),
        ("===== 1 failed, 11 passed, 2 warnings in 1.20s =====\n", 11),
        ("\x1b[32m===== \x1b[1m7 passed\x1b[0m in 0.1s =====\n", 7),
        ("100% tests passed, 0 tests failed out of 3\n", 3),
        ("67% tests passed, 1 tests failed out of 3\n", 2),
        ("[==========] 4 tests ran.\n[  PASSED  ] 4 tests.\n", 4),
        ("All tests passed (31 assertions in 6 test cases)\n", 6),
        ("[doctest] test cases: 5 | 4 passed | 1 failed\n", 4),
        ("test result: ok. 3 passed; 0 failed\n\ntest result: ok. 2 passed; 0 failed\n", 5),
        ("Ran 9 tests in 0.001s\n\nOK\n", 9),
        ("Ran 9 tests in 0.001s\n\nFAILED (failures=2)\n", 7),
        ("all good\n", None),
    ],
)
def test_passed_tests_are_counted(output: str, passed: int | None) -> None:
    assert passed_tests(output) == passed


def test_a_pattern_counts_what_is_not_known() -> None:
    assert passed_tests("ok: 3\nok: 4\n", r"^ok: (\d+)") == 7


@pytest.mark.parametrize(
    ("output", "junit", "names"),
    [
        ("1/2 Test #1: index ......   Passed    0.00 sec\n2/2 Test #2: rank ...***Failed    0.00 sec\n", "", {"index"}),
        ("[       OK ] Sum.Empty (0 ms)\n[  FAILED  ] Sum.One (0 ms)\n", "", {"Sum.Empty"}),
        ("test sums::empty ... ok\ntest sums::one ... FAILED\ntest sums::two ... ignored\n", "", {"sums::empty"}),
        ("--- PASS: TestSum (0.00s)\n    --- PASS: TestSum/one (0.00s)\n", "", {"TestSum", "TestSum/one"}),
        (
            "test_one (test_sum.Sum.test_one) ... ok\ntest_two (test_sum.Sum.test_two) ... skipped 'no'\n",
            "",
            {"test_one"},
        ),
        ("ok 1 - adds\nnot ok 2 - divides\n", "", {"adds"}),
        ("", '<testcase classname="t" name="a[1&gt;0]" /><testcase name="b"><skipped/></testcase>', {"t::a[1&gt;0]"}),
        ("", '<testcase name="a"><failure message="no">x</failure></testcase>', set()),
        ("2 passed in 0.1s\n", "", set()),
    ],
)
def test_passed_tests_are_named(output: str, junit: str, names: set[str]) -> None:
    assert {name.partition(" (")[0] for name in passed_names(output, junit)} == names


def command(**more: str) -> Command:
    return Command.model_validate({"editable": ["a"], "test": "t", "bench": "b", **more})


@pytest.mark.parametrize(
    ("output", "number"),
    [(b"seconds: 0.5\n", 0.5), (b"seconds: 2\nseconds: 3\n", 3.0), (b"seconds: 0\n", None), (b"seconds: nan\n", None)],
)
def test_the_last_number_counts(output: bytes, number: float | None) -> None:
    assert printed_number(output, command(number=r"seconds: (\S+)")) == number


def test_times_and_numbers_are_not_compared() -> None:
    first = comparable(b"sum 12\nrate 3.5\ntook 0.25 s (8 ms each)\n", command(number=r"rate (\S+)"))
    assert first == comparable(b"sum 12\nrate 9\ntook 1.5 s (17 ms each)\n", command(number=r"rate (\S+)"))
    assert first != comparable(b"sum 13\nrate 3.5\ntook 0.25 s (8 ms each)\n", command(number=r"rate (\S+)"))


@pytest.mark.parametrize(
    ("expected", "got", "where"),
    [
        (b"sum 12\ntook 0.25 s\n", b"sum 12\ntook 3 s\n", None),
        (b"sum 12\ntook 0.25 s\n", b"sum 13\ntook 0.25 s\n", "line 1: expected 'sum 12', got 'sum 13'"),
        (b"a\nb\n", b"a\n", "line 2: expected 'b', got ''"),
        (b"a\n", b"a\n\n", "line 2"),
        (b"1" * 5000, b"1" * 5000 + b" s", "line 1"),
    ],
)
def test_the_first_line_that_differs_is_told(expected: bytes, got: bytes, where: str | None) -> None:
    if where is None:
        check_bench_output(expected, got, command())
        return
    with pytest.raises(Failure, match=where):
        check_bench_output(expected, got, command())


@pytest.mark.parametrize(
    "said",
    ["=" * 10**6, "\n" * 10**6, "ok 1 " + " " * 10**6 + "#", "1" * 10**6, "1," * 10**6, "Ran 1 test in 1\n" * 10**5]
    + [(start + " " * 980 + "#\n") * 1000 for start in ("ok 1 ", "1/1 Test", "test cases:", "1 passed")],
    ids=lambda said: f"{said[:12]!r}",
)
def test_no_output_takes_long_to_read(said: str) -> None:
    began = time.monotonic()
    assert passed_tests(said) is None
    assert passed_names(said) == frozenset()
    comparable(said.encode(), command())
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "said", ["100% tests passed, 0 tests failed out of {}", "Ran {} tests in 1s\n\nOK", "{} passed in 1s"]
)
def test_a_number_of_tests_that_is_none_is_no_error(said: str) -> None:
    passed_tests(said.format("9" * 5000))

"""What commands print, read: numbers of tests, numbers of benches, and what may differ between runs."""

from __future__ import annotations

import re
import signal
import time

import pytest

from maxcode.core import InputError
from maxcode.kinds.command import patterns
from maxcode.kinds.command.output import (
    BenchDifference,
    compared_lines,
    compares_something,
    differences,
    printed_number,
    wrong_output,
)
from maxcode.kinds.command.passed import passed_names, passed_tests
from maxcode.kinds.command.patterns import SlowPattern, groups_by_line, of_the_original
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


def found(expected: bytes, got: bytes, **more: str) -> list[BenchDifference]:
    return list(differences(*(compared_lines(each, command(**more)) for each in (expected, got))))


def test_lines_of_the_number_are_not_compared() -> None:
    assert found(b"sum 12\nrate 3.5\n", b"sum 12\nrate 9\n", number=r"rate (\S+)") == []
    assert found(b"sum 12\nrate 3.5\n", b"sum 13\nrate 9\n", number=r"rate (\S+)")


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (b"took 0.25 s (8 ms each)", b"took 3 s (980 us each)"),
        (b"rate   12.5 MB/s, 45 %", b"rate 1.5 GB/s, 7 %"),
        (b"1.5e-05", b"0.1"),
    ],
)
def test_numbers_have_the_same_names_on_the_same_line(expected: bytes, got: bytes) -> None:
    one, other = found(expected, got), found(got, expected)
    assert [each.field for each in one] == [each.field for each in other]
    assert all(each.field for each in one) and len(set(one)) == len(_NUMBERS.findall(expected))


_NUMBERS = re.compile(rb"[\d.]+(?:e-\d+)?")


@pytest.mark.parametrize(
    ("expected", "got", "line"),
    [
        (b"sum 12\nx\n", b"sum 13\ny\n", 2),
        (b"a\nb\n", b"a\n", 2),
        (b"a\n", b"a\n\n", 2),
        (b"#5", b"5#", 1),
        (b"12", b"1 2", 1),
        (b"1" * 5000, b"1" * 5000 + b" s", 1),
    ],
)
def test_lines_that_differ_by_more_than_numbers_are_told(expected: bytes, got: bytes, line: int) -> None:
    assert [each.line for each in found(expected, got) if not each.field] == [line]
    assert f"line {line}" in wrong_output(found(expected, got)[-1]).reason


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        (b"took {}.5 s", (2.4, 3.4)),
        (b"took {}e-1 s", (0.1, 0.2)),
        (b"elapsed: {}ms", (0.001, 0.002)),
        (b"heaviest window: {} s", None),
        (b"took {} steps", None),
        (b"in {} MB/s", None),
    ],
)
def test_times_that_were_taken_may_have_been_rounded(line: bytes, seconds: tuple[float, float] | None) -> None:
    (difference,) = found(line.replace(b"{}", b"2"), line.replace(b"{}", b"3"))
    assert difference.seconds == (pytest.approx(seconds) if seconds else None)


def test_an_output_of_varying_numbers_alone_compares_nothing() -> None:
    varying = frozenset(each.field for each in found(b"0.5\n", b"0.6\n"))
    assert not compares_something([b"0.7"], varying)
    assert compares_something([b"0.7", b"sum 3"], varying)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("field", ["number", "passed"])
def test_an_exponential_pattern_ends(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.2)
    pattern, line = r"((?:a+)+)b", "a" * 60
    with pytest.raises(SlowPattern, match=f"command.{field} takes more than"):
        groups_by_line(field, pattern, [line])
    with pytest.raises(InputError, match=f"folder: command.{field}"), of_the_original("folder"):
        groups_by_line(field, pattern, [line])
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


@pytest.mark.timing
@pytest.mark.long
@pytest.mark.parametrize(
    "said",
    ["=" * 10**6, "\n" * 10**6, "ok 1 " + " " * 10**6 + "#", "1" * 10**6, "1," * 10**6, "Ran 1 test in 1\n" * 10**5]
    + [(start + " " * 980 + "#\n") * 1000 for start in ("ok 1 ", "1/1 Test", "test cases:", "1 passed")],
    ids=lambda said: f"{said[:12]!r}",
)
def test_no_output_takes_long_to_read(said: str) -> None:
    began = time.process_time()
    assert passed_tests(said) is None
    assert passed_names(said) == frozenset()
    assert passed_tests(said, r"([0-9]+) checks") is None
    assert printed_number(said.encode(), command(number=r"([0-9.]+) seconds")) is None
    found(said.encode(), said.encode().replace(b"1", b"2"))
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    "said", ["100% tests passed, 0 tests failed out of {}", "Ran {} tests in 1s\n\nOK", "{} passed in 1s"]
)
def test_a_number_of_tests_that_is_none_is_no_error(said: str) -> None:
    passed_tests(said.format("9" * 5000))

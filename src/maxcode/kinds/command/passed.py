"""Counts passed tests in what well-known test programs print.

The candidate prints there as well, whatever it likes and megabytes of it. So lines are read one by one, long lines are
not part of a report, and no pattern takes longer than its line.
"""

from __future__ import annotations

import re
from itertools import pairwise

from maxcode.kinds.command.patterns import LONGEST_LINE, groups_by_line

_CTEST = re.compile(r"\d+% tests passed, (\d{1,9}) tests failed out of (\d{1,9})")
_UNITTEST = re.compile(r"Ran (\d{1,9}) tests? in ")
_UNITTEST_END = re.compile(r"\s*(?:OK|FAILED)\b(?:.*?(?:failures|errors)=(\d{1,9}))?")
_PYTEST = re.compile(r"\b(\d{1,9}) passed\b")
_PYTEST_END = re.compile(r" in [\d.:hms ]")
_SIMPLE = (
    re.compile(r"\[  PASSED  \] (\d{1,9}) tests?\."),  # GoogleTest
    re.compile(r"All tests passed \(\d+ assertions? in (\d{1,9}) test cases?\)"),  # Catch2
    re.compile(r".*test cases:\s*\d+ \|\s*(\d{1,9}) passed"),  # doctest, Catch2
    re.compile(r"test result: \w+\. (\d{1,9}) passed"),  # cargo
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def passed_tests(output: str, pattern: str | None = None) -> int | None:
    """Number of passed tests over all reports in the output; None where there is no report."""
    if pattern is not None:
        counts = groups_by_line("passed", pattern, output.split("\n"))
        return _sum([each for line in counts for each in line])
    lines = _lines(output)
    ctest = [int(found[2]) - int(found[1]) for line in lines if (found := _CTEST.match(line))]
    if ctest:
        return sum(ctest)
    pytest = [
        int(found[1]) for line in lines if (found := _PYTEST.search(line)) and _PYTEST_END.search(line, found.end())
    ]
    if pytest:
        return sum(pytest)
    for each in _SIMPLE:
        simple = [int(match[1]) for line in lines if (match := each.match(line))]
        if simple:
            return sum(simple)
    return _passed_unittests(lines)


def _passed_unittests(lines: list[str]) -> int | None:
    written = [line for line in lines if line.strip()]
    found = [
        int(ran[1]) - int(end[1] or 0)
        for line, following in pairwise(written)
        if (ran := _UNITTEST.match(line)) and (end := _UNITTEST_END.match(following))
    ]
    return sum(found) if found else None


def _lines(output: str) -> list[str]:
    return [line for line in _COLOUR.sub("", output).split("\n") if len(line) <= LONGEST_LINE]


def _sum(numbers: list[str]) -> int | None:
    try:
        return sum(int(number) for number in numbers) if numbers else None
    except ValueError:
        return None


_NAMED = (
    re.compile(r"\s*\d+/\d+ Test\s+#\d+: (\S+) \.+\s+Passed\b"),  # ctest
    re.compile(r"\[       OK \] (\S+)"),  # GoogleTest
    re.compile(r"test (\S+) \.\.\. ok$"),  # cargo
    re.compile(r"\s*--- PASS: (\S+)"),  # go test -v
    re.compile(r"(\w+ \([\w.]+\)) \.\.\. ok$"),  # unittest -v
    re.compile(r"ok \d+ (?:- )?([^#]*[^#\s])\s*$"),  # TAP
)
_UNITTEST_NAME = re.compile(r"(\w+ \([\w.]+\))$")
"""Name of a test that has a description, which is on the next line, with the test's result."""


def passed_names(output: str, junit: str = "") -> frozenset[str]:
    """Names of the tests that passed, from JUnit's form or from the output; empty where nobody names them."""
    found = {name for part in junit.split("<testcase ")[1:] if (name := _passed_case(part))}
    if found:
        return frozenset(found)
    lines = _lines(output)
    described = {
        match[1]
        for line, following in pairwise(lines)
        if (match := _UNITTEST_NAME.match(line)) and following.endswith(" ... ok")
    }
    return frozenset(match[1] for line in lines for each in _NAMED if (match := each.match(line))) | described


def _passed_case(part: str) -> str | None:
    """Name of the test in one element, after its opening; None where it has not passed."""
    if re.search(r"<(failure|error|skipped)\b", part):
        return None
    attributes = dict(re.findall(r'\b(classname|name)="([^"]*)"', part.partition(">")[0]))
    return "::".join(attributes.get(each, "") for each in ("classname", "name")) if attributes else None

"""How many tests passed, from what well-known test programs print."""

from __future__ import annotations

import re

_CTEST = re.compile(r"^\d+% tests passed, (\d+) tests failed out of (\d+)", re.MULTILINE)
_UNITTEST = re.compile(r"^Ran (\d+) tests? in .*?\n\s*^(OK|FAILED)\b(?:.*?(?:failures|errors)=(\d+))?", re.MULTILINE)
_SIMPLE = (
    re.compile(r"^=*.*?\b(\d+) passed\b.* in [\d.:hms ]+", re.MULTILINE),  # pytest
    re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.MULTILINE),  # GoogleTest
    re.compile(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)", re.MULTILINE),  # Catch2
    re.compile(r"test cases:\s*\d+ \|\s*(\d+) passed", re.MULTILINE),  # doctest, Catch2
    re.compile(r"^test result: \w+\. (\d+) passed", re.MULTILINE),  # cargo
)


def passed_tests(output: str, pattern: str | None = None) -> int | None:
    """The sum over all reports in the output; None where there is none."""
    if pattern is not None:
        return _sum([match[1] for match in re.finditer(pattern, output, re.MULTILINE)])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    ctest = [int(total) - int(failed) for failed, total in _CTEST.findall(plain)]
    if ctest:
        return sum(ctest)
    for each in _SIMPLE:
        found = each.findall(plain)
        if found:
            return _sum(found)
    ran = _UNITTEST.findall(plain)
    return sum(int(count) - int(bad or 0) for count, _, bad in ran) if ran else None


def _sum(numbers: list[str]) -> int | None:
    try:
        return sum(int(number) for number in numbers) if numbers else None
    except ValueError:
        return None


_NAMED = (
    re.compile(r"^\s*\d+/\d+ Test\s+#\d+: (\S+) \.+\s+Passed\b", re.MULTILINE),  # ctest
    re.compile(r"^\[       OK \] (\S+)", re.MULTILINE),  # GoogleTest
    re.compile(r"^test (\S+) \.\.\. ok$", re.MULTILINE),  # cargo
    re.compile(r"^\s*--- PASS: (\S+)", re.MULTILINE),  # go test -v
    re.compile(r"^(\w+ \([\w.]+\))(?:\n.*)? \.\.\. ok$", re.MULTILINE),  # unittest -v
    re.compile(r"^ok \d+ (?:- )?([^#\n]+?)\s*$", re.MULTILINE),  # TAP
)


def passed_names(output: str, junit: str = "") -> frozenset[str]:
    """Names of the tests that passed, from JUnit's form or from the output; empty where nobody names them."""
    found = {name for part in junit.split("<testcase ")[1:] if (name := _passed_case(part))}
    if found:
        return frozenset(found)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    return frozenset(name for each in _NAMED for name in each.findall(plain))


def _passed_case(part: str) -> str | None:
    """The name in one element, after its opening; None where it is not that of a passed test."""
    if re.search(r"<(failure|error|skipped)\b", part):
        return None
    attributes = dict(re.findall(r'\b(classname|name)="([^"]*)"', part.partition(">")[0]))
    return "::".join(attributes.get(each, "") for each in ("classname", "name")) if attributes else None

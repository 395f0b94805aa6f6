"""A strict reader of inputs: what is missing, left over or of another kind is an error."""

from __future__ import annotations

import re


class Reader:
    def __init__(self, text: str) -> None:
        assert text == "" or text.endswith("\n")
        self._lines = text.split("\n")[:-1]
        self._at = 0

    def line(self) -> str:
        assert self._at < len(self._lines), "a line is missing"
        self._at += 1
        return self._lines[self._at - 1]

    def words(self, many: int | None = None) -> list[str]:
        line = self.line()
        found = line.split(" ") if line else []
        assert all(found), f"spaces in {line!r}"
        assert many is None or len(found) == many, f"{line!r} has not {many} words"
        return found

    def ints(self, many: int | None = None) -> list[int]:
        found = self.words(many)
        assert all(re.fullmatch(r"-?(0|[1-9]\d*)", word) for word in found), found
        return [int(word) for word in found]

    def int(self) -> int:
        return self.ints(1)[0]

    def more(self) -> bool:
        return self._at < len(self._lines)

    def end(self) -> None:
        assert not self.more(), f"left over: {self._lines[self._at]!r}"


def within(values: list[int], low: int, high: int) -> None:
    assert all(low <= value <= high for value in values), (values[:10], low, high)


def matches(pattern: str, text: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text)
    assert found, f"{text!r} is not like {pattern}"
    return found

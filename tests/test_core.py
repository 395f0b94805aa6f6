"""Records that all modules exchange."""

from __future__ import annotations

import pytest

from maxcode.core import Outcome, Status


@pytest.mark.parametrize(
    ("reason", "line"), [(None, ""), ("", ""), (" \n", ""), ("one", "one"), ("\n one \r\ntwo\n", "one")], ids=repr
)
def test_the_first_line_of_a_reason_may_be_missing(reason: str | None, line: str) -> None:
    assert Outcome(candidate="c", task="t", status=Status.CRASHED, reason=reason).first_line == line

"""Whose work a call is, from its profile."""

from __future__ import annotations

import pytest

from maxcode.evaluate.pytorch.proof import own_share


def profile(seconds: float, **operators: float) -> dict[str, object]:
    events = [{"name": f"aten::{name}", "count": 1, "seconds": each} for name, each in operators.items()]
    return {"events": events, "seconds": seconds}


@pytest.mark.parametrize(
    ("found", "share"),
    [
        (profile(2.0, empty_like=0.1, empty_strided=1.2), 1.0),
        (profile(2.0, mul=1.0, relu=1.1), 0.0),
        (profile(2.0, mul=0.9, empty=0.8), 0.25),
        (profile(0.0), None),
    ],
    ids=["an own loop that allocates", "all of it is torch's", "torch's and something else", "nothing to tell"],
)
def test_on_a_cpu_what_torchs_operators_do_not_do_is_the_candidates(
    found: dict[str, object], share: float | None
) -> None:
    assert own_share(found, (), "cpu") == (share if share is None else pytest.approx(share))

"""docs/measuring.md: figures that can be computed are those of the code."""

from __future__ import annotations

import re
from math import exp, log

import pytest

from maxcode.core import Mode
from maxcode.evaluate.measure import sampling as measure
from maxcode.evaluate.measure.sampling import PLANS
from maxcode.evaluate.measure.statistics import MIN_PAIRS, MIXTURE_SCALE, SPREAD_DOUBT, TIE, half_width, pooled_noise
from maxcode.evaluate.measure.stolen import MOST_DROPPED, STOLEN_SHARE
from tests.docs.walk import DOCS

PAGE = (DOCS / "measuring.md").read_text()
ROWS = re.findall(r"^\| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} pairs")
def test_half_widths_are_right(row: tuple[str, ...]) -> None:
    pairs, *shown = row
    found = [f"{100 * half_width(int(pairs), s, alpha=0.01):.1f}" for s in (0.008, 0.015, 0.03)]
    assert found == shown


def test_there_is_a_table_of_half_widths() -> None:
    assert len(ROWS) == 5


def test_plans_are_those_of_the_table() -> None:
    search, confirm = PLANS[Mode.SEARCH], PLANS[Mode.CONFIRM]
    assert {search.alpha, confirm.alpha} == {0.01}
    assert f"| exclusive pairs | up to {search.exclusive} | up to {confirm.exclusive} |" in PAGE
    assert f"| duets | up to {search.duets}, for what five exclusive pairs leave open | none |" in PAGE
    assert (search.first, search.patience, confirm.duets) == (5, 10, 0)
    assert f"h <= ln {exp(search.precision):g}, or it is `slower`, or ten pairs are done (five for a `tie`)" in PAGE
    assert f"h <= ln {exp(confirm.precision):g}, or it is `slower` |" in PAGE


def test_constants_are_those_of_the_text() -> None:
    assert (MIXTURE_SCALE, SPREAD_DOUBT, MIN_PAIRS) == (0.03, 4.0, 3)
    assert pytest.approx(log(1.01)) == TIE
    assert (measure.LEAST_EXCLUSIVE, measure.LEAST_DUET) == (0.015, 0.008)
    assert (STOLEN_SHARE, MOST_DROPPED, measure.WAITING_SHARE) == (0.03, 6, 1.25)
    assert (measure.FOOTPRINT_RATIO, measure.UNSTEADY, measure.ALIKE, measure.MIN_DUETS) == (1.5, 2.5, 0.02, 4)


def test_noise_is_by_the_formula_of_the_page() -> None:
    x, p = [0.03, -0.01, 0.02, -0.04, 0.9], 0.015
    q = 1.4826 * 0.03
    assert pooled_noise(x, prior=p) == pytest.approx(((4 * p**2 + 5 * q**2) / 9) ** 0.5)

"""Methods as they are written on the command line."""

from __future__ import annotations

import pytest

from maxcode.bench.plan import PlannedCell, methods_of
from maxcode.core import InputError
from maxcode.search.budget import Budget


def test_a_method_has_its_own_options() -> None:
    plain, half = methods_of(["flat", "half=cuda-llm+value,screen=0.5,value=m.json,evals=48"], "rewrite", "rules")
    assert (plain.name, plain.strategy, plain.screen, plain.value, plain.evals) == ("flat", "flat", None, "light", None)
    assert (half.name, half.strategy, half.screen, half.value, half.evals) == (
        "half",
        "cuda-llm+value",
        0.5,
        "m.json",
        48,
    )


def test_evaluations_of_a_method_go_before_those_of_the_plan() -> None:
    plain, more = methods_of(["flat", "more=flat,evals=48"], "rewrite", "rules")
    budgets = [
        PlannedCell(task="t", method=m, seed=0).settings(Budget(evals=24), "").budget.evals for m in (plain, more)
    ]
    assert budgets == [24, 48]


@pytest.mark.parametrize("spec", ["flat,screen=0", "flat,screen=1.5", "flat,screen=0.5,hedge=2"])
def test_a_share_is_between_nothing_and_all(spec: str) -> None:
    with pytest.raises(InputError, match=rf"--method {spec}: \w+: Input should be (greater|less)"):
        methods_of([spec], "rewrite", "rules")


@pytest.mark.parametrize("spec", ["flat,evals=many", "flat,screen=half"])
def test_what_is_no_number_is_said(spec: str) -> None:
    with pytest.raises(InputError, match=rf"--method {spec}: \w+: .* number|integer"):
        methods_of([spec], "rewrite", "rules")

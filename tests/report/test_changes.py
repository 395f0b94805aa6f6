"""The code of transformations, as reports show it."""

from __future__ import annotations

from maxcode.optimize.changes import change_named
from maxcode.policy.rewrite.actions import BY_NAME
from maxcode.report.changes import change_data, code_of


def test_every_transformation_has_code_to_show() -> None:
    shown = {name: found for name in BY_NAME if (found := code_of(name))}
    assert set(shown) == set(BY_NAME)
    assert [name for name, (_, code) in shown.items() if not code.startswith(("def ", "@"))] == []


def test_a_program_of_a_model_has_none() -> None:
    shown = change_data(change_named("program by openai:x"))
    assert shown["place"] is None and shown["code"] is None

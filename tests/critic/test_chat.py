"""A model as a critic: structured where it can, text where it cannot."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.config import ModelSettings
from maxcode.critic.chat import chat_critic, read_critique
from maxcode.search.observe.render import Prompts
from tests.policy.endpoint import Endpoint, completion
from tests.search.fakes import grown

ONE = {"kind": "bottleneck", "what": "Slow input", "evidence": "cin >>", "advice": "Read at once."}
ANSWER = json.dumps({"diagnoses": [ONE], "summary": "Input dominates."})


@pytest.mark.parametrize(
    "text",
    [ANSWER, f"Here it is:\n{ANSWER}\nGood luck.", f"```json\n{ANSWER}\n```", json.dumps(json.loads(ANSWER), indent=2)],
    ids=["plain", "in prose", "in a fence", "over several lines"],
)
def test_the_diagnoses_in_an_answer_are_read(text: str) -> None:
    found = read_critique(text, "m")
    (diagnosis,) = found.diagnoses
    assert (diagnosis.kind, diagnosis.what, diagnosis.evidence, diagnosis.advice) == tuple(ONE.values())
    assert found.text == "Input dominates.\n1. Slow input (cin >>). Read at once."
    assert found.source == "m"


def test_braces_in_the_prose_do_not_hide_the_answer() -> None:
    found = read_critique(f"The loop {{...}} is slow.\n{ANSWER}\nSo use for (;;) {{}} instead.", "m")
    assert len(found.diagnoses) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Use one flat array.",
        ANSWER[:-10],
        "{}",
        '{"diagnoses": []}',
        '{"diagnoses": 7}',
        '{"diagnoses": ["slow"]}',
        '{"diagnoses": [{"kind": "slow", "what": "x"}]}',
        '{"findings": []}',
        "{ not json }",
    ],
)
def test_what_is_not_the_form_asked_for_is_kept_as_text(text: str) -> None:
    found = read_critique(f"  {text}\n", "m")
    assert found.diagnoses == ()
    assert found.text == text


def test_a_missing_summary_does_not_matter() -> None:
    assert read_critique(json.dumps({"diagnoses": [ONE]}), "m").text.startswith("1. Slow input")


def test_at_most_four_diagnoses_are_kept_in_order() -> None:
    many = [{**ONE, "what": f"Thing {i}"} for i in range(9)]
    found = read_critique(json.dumps({"diagnoses": many}), "m")
    assert [each.what for each in found.diagnoses] == [f"Thing {i}" for i in range(4)]


def test_a_flood_of_text_is_cut() -> None:
    assert len(read_critique("word " * 10_000, "m").text) <= 4000


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.text() | json_values.map(lambda value: json.dumps({"diagnoses": value})) | json_values.map(json.dumps))
def test_any_answer_gives_a_critique(text: str) -> None:
    assert read_critique(text, "m").source == "m"


def test_the_model_is_shown_program_feedback_and_best_and_its_cost_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    tree = grown((0, 5.0, 1), (0, 0.0, 1))
    with Endpoint(lambda *_: completion(ANSWER)) as endpoint:
        critic = chat_critic("openai:m", ModelSettings(base_url=endpoint.url), Prompts())
        found = asyncio.run(critic(tree, tree.nodes[2]))
    shown = endpoint.requests[0]["messages"][1]["content"]
    assert "// wrong" in shown
    assert "wrong results" in shown
    assert "Best so far" not in shown
    assert "Compare it with the program before it" in shown
    assert len(found.diagnoses) == 1
    assert (found.source, found.cost.tokens) == ("openai:m", 130)

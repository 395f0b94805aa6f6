"""The real client against a real endpoint that means harm: a clean error or a repaired answer, in bounded time."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.config import ModelSettings
from maxcode.core import PolicyError
from maxcode.critic.chat import read_critique
from maxcode.policy.bounds import MOST_TOKENS, count, pause_of, printable
from maxcode.policy.chat import Chat, ChatReply
from maxcode.value.endpoint import _listed
from tests.policy.endpoint import Endpoint, Response, completion

QUESTION = [{"role": "user", "content": "Faster?"}]
NUMBERS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)

pytestmark = pytest.mark.usefixtures("quick_and_alone")


def ask(response: Response, **changes: object) -> ChatReply:
    with Endpoint(lambda *_: response) as endpoint:
        settings = ModelSettings.model_validate(
            {"base_url": endpoint.url, "retries": 0, "price_prompt": 1.0, **changes}
        )
        (reply,) = asyncio.run(Chat("m", settings).ask(QUESTION, 1, 0))
    return reply


def with_usage(prompt_tokens: object, completion_tokens: object) -> Response:
    body = completion("fine").body
    assert isinstance(body, dict)
    return Response({**body, "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}})


@pytest.mark.timing
def test_an_answer_that_drips_is_given_up_at_the_deadline_in_every_try() -> None:
    started = time.monotonic()
    with pytest.raises(PolicyError, match=r"no answer after 2 tries: not done within 0\.5 s"):
        ask(Response(" " * 1000, drip=0.1), timeout=0.5, retries=1)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_without_end_is_not_read_to_its_end(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode.policy.wire.LONGEST_BODY", 100_000)
    with pytest.raises(PolicyError, match=r"the answer is longer than 0\.1 MB"):
        ask(Response(" " * 3_000_000, status=status))


def test_a_compressed_body_is_refused() -> None:
    with pytest.raises(PolicyError, match=r"the answer is compressed \(gzip\)"):
        ask(Response("x", headers={"content-encoding": "gzip"}))


def test_json_that_is_nested_too_deeply_is_an_error_in_words() -> None:
    with pytest.raises(PolicyError, match=r"nested too deeply"):
        ask(Response("[" * 200_000))


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    assert ask(completion("a\ud800b")).text == "a\ufffdb"


@given(st.text(st.characters()))
def test_every_text_becomes_one_that_can_be_written(text: str) -> None:
    printable(text).encode()


@pytest.mark.parametrize("said", [-(10**9), 0, None, "many", [1], True])
def test_usage_that_cannot_be_is_estimated(said: object) -> None:
    cost = ask(with_usage(said, said), price_completion=1.0).cost
    assert 0 < cost.prompt_tokens < 100
    assert 0 < cost.completion_tokens < 100
    assert cost.usd is not None
    assert 0 < cost.usd < 1


def test_usage_beyond_all_measure_is_clipped() -> None:
    assert ask(with_usage(1e308, 10**30)).cost.tokens == 2 * MOST_TOKENS


@given(NUMBERS, st.integers(1, 10**6))
def test_every_count_of_tokens_brings_a_budget_nearer(said: object, estimate: int) -> None:
    assert 1 <= count(said, estimate) <= MOST_TOKENS


@given(st.one_of(st.none(), st.floats().map(str), st.text(max_size=8)))
def test_every_pause_that_is_wished_for_is_bounded(header: str | None) -> None:
    pause = pause_of(header, 60.0)
    assert pause is None or 0 < pause <= 60.0


@pytest.mark.parametrize("text", ['{"a":' * 20_000, "{" * 1_000_000, '{"' * 500_000, '{"diagnoses":' + "[" * 100_000])
def test_a_critique_that_is_no_json_is_text_in_bounded_time(text: str) -> None:
    started = time.process_time()
    assert read_critique(text, "m").diagnoses == ()
    assert time.process_time() - started < 5


class Logprobs:
    def __init__(self, top_logprobs: Any) -> None:
        self.logprobs = self
        self.top_logprobs = top_logprobs


@pytest.mark.parametrize("top", [[5], ["x"], 7, [{"1": "high"}], [{"1": 1e9}], [{"1": float("nan")}], {"1": 0}])
def test_log_probabilities_of_another_shape_are_none(top: object) -> None:
    assert _listed(Logprobs(top)) == []

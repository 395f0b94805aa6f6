"""The real client against a real endpoint that misbehaves."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from maxcode.config import ModelSettings
from maxcode.core import Cost, InputError, PolicyError, content_hash
from maxcode.policy.chat import Chat, ChatReply
from maxcode.policy.openai import chat_policy
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import search
from maxcode.search.observe.observation import observe
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Parts
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.store.journal import Store
from tests.policy.endpoint import Body, Endpoint, Response, completion, failure
from tests.search.fakes import TASK, answers_of, grown, instant_evaluator, instant_parts, program, shape

QUESTION = [{"role": "user", "content": "Faster?"}]
SECRET = "sk-very-secret"

pytestmark = pytest.mark.usefixtures("quick_and_alone")


def settings(endpoint: Endpoint, **changes: object) -> ModelSettings:
    return ModelSettings.model_validate({"base_url": endpoint.url, **changes})


def ask(endpoint: Endpoint, n: int = 1, seed: int = 5, **changes: object) -> list[ChatReply]:
    return asyncio.run(Chat("m", settings(endpoint, **changes)).ask(QUESTION, n, seed))


def numbered(body: Body) -> Response:
    """As many choices as were asked for, each telling the seed and its index."""
    return completion(*(f"{body['seed']}/{i}" for i in range(body.get("n", 1))))


def one_at_a_time(_: int, body: Body) -> Response:
    return failure(400, "n must be 1") if body.get("n", 1) > 1 else numbered(body)


def after(*problems: Response) -> Endpoint:
    """Misbehaves in the given ways, then answers."""
    return Endpoint(lambda number, body: problems[number] if number < len(problems) else numbered(body))


def test_several_samples_come_in_one_request() -> None:
    with after() as endpoint:
        assert [reply.text for reply in ask(endpoint, 4)] == ["5/0", "5/1", "5/2", "5/3"]
    (request,) = endpoint.requests
    assert (request["n"], request["seed"], request["model"], request["messages"]) == (4, 5, "m", QUESTION)


def test_an_endpoint_that_refuses_several_is_asked_in_parallel_with_different_seeds() -> None:
    with Endpoint(one_at_a_time) as endpoint:
        assert sorted(reply.text for reply in ask(endpoint, 4)) == ["5/0", "6/0", "7/0", "8/0"]
    assert len(endpoint.requests) == 5


def test_an_endpoint_that_refused_several_once_is_not_asked_for_them_again() -> None:
    with Endpoint(one_at_a_time) as endpoint:
        chat = Chat("m", settings(endpoint))

        async def twice() -> list[ChatReply]:
            return await chat.ask(QUESTION, 3, 0) + await chat.ask(QUESTION, 3, 3)

        assert len(asyncio.run(twice())) == 6
    assert [request.get("n", 1) for request in endpoint.requests] == [3] + [1] * 6


def test_an_endpoint_that_gives_fewer_than_asked_for_is_asked_for_the_rest() -> None:
    with Endpoint(lambda _, body: completion(str(body["seed"]))) as endpoint:
        assert sorted(reply.text for reply in ask(endpoint, 3)) == ["5", "6", "7"]
    assert len(endpoint.requests) == 3


def test_an_endpoint_that_gives_more_than_asked_for_gives_no_more() -> None:
    with Endpoint(lambda *_: completion("a", "b", "c")) as endpoint:
        assert [reply.text for reply in ask(endpoint, 2)] == ["a", "b"]


@pytest.mark.timing
def test_an_endpoint_that_asks_for_patience_gets_it() -> None:
    started = time.monotonic()
    with after(failure(429, "slow down", retry_after="0.4")) as endpoint:
        assert [reply.text for reply in ask(endpoint)] == ["5/0"]
    assert time.monotonic() - started >= 0.4
    assert len(endpoint.requests) == 2


def wrong_shape(body: object) -> Response:
    return Response({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": body})


@pytest.mark.parametrize(
    "problem",
    [
        failure(429),
        failure(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"),
        failure(500),
        failure(502),
        failure(503),
        Response('{"choices": [{"mess'),
        Response("<html>busy</html>"),
        Response("<html>busy</html>", headers={"content-type": "text/html"}),
        Response(""),
        Response("null"),
        Response("[]"),
        Response({}),
        Response({"error": {"message": "overloaded"}}),
        wrong_shape([]),
        wrong_shape(None),
        wrong_shape("none"),
        wrong_shape([None]),
        wrong_shape([{}]),
        wrong_shape([{"index": 0, "message": None}]),
        wrong_shape([{"index": 0, "message": "text"}]),
        Response(drop=True),
    ],
    ids=[
        "429",
        "429 with a date",
        "500",
        "502",
        "503",
        "half of a body",
        "html",
        "html by name",
        "empty",
        "null",
        "list",
        "object",
        "error in a good answer",
        "no choices",
        "null choices",
        "text for choices",
        "null choice",
        "choice without message",
        "null message",
        "text for message",
        "dropped",
    ],
)
def test_a_passing_problem_is_asked_again(problem: Response) -> None:
    with after(problem, problem) as endpoint:
        assert [reply.text for reply in ask(endpoint)] == ["5/0"]
    assert len(endpoint.requests) == 3


def test_an_answer_that_takes_too_long_is_asked_for_again() -> None:
    with after(replace(completion("late"), delay=5.0)) as endpoint:
        assert [reply.text for reply in ask(endpoint, timeout=0.3)] == ["5/0"]
    assert len(endpoint.requests) == 2


def test_an_answer_with_no_text_is_an_empty_answer() -> None:
    empty = wrong_shape([{"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": None}}])
    with Endpoint(lambda *_: empty) as endpoint:
        assert [reply.text for reply in ask(endpoint)] == [""]


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": None, "completion_tokens": None}], ids=["empty", "null"])
def test_usage_of_the_wrong_shape_does_not_cost_the_answer(usage: Body) -> None:
    body = completion("fine").body
    assert isinstance(body, dict)
    with Endpoint(lambda *_: Response({**body, "usage": usage})) as endpoint:
        assert [reply.text for reply in ask(endpoint)] == ["fine"]


def test_an_endpoint_that_stays_broken_is_given_up_with_a_reason() -> None:
    with Endpoint(lambda *_: failure(503, "maintenance")) as endpoint:
        with pytest.raises(PolicyError, match=r"m: no answer after 4 tries: .*maintenance.*OPENAI_BASE_URL"):
            ask(endpoint, retries=3)
        assert len(endpoint.requests) == 4


def test_an_endpoint_that_is_not_there_is_given_up_with_a_reason() -> None:
    with after() as endpoint:
        pass
    with pytest.raises(PolicyError, match=r"m: no answer after 2 tries: Connection error"):
        ask(endpoint, retries=1)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_told_at_once_and_without_the_key(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with Endpoint(lambda *_: failure(status, "you may not")) as endpoint:
        with pytest.raises(PolicyError, match=r"m: the endpoint refuses: .*you may not.*OPENAI_API_KEY") as error:
            ask(endpoint, 3)
        assert len(endpoint.requests) == 1
    assert SECRET not in str(error.value)


@pytest.mark.parametrize("status", [400, 401, 404, 422, 500])
def test_an_error_that_repeats_the_key_is_masked(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the clip at its end would cut the key in two."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for before in ("", "x" * 240):
        said = failure(status, f"{before}wrong key: Bearer {SECRET}")
        with Endpoint(lambda *_, said=said: said) as endpoint, pytest.raises(PolicyError, match=r"wrong|xx") as error:
            ask(endpoint, retries=0)
        assert SECRET[:9] not in str(error.value)


def test_an_answer_that_repeats_the_key_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with Endpoint(lambda *_: completion(f"your key is {SECRET}.")) as endpoint:
        assert [reply.text for reply in ask(endpoint)] == ["your key is ***."]


def test_a_request_that_is_not_accepted_is_told_at_once() -> None:
    with Endpoint(lambda *_: failure(400, "context too long")) as endpoint:
        with pytest.raises(PolicyError, match=r"does not accept the request: .*context too long"):
            ask(endpoint)
        assert len(endpoint.requests) == 1


def test_no_key_and_no_address_is_bad_input() -> None:
    with pytest.raises(InputError, match=r"m: no key\. Set OPENAI_API_KEY, or base_url"):
        asyncio.run(Chat("m", ModelSettings()).ask(QUESTION, 1, 0))


def test_the_key_comes_from_the_named_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    with after() as endpoint:
        ask(endpoint, api_key_env="MY_KEY")
    assert endpoint.keys == [f"Bearer {SECRET}"]


def test_settings_reach_the_request() -> None:
    with after() as endpoint:
        ask(endpoint, model="big", temperature=0.3, max_tokens=99, reasoning_effort="low", extra={"top_k": 7})
    (request,) = endpoint.requests
    given = {name: request[name] for name in ("model", "temperature", "max_tokens", "reasoning_effort", "top_k")}
    assert given == {"model": "big", "temperature": 0.3, "max_tokens": 99, "reasoning_effort": "low", "top_k": 7}


def test_settings_that_are_not_given_are_not_sent() -> None:
    with after() as endpoint:
        ask(endpoint, temperature=None)
    assert set(endpoint.requests[0]) == {"model", "messages", "seed"}


def total(replies: list[ChatReply]) -> Cost:
    return sum((reply.cost for reply in replies), Cost())


@pytest.mark.parametrize("n", [1, 3, 7])
def test_tokens_of_a_request_are_counted_once(n: int) -> None:
    with after() as endpoint:
        cost = total(ask(endpoint, n))
    assert (cost.prompt_tokens, cost.completion_tokens) == (100, 30)
    assert cost.seconds > 0


def test_usd_follow_from_the_prices() -> None:
    with after() as endpoint:
        cost = total(ask(endpoint, 4, price_prompt=2.0, price_completion=10.0))
    assert cost.usd == pytest.approx((100 * 2.0 + 30 * 10.0) / 1e6)


def test_usd_are_unknown_without_prices() -> None:
    with after() as endpoint:
        assert total(ask(endpoint, 2)).usd is None


def test_parallel_requests_are_each_paid_for() -> None:
    with Endpoint(one_at_a_time) as endpoint:
        assert total(ask(endpoint, 3)).tokens == 3 * 130


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_requests_are_open_than_allowed(limit: int) -> None:
    slow = lambda number, body: replace(one_at_a_time(number, body), delay=0.02)  # noqa: E731
    with Endpoint(slow) as endpoint:
        assert len(ask(endpoint, 8, concurrency=limit)) == 8
    assert endpoint.busiest == limit


def test_proposals_carry_program_model_and_cost() -> None:
    text = f"Faster:\n```cpp\n{program('speed 2.0')}```"
    tree = grown()
    with Endpoint(lambda *_: completion(text, "No.")) as endpoint:
        policy = chat_policy("openai:m", settings(endpoint, price_prompt=1.0, price_completion=1.0), Prompts())
        good, bad = asyncio.run(answers_of(policy, observe(tree, tree.root, frozenset()), 2, 0))
    assert good.candidate is not None
    assert good.candidate.files == {TASK.main_file: program("speed 2.0")}
    assert (good.model, good.cost.tokens, bad.cost.tokens) == ("openai:m", 115, 15)
    assert good.cost.usd == pytest.approx(115e-6)
    assert (bad.candidate, bad.problem) == (None, "the answer contains no code block")


def test_edits_are_asked_for_where_they_are_wanted() -> None:
    tree = grown()
    edit = "<<<<<<< SEARCH\n    int n = 0;\n=======\n    long n = 0;\n>>>>>>> REPLACE"
    with Endpoint(lambda *_: completion(edit)) as endpoint:
        policy = chat_policy("openai:m", settings(endpoint, answer="edits"), Prompts())
        (found,) = asyncio.run(answers_of(policy, observe(tree, tree.root, frozenset()), 1, 0))
    assert "SEARCH" in endpoint.requests[0]["messages"][1]["content"]
    assert found.candidate is not None
    assert "long n = 0;" in found.candidate.files[TASK.main_file]


class Unreliable:
    """Fails at random, by a seed and how often the same was asked; else answers programs, some without code."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._asked: Counter[str] = Counter()

    def __call__(self, _: int, body: Body) -> Response:
        key = content_hash(*(m["content"] for m in body["messages"]), str(body["seed"]), str(body.get("n", 1)))
        self._asked[key] += 1
        rng = random.Random(f"{self._seed}/{key}/{self._asked[key]}")
        if rng.random() < 0.5:
            return rng.choice(
                [
                    failure(429, retry_after="0.01"),
                    failure(500),
                    failure(503),
                    Response('{"choices": ['),
                    Response("<html>", headers={"content-type": "text/html"}),
                    wrong_shape([]),
                    Response(drop=True),
                    replace(completion("late"), delay=1.0),
                ]
            )
        if body.get("n", 1) > 1 and rng.random() < 0.2:
            return failure(400, "n must be 1")
        return completion(*(self._answer(rng) for _ in range(body.get("n", 1))))

    def _answer(self, rng: random.Random) -> str:
        says = rng.choice(["wrong", "broken", *[f"speed {rng.uniform(0.5, 3):.4f}"] * 5])
        code = program(says, f"number {rng.random()}")
        return rng.choice(["No.", *[f"Faster:\n```cpp\n{code}```"] * 8])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_search_survives_an_unreliable_endpoint_and_asks_nothing_twice(seed: int, tmp_path: Path) -> None:
    evals = 40
    with Store(f"sqlite:///{tmp_path / 'journal.db'}") as store, Endpoint(Unreliable(seed)) as endpoint:
        run = store.start("total", {}).run

        def once() -> tuple[Tree, Spent]:
            spent: list[Spent] = []
            parts = Parts(
                policy=chat_policy("openai:m", settings(endpoint, retries=30, timeout=0.5), Prompts()),
                evaluate=instant_evaluator,
                journal=store.open(run),
                critic=instant_parts().critic,
                watch=lambda _, now: spent.append(now),
            )
            tree = asyncio.run(search(TASK, strategy("cuda-llm+maxcode"), parts, budget=Budget(evals=evals))).tree
            return tree, spent[-1]

        first, spent = once()
        assert len(first) == evals + 1
        assert spent.evals == evals
        assert spent.cost.tokens > 0
        asked = len(endpoint.requests)
        assert asked > evals // 8
        again, _ = once()
        assert len(endpoint.requests) == asked
        assert shape(again) == shape(first)

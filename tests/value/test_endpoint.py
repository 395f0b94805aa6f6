"""A value model behind a real endpoint: log probabilities where it gives them, samples where it does not."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from maxcode.config import Config, ModelSettings
from maxcode.core import InputError, PolicyError
from maxcode.search.budget import Budget
from maxcode.value.endpoint import SAMPLES, ServedDescription, ServedPart
from maxcode.value.model import Charging, load_models, model_screen, model_value
from maxcode.value.state import State
from tests.policy.endpoint import Body, Endpoint, Response, failure
from tests.search.fakes import instant_parts
from tests.search.test_value import run

pytestmark = pytest.mark.usefixtures("quick_and_alone")


def state(text: str = "int main() {}", u: float = 1.25, masked: bool = False) -> State:
    return State(task="t", masked=masked, depth=2, u=u, reward=None if masked else 1.0, features={}, text=text)


def answer(text: str, logprobs: object = None) -> Response:
    choice = {"index": 0, "finish_reason": "length", "text": text, "logprobs": logprobs}
    usage = {"prompt_tokens": 200, "completion_tokens": 1, "total_tokens": 201}
    return Response(
        {"id": "x", "object": "text_completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    )


def listed(**shares: float) -> dict[str, object]:
    """In the form of completions; label k is named _k."""
    top = {name.removeprefix("_"): math.log(share) for name, share in shares.items()}
    return {"tokens": ["0"], "token_logprobs": [-0.1], "text_offset": [0], "top_logprobs": [top]}


def config(endpoint: Endpoint, *names: str, **changes: object) -> Config:
    settings = ModelSettings.model_validate({"base_url": endpoint.url, **changes})
    return Config(models=dict.fromkeys(names or ("m",), settings))


def scores(behaviour: Callable[[int, Body], Response], *states: State) -> tuple[list[float], list[Body]]:
    with Endpoint(behaviour) as endpoint:
        found = load_models("openai:m", config(endpoint)).state.scores(states or (state(),))
    return found, endpoint.requests


def test_the_expected_class_comes_from_the_log_probabilities_of_the_labels() -> None:
    found, requests = scores(lambda *_: answer("3", listed(_3=0.4, _1=0.2, the=0.3, _0=0.05)))
    assert found == pytest.approx([(3 * 0.4 + 0.2) / 0.65])
    (request,) = requests
    assert (request["model"], request["max_tokens"], request["logprobs"]) == ("m", 1, 20)
    assert request["prompt"].startswith("int main() {}\n## Question\nBest speedup on the path so far: 1.25; depth 2.")
    assert request["prompt"].endswith("Class=")


def test_the_form_of_chats_is_read_too() -> None:
    top = [{"token": " 4", "logprob": math.log(0.5)}, {"token": "0", "logprob": math.log(0.5)}]
    found, _ = scores(lambda *_: answer("4", {"content": [{"token": "4", "logprob": -0.7, "top_logprobs": top}]}))
    assert found == pytest.approx([2.0])


def test_an_endpoint_that_lists_few_tokens_is_asked_for_few() -> None:
    def few(_: int, body: Body) -> Response:
        return failure(400, "at most 5") if body["logprobs"] > 5 else answer("1", listed(_1=0.9, _2=0.1))

    found, requests = scores(few)
    assert found == pytest.approx([1.1])
    assert [request["logprobs"] for request in requests] == [20, 5]


def test_without_log_probabilities_answers_are_sampled() -> None:
    found, requests = scores(lambda number, _: answer("1" if number % 2 else " 3" if number else "0"))
    assert found == pytest.approx([2.0], abs=0.5)
    samples = requests[1:]
    assert len(samples) == SAMPLES
    assert {request["temperature"] for request in samples} == {0.7}
    assert len({request["seed"] for request in samples}) == SAMPLES


def test_an_answer_that_lists_nothing_is_charged_beside_the_samples() -> None:
    with Endpoint(lambda *_: answer("1")) as endpoint:
        model = load_models("openai:m", config(endpoint)).state
        assert isinstance(model, Charging)
        found = asyncio.run(model.scored([state()]))
    assert found.cost.prompt_tokens == 200 * (1 + SAMPLES)


def test_an_endpoint_that_does_not_count_is_charged_by_the_length_of_the_prompt() -> None:
    def uncounted(*_: object) -> Response:
        counted = answer("2", listed(_2=1.0)).body
        assert isinstance(counted, dict)
        return Response({**counted, "usage": None})

    with Endpoint(uncounted) as endpoint:
        model = load_models("openai:m", config(endpoint)).state
        assert isinstance(model, Charging)
        found = asyncio.run(model.scored([state(text="int x;\n" * 400)]))
    assert found.cost.prompt_tokens > 500


def test_a_model_that_says_no_class_is_no_value_model() -> None:
    with pytest.raises(PolicyError, match="says no class"):
        scores(lambda *_: answer("Sure"))
    with pytest.raises(PolicyError, match="lists no class"):
        scores(lambda *_: answer("Sure", listed(Sure=0.9, Of=0.1)))


def test_an_endpoint_that_fails_now_and_then_is_asked_again() -> None:
    found, _ = scores(lambda number, _: answer("2", listed(_2=1.0)) if number % 2 else failure(503))
    assert found == pytest.approx([2.0])


def test_states_are_asked_about_side_by_side_and_charged() -> None:
    def slow(_: int, body: Body) -> Response:
        del body
        return Response(answer("2", listed(_2=1.0)).body, delay=0.1)

    with Endpoint(slow) as endpoint:
        prices = {"price_prompt": 1.0, "price_completion": 2.0, "concurrency": 4}
        model = load_models("openai:m", config(endpoint, **prices)).state
        assert isinstance(model, Charging)
        found = asyncio.run(model.scored([state(u=1.0 + i) for i in range(8)]))
    assert endpoint.busiest == 4
    assert (found.cost.prompt_tokens, found.cost.completion_tokens) == (1600, 8)
    assert found.cost.usd == pytest.approx((1600 + 16) / 1e6)


def test_a_long_state_loses_its_beginning_never_the_question() -> None:
    _, requests = scores(lambda *_: answer("2", listed(_2=1.0)), state("x" * 50_000 + "end"))
    prompt = requests[0]["prompt"]
    assert len(prompt) <= 2048 * 3.5
    assert "xend\n## Question" in prompt


def test_two_names_are_two_models() -> None:
    with Endpoint(lambda *_: answer("2", listed(_2=1.0))) as endpoint:
        models = load_models("openai:a+b", config(endpoint, "a", "b"))
        models.state.scores([state()])
        models.screen.scores([state(masked=True)])
    assert [request["model"] for request in endpoint.requests] == ["a", "b"]
    assert "It has not been run yet." in endpoint.requests[1]["prompt"]
    for bad in ("openai:", "openai:a+"):
        with pytest.raises(InputError, match="use openai:MODEL"):
            load_models(bad)


def test_a_file_of_served_models_knows_what_classes_are_worth(tmp_path: Path) -> None:
    part = {"model": "m", "classes": {"means": [0.0, 0.1, 0.2, 0.3, 0.5]}}
    content = {"kind": "served", "state": part, "screen": part, "max_tokens": 256, "trained_on": ["t-1"]}
    (tmp_path / "served.json").write_text(json.dumps(content))
    with Endpoint(lambda *_: answer("4", listed(_4=1.0))) as endpoint:
        models = load_models(str(tmp_path / "served.json"), config(endpoint))
        assert models.state.scores([state()]) == pytest.approx([0.5])
    assert models.trained_on == {"t-1"}
    assert ServedDescription.model_validate(content).state == ServedPart.model_validate(part)


def test_a_search_is_served_by_an_endpoint() -> None:
    """Every state once, and what was read is in the budget."""
    from dataclasses import replace

    with Endpoint(lambda number, _: answer("2", listed(_2=0.5, _3=0.1 + number % 5 / 10))) as endpoint:
        models = load_models("openai:m", config(endpoint))
        parts = replace(instant_parts(), value=model_value(models), screen=model_screen(models))
        tree, spent = run("beam+maxcode+value", parts, Budget(evals=20), screen=0.5)
    assert len(tree) > 5
    assert spent.value.tokens == 201 * len(endpoint.requests)
    assert len({request["prompt"] for request in endpoint.requests}) == len(endpoint.requests)

"""Models by name: the real client against loopback servers that speak each provider's protocol."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from maxcode.config import Config, ModelSettings, load_config
from maxcode.core import Cost, InputError, PolicyError
from maxcode.critic.choose import CRITICS
from maxcode.policy.chat import Chat, ChatReply
from maxcode.policy.choose import models_of
from maxcode.policy.providers import OURS, PROVIDERS, price_of, require_key, require_prices, settings_of
from maxcode.policy.table import POLICIES
from maxcode.search.observe.observation import observe
from maxcode.search.observe.render import CHANGING, Prompts, render
from tests.policy.endpoint import Body, Endpoint, Response, completion, failure, message, streamed
from tests.search.fakes import grown

SECRET = "sk-very-secret"
QUESTION = [{"role": "system", "content": "You are fast."}, {"role": "user", "content": "Faster?"}]
KEYS = sorted({each.key_env for each in OURS.values()})
ASKED = ("anthropic", "gemini", "openrouter", "ollama")

pytestmark = pytest.mark.usefixtures("quick_and_alone")


@pytest.fixture
def keys(quick_and_alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    del quick_and_alone  # which takes keys away
    for name in KEYS:
        monkeypatch.setenv(name, SECRET)


def configured(spec: str, endpoint: Endpoint, **changes: object) -> ModelSettings:
    """The settings of a model, its provider's address being the endpoint's."""
    given = ModelSettings.model_validate({"base_url": endpoint.url, **changes})
    return settings_of(spec, Config(models={spec: given}))


def ask(spec: str, endpoint: Endpoint, n: int = 1, **changes: object) -> list[ChatReply]:
    return asyncio.run(Chat(spec, configured(spec, endpoint, **changes)).ask(QUESTION, n, 5))


def fine(name: str) -> Response:
    """A good answer in the provider's protocol."""
    return message("fine") if OURS[name].protocol == "messages" else completion("fine")


def total(replies: list[ChatReply]) -> Cost:
    return sum((reply.cost for reply in replies), Cost())


def test_every_provider_is_a_policy_and_a_critic() -> None:
    assert set(PROVIDERS) <= set(POLICIES)
    assert set(PROVIDERS) <= set(CRITICS)
    assert all(POLICIES[name].endpoint and CRITICS[name].endpoint for name in PROVIDERS)
    assert models_of("0.5*anthropic:a + 0.5*rewrite") == ["anthropic:a"]


@pytest.mark.parametrize(
    ("spec", "address", "key"),
    [
        ("anthropic:m", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
        ("gemini:m", "https://generativelanguage.googleapis.com/v1beta/openai/", "GEMINI_API_KEY"),
        ("openrouter:a/m", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        ("ollama:qwen:7b", "http://localhost:11434/v1", "OLLAMA_API_KEY"),
        ("vllm:http://gpu:8000/v1", "http://gpu:8000/v1", "VLLM_API_KEY"),
        ("vllm:http://gpu:8000/v1#big", "http://gpu:8000/v1", "VLLM_API_KEY"),
        ("openai:m", None, "OPENAI_API_KEY"),
    ],
)
def test_addresses_and_keys_are_known(spec: str, address: str | None, key: str) -> None:
    found = settings_of(spec, Config())
    assert (found.base_url, found.api_key_env) == (address, key)


@pytest.mark.parametrize("name", ["anthropic:claude-sonnet-4-5", "claude-sonnet-4-5"])
def test_what_the_user_says_comes_before_what_the_provider_has(name: str) -> None:
    given = ModelSettings(base_url="http://proxy/v1", api_key_env="MY_KEY", together=True, price_prompt=7.0)
    found = settings_of("anthropic:claude-sonnet-4-5", Config(models={name: given}))
    assert (found.base_url, found.api_key_env, found.together) == ("http://proxy/v1", "MY_KEY", True)
    assert (found.price_prompt, found.price_completion) == (7.0, 15.0)


@pytest.mark.parametrize("spec", ["anthropic:m", "gemini:m", "openrouter:m", "openai:m"])
def test_a_missing_key_is_an_error_before_anything_starts(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = settings_of(spec, Config()).api_key_env
    with pytest.raises(InputError, match=f"{spec}: no key. Set {variable}"):
        require_key(spec, settings_of(spec, Config()))
    monkeypatch.setenv(variable, SECRET)
    require_key(spec, settings_of(spec, Config()))


@pytest.mark.parametrize("spec", ["ollama:m", "vllm:http://gpu:8000/v1"])
def test_servers_of_one_s_own_need_no_key(spec: str) -> None:
    require_key(spec, settings_of(spec, Config()))


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("spec", [*(f"{name}:m" for name in OURS if name != "vllm"), "openrouter:anthropic/m"])
def test_every_provider_answers_with_tokens_and_its_key(spec: str) -> None:
    name, _, model = spec.partition(":")
    with Endpoint(lambda *_: fine(name)) as endpoint:
        (reply,) = ask(spec, endpoint)
    assert (reply.text, reply.cost.prompt_tokens, reply.cost.completion_tokens) == ("fine", 100, 30)
    own = OURS[name].protocol == "messages"
    assert (endpoint.headers[0]["x-api-key"] if own else endpoint.keys[0]) == (SECRET if own else f"Bearer {SECRET}")
    assert endpoint.paths == ["/v1/messages" if own else "/v1/chat/completions"]
    assert endpoint.requests[0]["model"] == model


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("name", ASKED)
def test_several_answers_come_from_endpoints_that_ignore_n(name: str) -> None:
    with Endpoint(lambda *_: fine(name)) as endpoint:
        assert [reply.text for reply in ask(f"{name}:m", endpoint, 3)] == ["fine"] * 3
    assert len(endpoint.requests) == 3
    assert all("n" not in request for request in endpoint.requests[1:])


@pytest.mark.timing
@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("status", [429, 500, 529])
def test_rate_limits_and_overload_are_waited_for(name: str, status: int) -> None:
    busy = failure(status, "busy", retry_after="0.05")
    started = time.monotonic()
    with Endpoint(lambda number, _: busy if number < 2 else fine(name)) as endpoint:
        assert [reply.text for reply in ask(f"{name}:m", endpoint)] == ["fine"]
    assert len(endpoint.requests) == 3
    assert time.monotonic() - started >= 0.1


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("status", [400, 401, 404])
def test_errors_are_told_without_the_key(name: str, status: int) -> None:
    said = Response({"type": "error", "error": {"type": "x", "message": f"no such thing, {SECRET}"}}, status)
    with Endpoint(lambda *_: said) as endpoint, pytest.raises(PolicyError, match="no such thing") as error:
        ask(f"{name}:m", endpoint)
    assert len(endpoint.requests) == 1
    assert SECRET not in str(error.value)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    "body", ["null", "[]", "{}", '{"content": 7}', '{"content": [{"type": "thinking"}]}', '{"content": [{}]}']
)
def test_messages_that_are_none_are_asked_for_again(body: str) -> None:
    with Endpoint(lambda number, _: message("fine") if number else Response(body)) as endpoint:
        assert [reply.text for reply in ask("anthropic:m", endpoint)] == ["fine"]


@pytest.mark.parametrize("word", ["temperature", "seed"])
def test_a_setting_that_a_model_refuses_is_left_out(word: str) -> None:
    def behaviour(_: int, body: Body) -> Response:
        return failure(400, f"Unsupported parameter: '{word}'") if word in body else completion("fine")

    with Endpoint(behaviour) as endpoint:
        assert [reply.text for reply in ask("openai:m", endpoint, 2)] == ["fine", "fine"]
    assert word not in endpoint.requests[-1]


def test_a_stream_is_put_together_with_its_tokens() -> None:
    usage = {"prompt_tokens": 70, "completion_tokens": 20, "total_tokens": 90}
    with Endpoint(lambda *_: streamed("one answer", "another", usage=usage)) as endpoint:
        replies = ask("openai:m", endpoint, 2, stream=True)
    assert [reply.text for reply in replies] == ["one answer", "another"]
    assert (total(replies).prompt_tokens, total(replies).completion_tokens) == (70, 20)
    assert endpoint.requests[0]["stream_options"] == {"include_usage": True}


def test_a_stream_that_is_cut_short_is_asked_for_again() -> None:
    with Endpoint(lambda number, _: streamed("whole" if number else "half", ends=bool(number))) as endpoint:
        assert [reply.text for reply in ask("openai:m", endpoint, stream=True)] == ["whole"]
    assert len(endpoint.requests) == 2


def test_a_server_that_is_known_by_its_address_is_asked_for_its_model() -> None:
    with Endpoint(lambda *_: completion("fine")) as endpoint:
        for spec, model in ((f"vllm:{endpoint.url}", "served"), (f"vllm:{endpoint.url}#big", "big")):
            asyncio.run(Chat(spec, settings_of(spec, Config())).ask(QUESTION, 1, 0))
            assert endpoint.requests[-1]["model"] == model


@pytest.mark.usefixtures("keys")
def test_what_is_the_same_in_all_prompts_is_marked_to_be_kept() -> None:
    tree = grown((0, 2.0, 1), (0, 3.0, 1))
    with Endpoint(lambda *_: message("fine")) as endpoint:
        for node in tree:
            messages = render(observe(tree, node, frozenset({"best"})), Prompts())
            asyncio.run(Chat("anthropic:m", configured("anthropic:m", endpoint)).ask(messages, 1, 0))
    parts = [request["messages"][0]["content"] for request in endpoint.requests]
    assert len({stable["text"] for stable, _ in parts}) == 1
    assert all(changing["text"].startswith(CHANGING) for _, changing in parts)
    assert all(part["cache_control"] == {"type": "ephemeral"} for both in parts for part in both)


@pytest.mark.usefixtures("keys")
def test_of_several_answers_the_first_comes_alone_so_that_the_others_find_its_prompt_kept() -> None:
    asked: list[float] = []

    def behaviour(number: int, _: Body) -> Response:
        asked.append(time.monotonic())
        return Response(message("fine").body, delay=0.0 if number else 0.2)

    with Endpoint(behaviour) as endpoint:
        assert len(ask("anthropic:m", endpoint, 3)) == 3
    assert asked[1] - asked[0] >= 0.2


@pytest.mark.usefixtures("keys")
def test_kept_tokens_are_counted_and_cheaper() -> None:
    usage = {"input_tokens": 100, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 200}
    with Endpoint(lambda *_: message("fine", output_tokens=10, **usage)) as endpoint:
        cost = total(ask("anthropic:claude-sonnet-4-5-20250929", endpoint))
    assert (cost.prompt_tokens, cost.cached_tokens, cost.completion_tokens) == (1300, 1000, 10)
    assert cost.usd == pytest.approx((300 * 3.0 + 200 * 0.25 * 3.0 + 1000 * 0.3 + 10 * 15.0) / 1e6)


def test_kept_tokens_of_chat_completions_are_counted() -> None:
    body = completion("fine").body
    assert isinstance(body, dict)
    usage = {**body["usage"], "prompt_tokens_details": {"cached_tokens": 60}}
    with Endpoint(lambda *_: Response({**body, "usage": usage})) as endpoint:
        cost = total(ask("openai:gpt-4.1", endpoint))
    assert cost.cached_tokens == 60
    assert cost.usd == pytest.approx((40 * 2.0 + 60 * 0.5 + 30 * 8.0) / 1e6)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(("effort", "sent"), [(None, None), ("low", 2048), ("high", 24_576)])
def test_effort_becomes_tokens_to_think_where_the_protocol_wants_them(effort: str | None, sent: int | None) -> None:
    with Endpoint(lambda *_: message("fine")) as endpoint:
        ask("anthropic:m", endpoint, reasoning_effort=effort, max_tokens=1000)
    (request,) = endpoint.requests
    assert request.get("thinking", {}).get("budget_tokens") == sent
    assert request["max_tokens"] == 1000 + (sent or 0)
    assert ("temperature" in request) == (sent is None)


def test_prices_are_known_by_name_also_with_a_date() -> None:
    plain = price_of("anthropic:claude-3-7-sonnet", Config())
    assert plain is not None
    assert (plain.prompt, plain.completion) == (3.0, 15.0)
    assert price_of("anthropic:claude-3-7-sonnet-20250219", Config()) == plain
    assert price_of("anthropic:claude-3-7-sonnet-latest", Config()) == plain
    assert price_of("anthropic:claude-3-7-sonnet-mini", Config()) is None
    assert price_of("ollama:m", Config()) is None


def test_prices_of_the_user_come_first(tmp_path: Path) -> None:
    file = tmp_path / "maxcode.toml"
    file.write_text('[prices."openai:gpt-4.1"]\nprompt = 1.0\ncompletion = 2.0\n')
    found = settings_of("openai:gpt-4.1", load_config(file))
    assert (found.price_prompt, found.price_completion) == (1.0, 2.0)


def test_a_limit_in_usd_takes_a_price() -> None:
    require_prices(("openai:gpt-4.1", "anthropic:claude-sonnet-4-5"), Config())
    with pytest.raises(InputError, match=r'--max-usd: ollama:m has no price.*\[prices."ollama:m"\]'):
        require_prices(("openai:gpt-4.1", "ollama:m"), Config())


def test_a_prompt_stays_within_the_context_of_its_model(tmp_path: Path) -> None:
    file = tmp_path / "maxcode.toml"
    file.write_text('[models."ollama:small"]\ncontext = 8000\n')
    assert settings_of("ollama:small", load_config(file)).prompt_budget == 6000
    assert settings_of("openai:gpt-4.1", Config()).prompt_budget == ModelSettings().prompt_budget

"""`maxcode models`: what is listed, and what a tiny question tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maxcode.cli.main import app
from maxcode.policy.providers import OURS
from tests.policy.endpoint import Endpoint, completion, failure


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    for provider in OURS.values():
        monkeypatch.delenv(provider.key_env, raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def maxcode(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_providers_and_configured_models_are_listed_with_keys_and_prices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret-key")
    (tmp_path / "maxcode.toml").write_text('[models."ollama:small"]\ncontext = 8000\n[models.mine]\n')
    done = maxcode("models", "--json")
    assert done.exit_code == 0, done.output
    rows = {row["model"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert {f"{name}:MODEL" for name in OURS} - set(rows) == {"vllm:MODEL"}
    assert rows["gemini:MODEL"]["key"] == "GEMINI_API_KEY is set"
    assert rows["anthropic:MODEL"]["key"] == "ANTHROPIC_API_KEY is missing"
    assert rows["ollama:small"]["context"] == 8000
    assert "openai:mine" in rows
    assert rows["anthropic:claude-sonnet-4-5"]["USD per million tokens"] == "3 (0.3 kept), 15"
    assert "secret-key" not in done.stdout
    assert "anthropic:claude-sonnet-4-5" in maxcode("models").stdout


def test_a_tiny_question_tells_answer_tokens_and_price() -> None:
    with Endpoint(lambda *_: completion("hash table")) as endpoint:
        done = maxcode("models", "test", f"vllm:{endpoint.url}")
    assert done.exit_code == 0, done.output
    assert "'hash table'" in done.stdout
    assert "100 + 30 tokens, price not known: --max-usd is refused" in done.stdout


def test_what_cannot_be_asked_is_an_error() -> None:
    assert "anthropic:m: no key. Set ANTHROPIC_API_KEY" in maxcode("models", "test", "anthropic:m").stderr
    assert "name a model" in maxcode("models", "test").stderr
    assert "use PROVIDER:MODEL" in maxcode("models", "test", "nobody:m").stderr
    with Endpoint(lambda *_: failure(404, "no such model")) as endpoint:
        done = maxcode("models", "test", f"vllm:{endpoint.url}#m")
    assert done.exit_code != 0
    assert "no such model" in done.stderr


@pytest.mark.parametrize("spec", ["anthropic:m", "gemini:m", "openrouter:m"])
def test_a_search_without_a_key_does_not_begin(spec: str) -> None:
    done = maxcode("optimize", "nowhere", "--policy", spec)
    assert done.exit_code == 2
    assert f"{spec}: no key. Set {OURS[spec.partition(':')[0]].key_env}" in done.stderr


def test_a_limit_in_usd_without_a_price_is_refused_with_the_way_to_give_one() -> None:
    done = maxcode("optimize", "nowhere", "--policy", "ollama:m", "--max-usd", "1")
    assert done.exit_code == 2
    assert '[prices."ollama:m"]' in done.stderr

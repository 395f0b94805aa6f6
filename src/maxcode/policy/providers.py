"""Providers of models by name: where their endpoint is, which variable holds the key, and how it wants to be asked.

`PROVIDER:MODEL` names a model everywhere: `anthropic:claude-sonnet-4-5`, `ollama:qwen3-coder`, `vllm:http://host:8000/v1`.
A package adds one by the entry point `maxcode.providers`, a `Provider`.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from maxcode.config import Config, ModelSettings, Price, ProtocolName
from maxcode.core import InputError
from maxcode.plugins import PluginTable, table

_DATED = re.compile(r"-(latest|\d{8}|\d{4}-\d{2}-\d{2})$")
ROOM_TO_ANSWER = 0.25
"""Share of a model's context that prompts leave free."""


@dataclass(frozen=True)
class Provider:
    """How the models of one provider are reached."""

    about: str
    base_url: str | None = None
    """Address of its endpoint; None where the name of a model is an address."""
    key_env: str = ""
    """Variable that holds the key."""
    needs_key: bool = True
    protocol: ProtocolName = "chat"
    several: bool = True
    """Whether one request can have several answers."""
    takes_seeds: bool = True
    """Whether a request may have a seed."""
    marks: str | None = None
    """Pattern of models for which requests mark what the endpoint should keep; others keep prompts by themselves."""


OURS: dict[str, Provider] = {
    "openai": Provider("any compatible endpoint (OPENAI_BASE_URL, or base_url in the config)", None, "OPENAI_API_KEY"),
    "anthropic": Provider(
        "Anthropic, by its own protocol: the compatible one keeps no prompts",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        protocol="messages",
        several=False,
        takes_seeds=False,
        marks=".*",
    ),
    "gemini": Provider(
        "Google, by its compatible endpoint",
        "https://generativelanguage.googleapis.com/v1beta/openai/",
        "GEMINI_API_KEY",
        takes_seeds=False,
    ),
    "openrouter": Provider(
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        several=False,
        marks="anthropic/.*",
    ),
    "ollama": Provider(
        "Ollama on this machine", "http://localhost:11434/v1", "OLLAMA_API_KEY", needs_key=False, several=False
    ),
    "vllm": Provider("a vLLM server: vllm:URL, or vllm:URL#MODEL", None, "VLLM_API_KEY", needs_key=False),
}
PROVIDERS: PluginTable[Provider] = table("maxcode.providers", OURS, Provider)
ADDRESSED = "vllm"


def settings_of(spec: str, config: Config) -> ModelSettings:
    """Settings of the model `PROVIDER:MODEL`: the user's, then the provider's, then those of the table of prices."""
    name, _, model = spec.partition(":")
    given = config.models.get(spec) or config.models.get(model) or ModelSettings()
    if name not in PROVIDERS:  # a policy of somebody else's package
        return given
    provider = PROVIDERS[name]
    usual = {**_reached(provider, name, model), **_priced(spec, config)}
    found = given.model_copy(update={k: v for k, v in usual.items() if k not in given.model_fields_set})
    if found.context is None:
        return found
    room = int(found.context * (1 - ROOM_TO_ANSWER))
    return found.model_copy(update={"prompt_budget": min(found.prompt_budget, room)})


def _reached(provider: Provider, name: str, model: str) -> dict[str, Any]:
    """Settings by which a provider's model is reached."""
    address, _, chosen = model.partition("#") if name == ADDRESSED else ("", "", "")
    return {
        "base_url": address or provider.base_url,
        "api_key_env": provider.key_env,
        "needs_key": provider.needs_key and (provider.base_url is not None),
        "protocol": provider.protocol,
        "together": provider.several,
        "takes_seeds": provider.takes_seeds,
        "marks": provider.marks is not None and re.fullmatch(provider.marks, model) is not None,
        "model": chosen if name == ADDRESSED else model,
    }


def _priced(spec: str, config: Config) -> dict[str, Any]:
    price = price_of(spec, config)
    if price is None:
        return {}
    return {
        "price_prompt": price.prompt,
        "price_completion": price.completion,
        "price_cached": price.cached,
        "context": price.context,
    }


def price_of(spec: str, config: Config) -> Price | None:
    """Price of a model by the user's `[prices]`, then by our table; a dated name may stand there without its date."""
    plain = _DATED.sub("", spec)
    return next((known[each] for known in (config.prices, _kept()) for each in (spec, plain) if each in known), None)


def known_models(config: Config) -> list[str]:
    """Names of the models whose prices are known."""
    return sorted({*config.prices, *_kept()})


@cache
def _kept() -> dict[str, Price]:
    content = tomllib.loads((Path(__file__).parent / "prices.toml").read_text())
    return {name: Price.model_validate(fields) for name, fields in content["models"].items()}


def require_key(spec: str, settings: ModelSettings) -> None:
    """InputError where a key is needed and is not there; nothing is asked before."""
    has_key = settings.api_key_env in os.environ
    address = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    if has_key or (address and not settings.needs_key):
        return
    otherwise = ", or base_url in the config (or OPENAI_BASE_URL) for an endpoint that needs none"
    raise InputError(f"{spec}: no key. Set {settings.api_key_env}{'' if settings.needs_key else otherwise}.")


def require_prices(specs: tuple[str, ...], config: Config) -> None:
    """InputError where a limit in USD could not be kept, because a price is not known."""
    for spec in specs:
        if not settings_of(spec, config).has_prices:
            raise InputError(
                f"--max-usd: {spec} has no price, so nothing would stop the run. Put prompt and completion (USD per "
                f'million tokens) under [prices."{spec}"] in maxcode.toml, or use --max-tokens.'
            )

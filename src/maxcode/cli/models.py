"""`maxcode models`: which models can be named, and what one answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from maxcode.cli.console import out, print_json, print_table
from maxcode.config import Config, ModelSettings, load_config
from maxcode.core import InputError
from maxcode.policy.chat import Chat
from maxcode.policy.providers import ADDRESSED, PROVIDERS, known_models, require_key, settings_of

QUESTION = [
    {"role": "system", "content": "You answer in one word."},
    {"role": "user", "content": "Which is faster to look up in: a hash table or a list?"},
]
COLUMNS = ("model", "endpoint", "key", "USD per million tokens", "context")


def run(action: str | None, name: str | None, *, config_file: Path | None, as_json: bool) -> None:
    config = load_config(config_file)
    if action is None:
        _list(config, as_json)
    elif name is None:
        raise InputError("maxcode models test: name a model, PROVIDER:MODEL.")
    else:
        _test(name, config, as_json)


def _list(config: Config, as_json: bool) -> None:
    rows = list(_rows(config))
    if as_json:
        for row in rows:
            print_json(row)
        return
    print_table(COLUMNS, [[str(row[column] or "") for column in COLUMNS] for row in rows], left=COLUMNS[:3])
    out.print("[dim]`maxcode models test PROVIDER:MODEL` asks one a tiny question.[/]", soft_wrap=True)


def _rows(config: Config) -> Iterator[dict[str, Any]]:
    """Providers with any of their models, then the configured models, then those with known prices."""
    named = [each if each.partition(":")[0] in PROVIDERS else f"openai:{each}" for each in config.models]
    anyone = [f"{provider}:{'URL' if provider == ADDRESSED else 'MODEL'}" for provider in PROVIDERS]
    for name in [*anyone, *dict.fromkeys([*named, *known_models(config)])]:
        settings = settings_of(name, config)
        yield {
            "model": name,
            "endpoint": settings.base_url or os.environ.get("OPENAI_BASE_URL") or "OpenAI",
            "key": _key(settings),
            "USD per million tokens": _prices(settings),
            "context": settings.context,
        }


def _key(settings: ModelSettings) -> str:
    there = settings.api_key_env in os.environ
    return f"{settings.api_key_env} {'is set' if there else 'is missing' if settings.needs_key else 'is not set'}"


def _prices(settings: ModelSettings) -> str:
    if not settings.has_prices:
        return ""
    cached = f" ({settings.price_cached:g} kept)" if settings.price_cached is not None else ""
    return f"{settings.price_prompt:g}{cached}, {settings.price_completion:g}"


def _test(name: str, config: Config, as_json: bool) -> None:
    if name.partition(":")[0] not in PROVIDERS or not name.partition(":")[2]:
        raise InputError(f"maxcode models test {name}: use PROVIDER:MODEL, with one of: {', '.join(PROVIDERS)}.")
    settings = settings_of(name, config)
    require_key(name, settings)
    (reply,) = asyncio.run(Chat(name, settings.model_copy(update={"retries": 0})).ask(QUESTION, 1, 0))
    cost = reply.cost
    if as_json:
        print_json({"model": name, "answer": reply.text, **cost.model_dump()})
        return
    usd = f"{cost.usd:.6f} USD" if cost.usd is not None else "price not known: --max-usd is refused"
    out.print(f"{name}: {reply.text.strip()[:200]!r}", markup=False, soft_wrap=True)
    out.print(f"{cost.seconds:.1f} s, {cost.prompt_tokens} + {cost.completion_tokens} tokens, {usd}", soft_wrap=True)

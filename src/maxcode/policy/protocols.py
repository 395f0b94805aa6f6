"""The two ways in which endpoints are asked: chat completions, which most speak, and Anthropic's messages.

Both go through the SDK's client, so bounds, errors and time limits are the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from maxcode.config import ModelSettings, ProtocolName
from maxcode.core import Frozen
from maxcode.policy.bounds import count
from maxcode.search.observe.fitting import tokens
from maxcode.search.observe.render import CHANGING, Message

if TYPE_CHECKING:
    from openai import AsyncOpenAI

LONGEST_ANSWER = 16_000
"""Tokens of an answer where a protocol must be told and the settings do not say it."""
THINKING = {"low": 2_048, "medium": 8_192, "high": 24_576}
"""Tokens that a model may think by its effort, where the protocol wants a number."""
KEEP = {"cache_control": {"type": "ephemeral"}}
WRITTEN = 0.25
"""What keeping a prompt costs on top, as a share of its price."""


class ModelAnswers(Frozen):
    """Answers to one request, and what they took."""

    texts: tuple[str, ...]
    read: int
    written: int
    cached: int = 0
    """Tokens among those read that the endpoint had kept."""
    kept: int = 0
    """Tokens among those read that the endpoint was paid to keep."""


Ask = Callable[["AsyncOpenAI", str, ModelSettings, list[Message], int, int, dict[str, Any]], Awaitable[ModelAnswers]]


async def ask_chat(
    client: AsyncOpenAI,
    model: str,
    settings: ModelSettings,
    messages: list[Message],
    n: int,
    seed: int,
    extra: dict[str, Any],
) -> ModelAnswers:
    """Chat completions. ValueError where the answer is none."""
    optional = {
        "temperature": settings.temperature,
        "reasoning_effort": settings.reasoning_effort,
        "max_tokens": settings.max_tokens,
        "seed": seed % 2**31 if settings.takes_seeds else None,
        "n": n if n > 1 else None,
        "extra_body": settings.extra or None,
    }
    body = {name: value for name, value in optional.items() if value is not None} | extra
    said = [marked(each) for each in messages] if settings.marks else messages
    create: Any = client.chat.completions.create
    if settings.stream:
        options: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
        pieces = await create(model=model, messages=said, **options, **body)
        return await _streamed(pieces, messages, n)
    answer = await create(model=model, messages=said, **body)
    choices = getattr(answer, "choices", None)
    if not choices:
        raise ValueError("the answer has no choices")
    texts = tuple(choice.message.content or "" for choice in choices[:n])
    return _counted(texts, messages, getattr(answer, "usage", None))


async def _streamed(pieces: Any, messages: list[Message], n: int) -> ModelAnswers:
    """Answers that come piece by piece; cut short, they are none."""
    texts: dict[int, str] = {}
    usage, ended = None, set[int]()
    async for piece in pieces:
        usage = getattr(piece, "usage", None) or usage
        for choice in getattr(piece, "choices", None) or ():
            texts[choice.index] = texts.get(choice.index, "") + (choice.delta.content or "")
            if choice.finish_reason:
                ended.add(choice.index)
    if not texts or ended != set(texts):
        raise ValueError("the stream ended before the answer did")
    return _counted(tuple(texts[i] for i in sorted(texts))[:n], messages, usage)


def _counted(texts: tuple[str, ...], messages: list[Message], usage: Any) -> ModelAnswers:
    details = getattr(usage, "prompt_tokens_details", None)
    read = count(getattr(usage, "prompt_tokens", None), tokens("".join(each["content"] for each in messages)))
    written = count(getattr(usage, "completion_tokens", None), tokens("".join(texts)))
    return ModelAnswers(
        texts=texts, read=read, written=written, cached=min(count(getattr(details, "cached_tokens", None), 0), read)
    )


async def ask_messages(
    client: AsyncOpenAI,
    model: str,
    settings: ModelSettings,
    messages: list[Message],
    n: int,
    seed: int,
    extra: dict[str, Any],
) -> ModelAnswers:
    """Anthropic's messages, one answer to a request. ValueError where the answer is none."""
    del n, seed
    system, *said = messages
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": settings.max_tokens or LONGEST_ANSWER,
        "system": system["content"],
        "messages": [marked(each) for each in said] if settings.marks else said,
    }
    if settings.reasoning_effort is not None:  # a model that thinks takes no temperature
        budget = THINKING.get(settings.reasoning_effort, THINKING["medium"])
        body |= {"thinking": {"type": "enabled", "budget_tokens": budget}, "max_tokens": body["max_tokens"] + budget}
    elif settings.temperature is not None:
        body["temperature"] = settings.temperature
    answer = await client.post("/messages", cast_to=object, body={**body, **settings.extra, **extra})
    return _read_messages(answer, messages)


def _read_messages(answer: Any, messages: list[Message]) -> ModelAnswers:
    parts = [part for part in answer["content"] if part["type"] == "text"]
    if not parts and answer.get("stop_reason") != "max_tokens":
        raise ValueError("the answer has no text")
    text, usage = "".join(str(part["text"]) for part in parts), answer.get("usage") or {}
    cached = count(usage.get("cache_read_input_tokens"), 0)
    kept = count(usage.get("cache_creation_input_tokens"), 0)
    fresh = count(usage.get("input_tokens"), 0)
    read = fresh + cached + kept or tokens("".join(each["content"] for each in messages))
    written = count(usage.get("output_tokens"), tokens(text))
    return ModelAnswers(texts=(text,), read=read, written=written, cached=cached, kept=kept)


def marked(message: Message) -> dict[str, Any]:
    """The message in parts that the endpoint is to keep: what all prompts of a search begin with, and all of it."""
    stable, line, rest = message["content"].partition(f"\n\n{CHANGING}\n")
    parts = [stable, f"{CHANGING}\n{rest}"] if line else [stable]
    return {"role": message["role"], "content": [{"type": "text", "text": part, **KEEP} for part in parts]}


PROTOCOLS: dict[ProtocolName, Ask] = {"chat": ask_chat, "messages": ask_messages}


def headers(protocol: ProtocolName, key: str) -> dict[str, str]:
    """What requests of a protocol have beside the usual headers."""
    return {"x-api-key": key, "anthropic-version": "2023-06-01"} if protocol == "messages" else {}

"""Asking a chat model over the openai SDK: any compatible endpoint, patiently, with its cost counted."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import quote, urlsplit

from maxcode.config import ModelSettings
from maxcode.core import Cost, Frozen, InputError, PolicyError
from maxcode.policy.bounds import count, pause_of, printable, reason
from maxcode.search.observe.fitting import tokens
from maxcode.search.observe.render import Message

if TYPE_CHECKING:
    from openai import AsyncOpenAI

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
SHORTEST_SECRET = 6
"""Characters of the shortest secret that is masked: a shorter one is a placeholder, and occurs in other words."""
NOT_AS_IT_SHOULD_BE = (ValueError, AttributeError, TypeError, LookupError, RecursionError)
"""Exceptions raised when an answer is not the JSON that it should be."""
Answer = TypeVar("Answer")


class ChatReply(Frozen):
    text: str
    cost: Cost


class NotAccepted(PolicyError):
    """The endpoint understands the request, and does not do what it asks for."""


class Chat:
    """One model. Samples come in one request where the endpoint can and should, else in parallel ones."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self.name = name
        self._settings = settings
        self._several = settings.together
        """Whether the endpoint gives, and should give, several answers to one request, as far as is known."""
        self._places = asyncio.Semaphore(settings.concurrency)
        self._client: AsyncOpenAI | None = None

    async def ask(self, messages: list[Message], n: int, seed: int, **extra: Any) -> list[ChatReply]:
        """n replies. PolicyError when the endpoint refuses or stays out of reach."""
        return [reply async for reply in self.each(messages, n, seed, **extra)]

    async def each(self, messages: list[Message], n: int, seed: int, **extra: Any) -> AsyncIterator[ChatReply]:
        """n replies, each as soon as it is complete."""
        replies = await self._request(messages, n, seed, extra) if self._several or n == 1 else []
        for reply in replies:
            yield reply
        missing = range(len(replies), n)
        self._several = self._several and not missing
        alone = [asyncio.create_task(self._request(messages, 1, seed + i, extra)) for i in missing]
        try:
            for done in asyncio.as_completed(alone):
                for reply in await done:
                    yield reply
        finally:
            for request in alone:
                request.cancel()

    async def complete(self, prompt: str, seed: int, **body: Any) -> tuple[Any, Cost]:
        """The endpoint's whole answer to a bare prompt, for callers that read more than its text.

        NotAccepted when it does not do what `body` asks for; PolicyError otherwise, as for a chat.
        """

        async def once() -> tuple[Any, Cost]:
            started = time.monotonic()
            answer = await self._connected().completions.create(
                model=self._settings.model or self.name, prompt=prompt, seed=seed % 2**31, **body
            )
            if not getattr(answer, "choices", None):
                raise ValueError("the answer has no choices")
            read, written = _used(answer, prompt, answer.choices[0].text or "")
            return answer, self._cost(read, written, time.monotonic() - started)

        return await self._patiently(once, seed)

    async def _request(self, messages: list[Message], n: int, seed: int, extra: dict[str, Any]) -> list[ChatReply]:
        try:
            return await self._patiently(lambda: self._once(messages, n, seed, extra), seed)
        except NotAccepted:
            if n > 1:
                return []  # some endpoints give one answer at a time
            raise

    async def _patiently(self, once: Callable[[], Awaitable[Answer]], seed: int) -> Answer:
        """Result of a request, which is repeated where that may help."""
        import openai

        pause = FIRST_PAUSE
        rng = random.Random(seed)
        problem = ""
        for attempt in range(self._settings.retries + 1):
            try:
                async with self._places, asyncio.timeout(self._settings.timeout):
                    return await once()
            except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
                raise PolicyError(f"{self.name}: the endpoint refuses: {self._words(error)}. {self._where()}") from None
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                raise NotAccepted(
                    f"{self.name}: the endpoint does not accept the request: {self._words(error)}"
                ) from None
            except (TimeoutError, openai.APIError, *NOT_AS_IT_SHOULD_BE) as error:
                problem = self._words(error) or f"not done within {self._settings.timeout:g} s"
                if attempt == self._settings.retries:
                    break
                await asyncio.sleep(_wished(error) or min(pause * rng.uniform(0.5, 1.5), LONGEST_PAUSE))
                pause *= 2
        raise PolicyError(
            f"{self.name}: no answer after {self._settings.retries + 1} tries: {problem}. {self._where()}"
        )

    async def _once(self, messages: list[Message], n: int, seed: int, extra: dict[str, Any]) -> list[ChatReply]:
        settings, started = self._settings, time.monotonic()
        optional = {
            "temperature": settings.temperature,
            "reasoning_effort": settings.reasoning_effort,
            "max_tokens": settings.max_tokens,
            "n": n if n > 1 else None,
            "extra_body": settings.extra or None,
        }
        body = {name: value for name, value in optional.items() if value is not None} | extra
        answer = await self._connected().chat.completions.create(
            model=settings.model or self.name, messages=cast(Any, messages), seed=seed % 2**31, **body
        )
        choices = getattr(answer, "choices", None)
        if not choices:
            raise ValueError("the answer has no choices")
        seconds = time.monotonic() - started
        texts = [self._masked(choice.message.content or "") for choice in choices[:n]]
        prompt, completion = _used(answer, "".join(each["content"] for each in messages), "".join(texts))
        return [
            ChatReply(
                text=text,
                cost=self._cost(prompt if i == 0 else 0, _share(completion, i, len(texts)), seconds if i == 0 else 0.0),
            )
            for i, text in enumerate(texts)
        ]

    def _cost(self, prompt: int, completion: int, seconds: float) -> Cost:
        s = self._settings
        usd = None
        if s.price_prompt is not None and s.price_completion is not None:
            usd = (prompt * s.price_prompt + completion * s.price_completion) / 1e6
        return Cost(prompt_tokens=prompt, completion_tokens=completion, usd=usd, seconds=seconds)

    def _connected(self) -> AsyncOpenAI:
        """The SDK's client without retries, since ours also cover broken answers."""
        if self._client is None:
            from maxcode.policy.wire import client

            self._client = client(*way_to(self.name, self._settings), self._settings.timeout)
        return self._client

    def _words(self, error: Exception) -> str:
        return " ".join(self._masked(reason(error)).split())[:300]

    def _masked(self, text: str) -> str:
        """The text with keys and passwords masked: what an endpoint says goes to logs, journals and pages."""
        key, url = way_to(self.name, self._settings)
        secrets = [key, urlsplit(url or "").password or ""]
        text = printable(text)
        for secret in [form for each in secrets if len(each) >= SHORTEST_SECRET for form in (each, quote(each, ""))]:
            text = text.replace(secret, "***")
        return text

    def _where(self) -> str:
        return (
            f"Check OPENAI_BASE_URL, {self._settings.api_key_env} and the model's name; `maxcode resume` goes on later."
        )


def way_to(name: str, settings: ModelSettings) -> tuple[str, str | None]:
    """Key and address of a model's endpoint; InputError where there is neither."""
    key = os.environ.get(settings.api_key_env)
    url = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    if key is None and not url:
        raise InputError(
            f"openai:{name}: no key. Set {settings.api_key_env}, or base_url in the config "
            "(or OPENAI_BASE_URL) for an endpoint that needs none."
        )
    return key or "none", url


def _share(total: int, index: int, parts: int) -> int:
    """The index-th of `parts` shares of a total. The shares add up to the total."""
    return total * (index + 1) // parts - total * index // parts


def _used(answer: Any, prompt: str, completion: str) -> tuple[int, int]:
    """Tokens read and written."""
    used = getattr(answer, "usage", None)
    read, written = getattr(used, "prompt_tokens", None), getattr(used, "completion_tokens", None)
    return count(read, tokens(prompt)), count(written, tokens(completion))


def _wished(error: Exception) -> float | None:
    """Seconds that the endpoint asks us to wait, at most LONGEST_PAUSE; None where it does not say."""
    response = getattr(error, "response", None)
    return None if response is None else pause_of(response.headers.get("retry-after"), LONGEST_PAUSE)

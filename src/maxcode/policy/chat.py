"""Asking a chat model over the openai SDK: patiently, by the protocol of its endpoint, with its cost counted."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlsplit

from maxcode.config import ModelSettings
from maxcode.core import Cost, Frozen, PolicyError
from maxcode.policy.bounds import count, pause_of, printable, reason
from maxcode.policy.protocols import PROTOCOLS, WRITTEN, headers
from maxcode.policy.providers import require_key
from maxcode.search.observe.fitting import tokens
from maxcode.search.observe.render import Message

if TYPE_CHECKING:
    from openai import AsyncOpenAI

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
SHORTEST_SECRET = 6
"""Characters of the shortest secret that is masked: a shorter one is a placeholder, and occurs in other words."""
DISPENSABLE: dict[str, dict[str, object]] = {"temperature": {"temperature": None}, "seed": {"takes_seeds": False}}
"""Settings that some models refuse, by the word in the refusal, and the change that leaves them out."""
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
        first = n if self._several else 1 if n == 1 or self._settings.marks else 0  # what one has the endpoint keep
        replies = await self._request(messages, first, seed, extra) if first else []
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
                model=await self._model(), prompt=prompt, seed=seed % 2**31, **body
            )
            if not getattr(answer, "choices", None):
                raise ValueError("the answer has no choices")
            read, written = _used(answer, prompt, answer.choices[0].text or "")
            return answer, self._cost(read, written, time.monotonic() - started)

        return await self._patiently(once, seed)

    async def _request(
        self, messages: list[Message], n: int, seed: int, extra: dict[str, Any], *, again: bool = True
    ) -> list[ChatReply]:
        try:
            return await self._patiently(lambda: self._once(messages, n, seed, extra), seed)
        except NotAccepted as error:
            if n > 1:
                return []  # some endpoints give one answer at a time
            if again and self._gave_up(str(error)):
                return await self._request(messages, n, seed, extra, again=False)
            raise

    def _gave_up(self, said: str) -> bool:
        """Leaves out from now on what the endpoint does not accept, if a request can do without it."""
        refused = next((name for name in DISPENSABLE if name in said), None)
        if refused is not None:
            self._settings = self._settings.model_copy(update=DISPENSABLE[refused])
        return refused is not None

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
        started = time.monotonic()
        client, ask = self._connected(), PROTOCOLS[self._settings.protocol]
        answered = await ask(client, await self._model(), self._settings, messages, n, seed, extra)
        texts, seconds = answered.texts, time.monotonic() - started
        first = self._cost(answered.read, 0, seconds, cached=answered.cached, kept=answered.kept)
        return [
            ChatReply(
                text=self._masked(text),
                cost=self._cost(0, _share(answered.written, i, len(texts)), 0.0) + (Cost() if i else first),
            )
            for i, text in enumerate(texts)
        ]

    def _cost(self, read: int, written: int, seconds: float, *, cached: int = 0, kept: int = 0) -> Cost:
        s = self._settings
        usd = None
        if s.price_prompt is not None and s.price_completion is not None:
            of_cached = s.price_prompt if s.price_cached is None else s.price_cached
            prompt = (read - cached + WRITTEN * kept) * s.price_prompt + cached * of_cached
            usd = (prompt + written * s.price_completion) / 1e6
        return Cost(prompt_tokens=read, completion_tokens=written, cached_tokens=cached, usd=usd, seconds=seconds)

    async def _model(self) -> str:
        """The endpoint's name for the model; of a server that is known by its address alone, its first."""
        if self._settings.model == "":
            served = [each.id async for each in self._connected().models.list()]
            if not served:
                raise ValueError("the endpoint serves no model")
            self._settings = self._settings.model_copy(update={"model": served[0]})
        return self._settings.model or self.name

    def _connected(self) -> AsyncOpenAI:
        """The SDK's client without retries, since ours also cover broken answers."""
        if self._client is None:
            from maxcode.policy.wire import client

            key, url = way_to(self.name, self._settings)
            self._client = client(key, url, self._settings.timeout, headers(self._settings.protocol, key))
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
        """What to check when an endpoint cannot be asked."""
        places = f"its address (base_url, OPENAI_BASE_URL), {self._settings.api_key_env}"
        return f"Check {places} and the model's name; `maxcode resume` goes on later."


def way_to(name: str, settings: ModelSettings) -> tuple[str, str | None]:
    """Key and address of a model's endpoint; InputError where there is neither, or no key where one is needed."""
    require_key(name, settings)
    return os.environ.get(settings.api_key_env) or "none", settings.base_url or os.environ.get("OPENAI_BASE_URL")


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

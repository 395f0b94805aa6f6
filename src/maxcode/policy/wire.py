"""The one way to endpoints: the SDK's client, which reads a body in pieces and no further than a bound."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import httpx2

from maxcode.policy.bounds import BadBody

if TYPE_CHECKING:
    from openai import AsyncOpenAI

LONGEST_BODY = 16_000_000
"""Bytes of one answer of an endpoint, all samples together."""


class _Bounded(httpx2.AsyncByteStream):
    """Stream of a body that raises BadBody once it is longer than LONGEST_BODY."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > LONGEST_BODY:
                raise BadBody(f"the answer is longer than {LONGEST_BODY / 1e6:g} MB")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def client(key: str, url: str | None, timeout: float, headers: dict[str, str]) -> AsyncOpenAI:
    """The SDK's client, which reads no more than LONGEST_BODY; its own retries are off."""
    from openai import AsyncOpenAI, DefaultAsyncHttpx2Client

    return AsyncOpenAI(
        api_key=key,
        base_url=url,
        max_retries=0,
        timeout=timeout,
        default_headers={"Accept-Encoding": "identity", **headers},
        http_client=DefaultAsyncHttpx2Client(event_hooks={"response": [_bound]}),
    )


async def _bound(response: httpx2.Response) -> None:
    """Bounds the body of a response. BadBody if it is compressed: a small body could then expand to any size."""
    encoding = response.headers.get("content-encoding", "identity")
    if encoding.strip().lower() not in ("", "identity"):
        raise BadBody(f"the answer is compressed ({encoding[:40]}), although that was not asked for")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)

"""A chat-completions endpoint on this machine, which behaves as badly as it is told to."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Body = dict[str, Any]


@dataclass(frozen=True)
class Response:
    """What the endpoint does about one request."""

    body: Body | str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop: bool = False
    """Closes the connection without a word."""
    drip: float = 0.0
    """Seconds between the bytes of the body."""


def completion(*texts: str, prompt_tokens: int = 100, completion_tokens: int = 30) -> Response:
    choices = [
        {"index": i, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        for i, text in enumerate(texts)
    ]
    usage = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }
    return Response(
        {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}
    )


def streamed(*texts: str, usage: Body | None = None, ends: bool = True) -> Response:
    """The same, sent piece by piece as events; without its end if `ends` is False."""
    events: list[Body] = []
    for i, text in enumerate(texts):
        for part in (text[:3], text[3:]):
            events.append({"choices": [{"index": i, "delta": {"content": part}, "finish_reason": None}]})
        if ends:
            events.append({"choices": [{"index": i, "delta": {}, "finish_reason": "stop"}]})
    events.append({"choices": [], "usage": usage})
    common = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [f"data: {json.dumps({**common, **event})}\n\n" for event in events]
    return Response("".join([*lines, "data: [DONE]\n\n"]), headers={"content-type": "text/event-stream"})


def message(text: str, **usage: int) -> Response:
    """An answer in Anthropic's protocol."""
    counted = usage or {"input_tokens": 100, "output_tokens": 30}
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    return Response({"id": "x", "type": "message", "role": "assistant", "content": content, "usage": counted})


def failure(status: int, message: str = "no", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response({"error": {"message": message, "type": "error"}}, status, named)


Behaviour = Callable[[int, Body], Response]
"""Number of the request from 0, and its body."""


class Endpoint:
    """Use as `with Endpoint(behaviour) as endpoint:`; `endpoint.url` is its address."""

    def __init__(self, behaviour: Behaviour) -> None:
        self._behaviour = behaviour
        self._lock = threading.Lock()
        self._busy = 0
        self.busiest = 0
        self.requests: list[Body] = []
        self.keys: list[str | None] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.listed = Response({"object": "list", "data": [{"id": "served", "object": "model"}]})
        """Answer to a question for the models that are served."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer._serve(self)

            def do_GET(self) -> None:
                outer._answer(self, outer.listed)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._closing = threading.Event()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self._lock:
            self._busy += 1
            self.busiest = max(self.busiest, self._busy)
            number = len(self.requests)
            self.requests.append(body)
            self.keys.append(handler.headers["authorization"])
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            self.paths.append(handler.path)
            response = self._behaviour(number, body)
        self._closing.wait(response.delay)
        with self._lock:
            self._busy -= 1
        try:
            self._answer(handler, response)
        except OSError:
            pass  # it waits no longer

    def _answer(self, handler: BaseHTTPRequestHandler, response: Response) -> None:
        if response.drop:
            handler.connection.shutdown(socket.SHUT_RDWR)
            return
        data = (response.body if isinstance(response.body, str) else json.dumps(response.body)).encode()
        handler.send_response(response.status)
        for name, value in {"content-type": "application/json", **response.headers}.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(data)))
        handler.end_headers()
        for piece in [data[i : i + 1] for i in range(len(data))] if response.drip else [data]:
            handler.wfile.write(piece)
            self._closing.wait(response.drip)

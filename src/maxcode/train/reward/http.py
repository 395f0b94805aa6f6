"""Rewards over HTTP, for trainers in other processes and on other machines (verl, OpenRLHF).

POST /score judges answers, GET /problems lists what can be asked about, GET /health shows throughput, GET /schema is
the OpenAPI description. Bound to this machine alone unless a token is set; requests are bounded in size and number.
"""

from __future__ import annotations

import asyncio
import html
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from socket import socket
from typing import Annotated, Any

import uvicorn
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field
from starlette.middleware.trustedhost import TrustedHostMiddleware

from maxcode import __version__
from maxcode.core import EvaluatorError, Frozen, InputError
from maxcode.evaluate.pool import Evaluator
from maxcode.system.listening import address_of, bound
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Ceiling, Rewarded, Rewards, Throughput

LOOPBACK = ("127.0.0.1", "localhost")
MOST_ANSWERS = 256
MOST_CHARACTERS = 200_000
"""Most characters of one answer in a request. A longer one is an error of the caller; one above
reward_answer.LONGEST_ANSWER is a failure of the answer."""
MOST_BYTES = 32 << 20
LONGEST_DEADLINE = 3600.0


class ScoreRequest(Frozen):
    """Answers of a model to one problem."""

    problem: Annotated[str, Field(max_length=200, examples=["dgemm-256/everything"])]
    answers: Annotated[
        list[Annotated[str, Field(max_length=MOST_CHARACTERS)]], Field(min_length=1, max_length=MOST_ANSWERS)
    ]
    """Raw text, as the model wrote it."""
    deadline: Annotated[float | None, Field(gt=0, le=LONGEST_DEADLINE)] = None
    """Seconds after which an answer without a verdict has no reward."""


class ScoreAnswer(Frozen):
    results: list[Rewarded | None]
    """Results in the order of the answers; null for one without a reward, which a trainer leaves out of its batch."""
    rewards: list[float | None]
    """The rewards alone."""


class ProblemAnswer(Frozen):
    name: str
    id: str
    description: str
    baseline: str
    permitted: list[str]


class ServiceHealth(Frozen):
    status: str
    version: str
    problems: int
    throughput: Throughput


def make_app(
    engine: AbstractAsyncContextManager[Evaluator],
    problems: Mapping[str, MaskedTask],
    *,
    token: str | None = None,
    slots: int | None = None,
    ceiling: Ceiling | None = None,
) -> FastAPI:
    """The service over an engine, which is entered when the server starts and left when it stops."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with engine as evaluate, Rewards(evaluate, slots=slots, ceiling=ceiling) as rewards:
            app.state.rewards = rewards
            yield

    app = FastAPI(title="MaxCode rewards", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    _routes(app, problems)
    app.middleware("http")(_guard(token))
    app.add_middleware(_BodyLimit)
    if token is None:  # a page in a browser could reach us under a name of its own
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(LOOPBACK))
    return app


def serve(
    engine: AbstractAsyncContextManager[Evaluator],
    problems: Mapping[str, MaskedTask],
    *,
    host: str = LOOPBACK[0],
    port: int = 8321,
    token: str | None = None,
    slots: int | None = None,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serves until interrupted. `ready` is told the address."""
    if host not in LOOPBACK and not token:
        raise InputError(
            f"--host {host}: others could have programs run here. Set MAXCODE_REWARD_TOKEN to a secret that callers "
            "send as `Authorization: Bearer ...`, or bind to 127.0.0.1."
        )

    async def run(listening: socket) -> None:
        async with engine as evaluate:  # entered here, so that its errors reach the caller, not the log
            app = make_app(nullcontext(evaluate), problems, token=token, slots=slots)
            ready(address_of(listening, host))
            await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])

    with bound(host, port) as listening:
        asyncio.run(run(listening))


def _routes(app: FastAPI, problems: Mapping[str, MaskedTask]) -> None:
    @app.post("/score")
    async def score(asked: ScoreRequest, request: Request) -> ScoreAnswer:
        """What each answer earns: see the documentation of rewards for what the numbers mean."""
        problem = problems.get(asked.problem)
        if problem is None:
            raise HTTPException(404, f"problem '{asked.problem}' is not known; GET /problems lists them")
        rewards: Rewards = request.app.state.rewards
        try:
            found = await rewards.score(problem, asked.answers, asked.deadline)
        except (EvaluatorError, InputError) as error:
            raise HTTPException(503, f"this machine cannot judge: {error}") from None
        return ScoreAnswer(results=found, rewards=[each.reward if each else None for each in found])

    @app.get("/problems")
    async def list_problems() -> list[ProblemAnswer]:
        return [_described(name, problem) for name, problem in problems.items()]

    @app.get("/health", response_model=ServiceHealth)
    async def health(request: Request) -> Any:
        """JSON, or a page for browsers."""
        rewards: Rewards = request.app.state.rewards
        now = ServiceHealth(status="ok", version=__version__, problems=len(problems), throughput=rewards.throughput)
        return HTMLResponse(_page(now)) if "text/html" in request.headers.get("accept", "") else now

    @app.get("/schema")
    async def schema() -> dict[str, Any]:
        return app.openapi()


def _described(name: str, problem: MaskedTask) -> ProblemAnswer:
    task = problem.task
    return ProblemAnswer(
        name=name,
        id=problem.id,
        description=task.description,
        baseline=task.baseline_candidate.files[task.main_file],
        permitted=sorted(problem.mask.permitted),
    )


Next = Callable[[Request], Awaitable[Response]]


def _guard(token: str | None) -> Callable[[Request, Next], Awaitable[Response]]:
    async def guard(request: Request, call_next: Next) -> Response:
        given = request.headers.get("authorization", "")
        if token is not None and not secrets.compare_digest(given.encode(), f"Bearer {token}".encode()):
            return JSONResponse({"detail": "send the token as `Authorization: Bearer ...`"}, 401)
        return await call_next(request)

    return guard


class _BodyLimit:
    """Refuses large requests, whether they say their length or not."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        body = await _read(receive) if length.isdigit() and int(length) <= MOST_BYTES else None
        if body is None:
            words = f"a request has at most {MOST_BYTES >> 20} MB"
            await JSONResponse({"detail": words}, 413)(scope, receive, send)
            return
        unread = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Any:
            return unread.pop() if unread else await receive()

        await self._app(scope, replay, send)


async def _read(receive: Any) -> bytes | None:
    """The whole body; None when it is too large."""
    parts, size = [], 0
    while True:
        message = await receive()
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _page(now: ServiceHealth) -> str:
    t = now.throughput
    rows = {
        "answers": t.answers,
        "evaluated": t.evaluated,
        "from the cache": t.cached,
        "without a reward": t.dropped,
        "waiting": t.queue,
        "running": f"{t.running} of {t.slots}",
        "evaluated per second": _figure(t.per_second),
        "per second and busy core": _figure(t.per_core_second),
        "cores busy": _figure(t.busy_share, percent=True),
        "cores idle": _figure(t.idle_share, percent=True),
        **t.tiers,
    }
    body = "".join(f"<tr><td>{html.escape(name)}</td><td>{html.escape(str(v))}</td></tr>" for name, v in rows.items())
    style = "body{font:16px sans-serif;margin:2em}td{padding:.2em 1em .2em 0}"
    return (
        "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=5><title>MaxCode rewards</title>"
        f"<style>{style}</style><h1>MaxCode rewards {html.escape(now.version)}</h1><table>{body}</table>"
    )


def _figure(value: float | None, *, percent: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:.0%}" if percent else f"{value:.3g}"

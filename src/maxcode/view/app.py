"""The server's answers: JSON for the page, its files, and streams of what happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse

from maxcode.core import Frozen, InputError, JournalError
from maxcode.optimize.recorded import finished, winner_of
from maxcode.report.colours import coloured
from maxcode.store.journal import Store
from maxcode.view.control import Control, SearchRequest
from maxcode.view.feed import RunFeed
from maxcode.view.follow import Follower, Followers
from maxcode.view.guard import MAKING, Guard
from maxcode.view.overview import RunOverview
from maxcode.view.page_data import PageData
from maxcode.view.programs import ProgramRequest
from maxcode.view.streams import Streams

TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
FOLDERS = ("maxcode.view", "maxcode.report")
"""Folders of the scripts and styles of the page; they import each other by bare names."""


class Token(Frozen):
    token: str


@dataclass(frozen=True)
class AppState:
    """State of the server that answers are made from."""

    store: Store
    feed: RunFeed
    followers: Followers
    streams: Streams
    control: Control

    def overview(self, run: str) -> RunOverview:
        return self.feed.run(run)

    def follower(self, run: str) -> Follower:
        overview = self.overview(run)
        return self.followers.of(run, lambda: overview.last)


def make_app(
    store: Store,
    *,
    host: str = "127.0.0.1",
    token: str | None = None,
    folders: list[Path] | None = None,
    closing: Callable[[], bool] = lambda: False,
) -> Guard:
    feed, followers = RunFeed(store), Followers(store)
    served = AppState(store, feed, followers, Streams(feed, followers, closing), Control(store, folders or []))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> Any:
        feed.start()
        coloured("first.cpp", "")  # loads what colours programs, so that the first reader does not wait for it
        yield
        followers.close()
        feed.close()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    guard = Guard(app, host=host, token=token)
    _answer_errors(app)
    _serve_files(app, guard)
    _serve_runs(app, served)
    _serve_run(app, served)
    _serve_changes(app, served)
    return guard


def _answer_errors(app: FastAPI) -> None:
    """Errors as one line of text, for people; nothing of what was sent is repeated but names of fields."""

    def bad(_: Request, error: Exception) -> Response:
        missing = "no such run" in str(error)
        return JSONResponse({"error": str(error)}, 404 if missing else 400)

    def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "body"
        return JSONResponse({"error": f"{place}: {first['msg']}"}, 422)

    def failed(_: Request, error: Exception) -> Response:
        return JSONResponse({"error": str(error)}, 500)

    app.add_exception_handler(InputError, bad)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(JournalError, failed)


def _serve_files(app: FastAPI, guard: Guard) -> None:
    named = {each.name: each for folder in FOLDERS for each in files(folder).joinpath("page").iterdir()}

    def file(name: str) -> Response:
        found = named.get(name)
        kind = TYPES.get(Path(name).suffix)
        if found is None or kind is None:
            return JSONResponse({"error": "no such page"}, 404)
        return Response(found.read_bytes(), media_type=kind)

    @app.get("/")
    def page() -> Response:
        return file("view.html")

    @app.get("/login")
    def login() -> Response:
        return file("login.html")

    @app.post("/login")
    def enter(given: Token) -> Response:
        cookie = guard.entered(given.token)
        if cookie is None:
            return JSONResponse({"error": "That is not the token."}, 401)
        return JSONResponse({"entered": True}, headers={"set-cookie": cookie})

    @app.get("/page/{name}")
    def part(name: str) -> Response:
        return file(name)


def _serve_runs(app: FastAPI, served: AppState) -> None:
    @app.get("/api/runs")
    def runs(request: Request, q: str = "", offset: int = 0, limit: int = 100) -> Response:
        words = q.lower().split()
        rows = [row for row in served.feed.rows() if all(word in _searchable(row) for word in words)]
        shown = rows[max(offset, 0) : max(offset, 0) + min(max(limit, 1), 1000)]
        return tagged(request, {"runs": shown, "total": len(rows), "all": len(served.feed.overviews)})

    @app.get("/api/events")
    async def events() -> Response:
        return _streamed(served.streams, served.streams.of_all())

    @app.get("/api/choices")
    def choices() -> dict[str, Any]:
        return served.control.choices()


def _searchable(row: dict[str, Any]) -> str:
    names = ("run", "task", "kind", "strategy", "policy", "state", "bench")
    return " ".join(str(row[name]).lower() for name in names)


def _serve_run(app: FastAPI, served: AppState) -> None:
    page_data = PageData(served.store)

    @app.get("/api/runs/{run}")
    def run(request: Request, run: str) -> Response:
        overview = served.overview(run)
        about = {**served.streams.progress(overview), **page_data.about(overview), "log": served.control.log(run)}
        return tagged(request, about)

    @app.get("/api/runs/{run}/nodes")
    def nodes(request: Request, run: str, since: int = 0) -> Response:
        follower = served.follower(run)
        size = len(follower.columns)
        tag = f'"{run}-{since}-{size}-{follower.caught_up}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        best = winner_of(follower.tree, finished(served.store, run)).id if follower.tree else 0
        head = {"size": size, "since": since, "best": best, "caught_up": follower.caught_up}
        said = json.dumps({**head, "problem": follower.problem})[:-1]
        text = f'{said},"columns":{follower.columns.page(max(since, 0))}}}'
        return Response(text, media_type="application/json", headers={"etag": tag})

    @app.get("/api/runs/{run}/nodes/{number}")
    def node(request: Request, run: str, number: int) -> Response:
        follower = served.follower(run)
        if follower.tree is None or not 0 <= number < len(follower.columns):
            raise InputError(f"node {number}: not there yet; the run has {len(follower.columns)} nodes so far.")
        return tagged(request, page_data.node(follower, follower.tree, number))

    @app.get("/api/runs/{run}/elites/{cell}")
    def elite(request: Request, run: str, cell: int) -> Response:
        return tagged(request, page_data.elite(served.overview(run), cell))

    @app.get("/api/runs/{run}/events")
    async def events(request: Request, run: str, since: int = 0) -> Response:
        seen = request.headers.get("last-event-id", "")
        overview = served.overview(run)
        return _streamed(served.streams, served.streams.of_run(overview, int(seen) if seen.isdigit() else since))

    @app.get("/api/runs/{run}/{name}")
    def look(request: Request, run: str, name: str) -> Response:
        if name == "report.html":
            return _download(page_data.report(run), f"{run}.html")
        overview = served.overview(run)
        if name in ("progress", "archive") and overview.kind != "rl":
            return tagged(request, page_data.of_tree(name, served.follower(run)))
        return tagged(request, page_data.of_journal(name, overview))


def _serve_changes(app: FastAPI, served: AppState) -> None:
    @app.post(MAKING)
    def make(wanted: ProgramRequest) -> dict[str, Any]:
        opened = served.control.make(wanted)
        return {"task": str(opened.task.folder), "name": opened.task.name, "remarks": opened.remarks}

    @app.post("/api/runs")
    def start(wanted: SearchRequest) -> dict[str, Any]:
        return {"run": served.control.start(wanted)}

    @app.post("/api/runs/{run}/stop")
    def stop(run: str) -> dict[str, Any]:
        served.control.stop(served.overview(run))
        return {"run": run}

    @app.post("/api/runs/{run}/resume")
    def resume(run: str) -> dict[str, Any]:
        served.control.resume(served.overview(run))
        return {"run": run}


def tagged(request: Request, value: dict[str, Any]) -> Response:
    """JSON with a tag of its content: asked for again unchanged, only the tag is sent."""
    body = json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    tag = f'"{sha256(body).hexdigest()[:24]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(body, media_type="application/json", headers={"etag": tag})


def _streamed(streams: Streams, lines: Any) -> Response:
    if streams.full:
        return JSONResponse({"error": "too many pages are open; close some."}, 503)
    return StreamingResponse(lines, media_type="text/event-stream", headers={"cache-control": "no-store"})


def _download(text: str, name: str) -> Response:
    """Response that the browser saves as a file. Shown in place, the page would also get this server's own policy."""
    body = text.encode(errors="backslashreplace")
    return Response(body, media_type="text/html", headers={"content-disposition": f'attachment; filename="{name}"'})

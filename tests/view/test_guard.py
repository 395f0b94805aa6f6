"""Who may ask, and what browsers are told to forbid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.store.journal import Store

pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'maxcode[view]'")
from starlette.testclient import TestClient

from maxcode.view.app import make_app

TOKEN = "correct horse battery staple"
OURS = {"x-maxcode": "1"}


@pytest.fixture
def closed(empty_home: Path) -> Iterator[Any]:
    """A server that others can reach."""
    del empty_home
    with Store() as store, TestClient(make_app(store, host="0.0.0.0", token=TOKEN), base_url="http://10.0.0.7") as made:
        yield made


@pytest.mark.parametrize("host", ["localhost", "localhost:8640", "127.0.0.1", "[::1]:8640"])
def test_loopback_names_are_served(client: Any, host: str) -> None:
    assert client.get("/api/runs", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "192.168.1.4", "", "[", "127.0.0.1.nip.io"])
def test_other_names_are_not(client: Any, host: str) -> None:
    """A name that somebody points here is not ours (DNS rebinding)."""
    assert client.get("/api/runs", headers={"host": host}).status_code == 421


def test_a_server_for_others_answers_to_addresses_but_to_no_foreign_name(closed: Any) -> None:
    assert closed.get("/login").status_code == 200
    assert closed.get("/login", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("path", ["/api/runs", "/api/events", "/page/view.js", "/api/choices", "/api/runs/x/nodes"])
def test_nothing_without_the_token(closed: Any, path: str) -> None:
    assert closed.get(path).status_code == 401
    assert closed.get(path, headers={"authorization": f"Bearer {TOKEN}x"}).status_code == 401
    assert closed.get(path, headers={"cookie": "maxcode-view=" + TOKEN}).status_code == 401


def test_the_token_in_a_header_lets_in(closed: Any) -> None:
    assert closed.get("/api/runs", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_the_token_is_not_taken_from_the_address(closed: Any) -> None:
    """Addresses end up in logs and histories."""
    assert closed.get(f"/api/runs?token={TOKEN}").status_code == 401


def test_the_page_leads_to_the_login_which_gives_a_cookie(closed: Any) -> None:
    assert closed.get("/", follow_redirects=False).headers["location"] == "/login"
    assert closed.post("/login", json={"token": "wrong"}, headers=OURS).status_code == 401
    entered = closed.post("/login", json={"token": TOKEN}, headers=OURS)
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert closed.get("/api/runs", headers={"cookie": cookie.split(";")[0]}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**OURS, "origin": "http://evil.example"},
        {**OURS, "origin": "null"},
        {**OURS, "origin": "http://localhost:9999"},
        {**OURS, "sec-fetch-site": "cross-site"},
        {"origin": "http://localhost", "content-type": "text/plain"},
    ],
    ids=repr,
)
def test_no_foreign_page_changes_anything(client: Any, headers: dict[str, str]) -> None:
    assert client.post("/api/runs", json={"task": "/"}, headers=headers).status_code == 403


def test_no_foreign_page_holds_streams_or_makes_us_work(client: Any) -> None:
    for path, status in (("/api/events", 403), ("/api/runs", 403), ("/", 200)):
        assert client.get(path, headers={"sec-fetch-site": "cross-site"}).status_code == status


def test_our_own_page_may(client: Any) -> None:
    own = {**OURS, "origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert client.post("/api/runs", json={"task": "/"}, headers=own).status_code == 400


def test_a_body_is_bounded(client: Any) -> None:
    assert client.post("/api/runs", content=b"x" * 100_000, headers=OURS).status_code == 413
    assert client.post("/api/runs", content=iter([b"{}"]), headers=OURS).status_code == 411


@pytest.mark.parametrize("path", ["/", "/login", "/page/view.js", "/api/runs", "/api/runs/none", "/nowhere"])
def test_every_answer_has_the_policy(client: Any, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"


def test_refusals_have_it_too(client: Any) -> None:
    assert "content-security-policy" in client.get("/", headers={"host": "evil.example"}).headers


@pytest.mark.parametrize(
    "name", ["..%2f..%2fapp.py", "app.py", "%2e%2e/app.py", "main.css/../../app.py", "view.html%00"]
)
def test_only_the_pages_own_files_are_served(client: Any, name: str) -> None:
    assert client.get(f"/page/{name}").status_code == 404


def test_no_page_has_inline_scripts_or_styles(client: Any) -> None:
    for path in ("/", "/login"):
        text = client.get(path).text
        assert "<style" not in text
        assert " style=" not in text
        assert not re.search(r"\son\w+=", text)
        assert "http://" not in text

"""Who may ask: checked before anything else sees a request, and what every answer tells the browser to forbid.

- Host: a name that somebody else controls could be pointed at this server (DNS rebinding), so only addresses and the
  machine's own names are served.
- Token: where others can reach the server, in a header, or in a cookie that stands for it.
- Changes: only with a header that no foreign page can send without being asked back, and from this origin.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import secrets
import socket
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "maxcode-view"
HEADER = "x-maxcode"
MOST_BODY = 64 * 1024
MAKING, MOST_FILES = "/api/tasks", 40 * 1024 * 1024
"""Address to which files are sent, and bytes of such a request: two files as JSON."""
OPEN = ("/login", "/page/login.js", "/page/theme.js", "/page/light.css", "/page/dark.css", "/page/page.css",
        "/page/view.css", "/page/icon.svg")  # fmt: skip
"""Paths that are served without a token: the page that asks for it."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
ANSWERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    def __init__(self, app: ASGIApp, *, host: str, token: str | None) -> None:
        self._app, self._token = app, token
        self._names = _own_names(host)
        self._only_loopback = is_loopback(host)
        self.session = secrets.token_urlsafe(32)
        """Random value that the cookie holds instead of the token; valid as long as this server runs."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], scope["path"], headers)
        if refusal is not None:
            return await _refuse(refusal, scope["path"], _with_headers(send))
        return await self._app(scope, receive, _with_headers(send))

    def entered(self, token: str) -> str | None:
        """The cookie to set for the right token; None for a wrong one."""
        right = self._token is None or _equal(token, self._token)
        return f"{COOKIE}={self.session}; Path=/; HttpOnly; SameSite=Strict" if right else None

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        if not self._known_host(headers.get("host", "")):
            return 421, "This server does not answer to that name. Use its address, localhost, or its own name."
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and path not in ("/", "/login"):
            return 403, "Other pages may link to this one, and nothing else."
        if method not in ("GET", "HEAD") and not _from_here(headers):
            return 403, f"Changes need the header {HEADER} and this page's own origin."
        if "content-length" not in headers and "transfer-encoding" in headers:
            return 411, "The length of what is sent must be known."
        most = MOST_FILES if path == MAKING else MOST_BODY
        if not headers.get("content-length", "0").isdigit() or int(headers.get("content-length", "0")) > most:
            return 413, "Too much is sent."
        if self._token is not None and path not in OPEN and not self._has_token(headers):
            return 401, "A token is needed: in the header `Authorization: Bearer TOKEN`, or at /login."
        return None

    def _known_host(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        return is_loopback(name) or (not self._only_loopback and (_is_address(name) or name in self._names))

    def _has_token(self, headers: Headers) -> bool:
        assert self._token is not None
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and _equal(given.strip(), self._token):
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and _equal(cookie.value, self.session)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _own_names(host: str) -> set[str]:
    return {name.lower().rstrip(".") for name in (host, socket.gethostname(), socket.getfqdn()) if name}


def _from_here(headers: Headers) -> bool:
    """Whether a request was sent by our own page, or by a program that is not a browser."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    same = origin is None or urlsplit(origin).netloc == headers.get("host")
    return HEADER in headers and same and site in (None, "same-origin")


def _equal(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in ANSWERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "private, no-cache")
        await send(message)

    return sending


async def _refuse(refusal: tuple[int, str], path: str, send: Send) -> None:
    status, words = refusal
    page = status == 401 and path == "/"
    headers = [(b"content-type", b"application/json")] if not page else [(b"location", b"/login")]
    await send({"type": "http.response.start", "status": 303 if page else status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": words}).encode()})

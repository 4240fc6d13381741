"""What stands between the network and the routes: sizes, rates, the origin of writes, and headers of every response."""

import hmac
import logging
from collections.abc import Awaitable, Callable
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from betterthan.web.limits import MOST_BYTES, Limiter

COOKIE = "betterthan"
#: A cookie lives as long as a long campaign; the session itself ends when the campaign says so.
_COOKIE_SECONDS = 90 * 24 * 3600
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_ENTRANCES = frozenset({"/join", "/api/session"})
_LOGIN = "/login"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: with it browsers send `Origin: null` with forms, and no write could be told from a foreign one.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
TOO_LARGE = f"What was sent is larger than {MOST_BYTES // 1024} kB."
TOO_MANY = "Too many requests; wait a moment and try again."
FOREIGN = "This request did not come from a page of this campaign, so nothing was changed."
FAILED = "Something went wrong on the server. What you sent may not have been kept; please send it again."
_log = logging.getLogger("betterthan.web")

Refuse = Callable[[Request, int, str, dict[str, str]], Response]


def csrf_token(session: str) -> str:
    """Return the token that every form of a session carries; it follows from the session, so it survives a restart.

    >>> csrf_token("secret")[:8]
    'bc4fb886'
    """
    return sha256(f"{session}csrf".encode()).hexdigest()


def same(one: str, two: str) -> bool:
    """Compare secrets in a time that says nothing about them."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), two.encode("utf-8", "replace"))


def set_cookie(response: Response, session: str, *, secure: bool) -> None:
    """Put a session into a cookie that scripts cannot read and other sites cannot send along with a form."""
    response.set_cookie(
        COOKIE, session, max_age=_COOKIE_SECONDS, path="/", secure=secure, httponly=True, samesite="lax"
    )


def session_of(headers: Headers) -> str:
    """Return the secret that a request carries, as a cookie or as a bearer token."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


class Guard:
    """Lets through what is small, not too frequent, and, where it changes something, sent by a page of ours."""

    def __init__(self, app: ASGIApp, *, refuse: Refuse, origin: str | None, secure: bool) -> None:
        self._app = app
        self._refuse = refuse
        self._origin = origin.rstrip("/").lower() if origin else None
        self._secure = secure
        self._sessions = Limiter(rate=50, burst=200)
        # One bucket for everybody who enters: a room full of judges passes, guessing 128 bits gets nowhere.
        self._entrance = Limiter(rate=20, burst=400)
        # Passwords are chosen by people: ten guesses, then one in five seconds, whoever guesses.
        self._login = Limiter(rate=0.2, burst=10)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, sending)
            return
        try:
            await self._app(scope, _bounded(receive), sending)
        except Exception:  # noqa: BLE001 (the operator finds out why in the log, the visitor reads a sentence)
            _log.exception("%s %s failed", scope["method"], _route(scope["path"]))
            if not started:
                await self._refuse(Request(scope), 500, FAILED, {})(scope, receive, sending)

    def _refused(self, scope: Scope) -> Response | None:
        """Return what a request is refused with, if it is."""
        headers, path = Headers(scope=scope), scope["path"]
        request = Request(scope)
        size = headers.get("content-length", "0")
        if not size.isascii() or not size.isdigit() or int(size[:20]) > MOST_BYTES:
            return self._refuse(request, 413, TOO_LARGE, {"Connection": "close"})
        writes = scope["method"] not in _READS
        wait = 0
        if writes and path in _ENTRANCES:
            wait = self._entrance.wait("")
        elif writes and path == _LOGIN:
            wait = self._login.wait("")
        elif session := session_of(headers):
            wait = self._sessions.wait(sha256(session.encode("utf-8", "replace")).hexdigest())
        if wait:
            return self._refuse(request, 429, TOO_MANY, {"Retry-After": str(wait)})
        # Programs carry no cookies: nobody can make a browser send their token.
        if writes and not path.startswith("/api/") and not self._is_ours(scope, headers):
            return self._refuse(request, 403, FOREIGN, {})
        return None

    def _is_ours(self, scope: Scope, headers: Headers) -> bool:
        """Say whether a write comes from a page of this server, going by Origin, or else by Referer."""
        scheme = "https" if self._secure else scope["scheme"]
        ours = self._origin or f"{scheme}://{headers.get('host', '')}".lower()
        said = headers.get("origin")
        if said is None:
            try:
                parts = urlsplit(headers.get("referer", ""))
            except ValueError:
                return False
            said = f"{parts.scheme}://{parts.netloc}"
        return said.lower() == ours

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        if self._secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        static = scope["path"].startswith("/static/")
        headers["Cache-Control"] = "no-cache" if static else "no-store"


def _bounded(receive: Receive) -> Callable[[], Awaitable[dict[str, Any]]]:
    """Count the bytes of a body whose length was not said beforehand."""
    total = 0

    async def receiving() -> dict[str, Any]:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > MOST_BYTES:
            raise HTTPException(413, TOO_LARGE)
        return dict(message)

    return receiving


def _route(path: str) -> str:
    """Return what of a path may be logged: never an invitation."""
    return "/" + path.strip("/").partition("/")[0]

"""What stands between the network and the routes: sizes, rates, the origin of writes, and headers of every response."""

import logging
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from betterthan.serving.guarding import HEADERS, READS, bounded, cookie_of, length_of
from betterthan.web.limits import MOST_BYTES, Limiter

COOKIE = "betterthan"
#: A cookie lives as long as a long campaign; the session itself ends when the campaign says so.
_COOKIE_SECONDS = 90 * 24 * 3600
_ENTRANCES = frozenset({"/join", "/api/session"})
_LOGIN = "/login"
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
    return cookie_of(headers, COOKIE)


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
            await self._app(scope, bounded(receive, MOST_BYTES, TOO_LARGE), sending)
        except Exception:  # noqa: BLE001 (the operator finds out why in the log, the visitor reads a sentence)
            _log.exception("%s %s failed", scope["method"], _route(scope["path"]))
            if not started:
                await self._refuse(Request(scope), 500, FAILED, {})(scope, receive, sending)

    def _refused(self, scope: Scope) -> Response | None:
        """Return what a request is refused with, if it is."""
        headers, path = Headers(scope=scope), scope["path"]
        request = Request(scope)
        size = length_of(headers)
        if size is None or size > MOST_BYTES:
            return self._refuse(request, 413, TOO_LARGE, {"Connection": "close"})
        writes = scope["method"] not in READS
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
        for name, value in HEADERS.items():
            headers[name] = value
        if self._secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        static = scope["path"].startswith("/static/")
        headers["Cache-Control"] = "no-cache" if static else "no-store"


def _route(path: str) -> str:
    """Return what of a path may be logged: never an invitation."""
    return "/" + path.strip("/").partition("/")[0]

"""The guard between the network and the routes: sizes, rates, the origin of writes, and headers of every response."""

import logging
from collections.abc import Callable, Mapping
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from betterthan.web.campaign.rate_limits import MOST_BYTES, Limiter
from betterthan.web.server import request_guard
from betterthan.web.server.request_guard import RequestGuard, comes_from, cookie_of, writes

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
    request_guard.set_cookie(response, COOKIE, session, samesite="lax", secure=secure, seconds=_COOKIE_SECONDS)


def session_of(headers: Headers) -> str:
    """Return the secret that a request carries, as a cookie or as a bearer token."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return cookie_of(headers, COOKIE)


class CampaignGuard(RequestGuard):
    """Lets through what is small, not too frequent, and, where it changes something, sent by a page of ours."""

    too_large = TOO_LARGE

    def __init__(self, app: ASGIApp, *, refuse: Refuse, origin: str | None, secure: bool) -> None:
        super().__init__(app)
        self._refuse = refuse
        self._origin = origin.rstrip("/").lower() if origin else None
        self._secure = secure
        self._sessions = Limiter(rate=50, burst=200)
        # One bucket for everybody who enters: a room full of judges passes, guessing 128 bits gets nowhere.
        self._entrance = Limiter(rate=20, burst=400)
        # Passwords are chosen by people: ten guesses, then one in five seconds, for all clients together.
        self._login = Limiter(rate=0.2, burst=10)

    async def other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the routes start and stop with the server."""
        await self._app(scope, receive, send)

    def most_bytes(self, scope: Scope) -> int:
        """Allow the same for every request."""
        del scope
        return MOST_BYTES

    def failed(self, scope: Scope, error: Exception) -> Response:
        """Tell the operator in the log why, and the visitor in a sentence that something went wrong."""
        _log.error("%s %s failed", scope["method"], _route(scope["path"]), exc_info=error)
        return self._refuse(Request(scope), 500, FAILED, {})

    def answer(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse what is too large, too frequent, or a write from elsewhere."""
        path, request = scope["path"], Request(scope)
        if self.is_too_large(scope, headers):
            return self._refuse(request, 413, TOO_LARGE, {"Connection": "close"})
        wait = 0
        if writes(scope) and path in _ENTRANCES:
            wait = self._entrance.wait("")
        elif writes(scope) and path == _LOGIN:
            wait = self._login.wait("")
        elif session := session_of(headers):
            wait = self._sessions.wait(sha256(session.encode("utf-8", "replace")).hexdigest())
        if wait:
            return self._refuse(request, 429, TOO_MANY, {"Retry-After": str(wait)})
        # Programs carry no cookies: nobody can make a browser send their token.
        if writes(scope) and not path.startswith("/api/") and not self._is_ours(scope, headers):
            return self._refuse(request, 403, FOREIGN, {})
        return None

    def _is_ours(self, scope: Scope, headers: Headers) -> bool:
        """Say whether a write comes from a page of this server."""
        scheme = "https" if self._secure else scope["scheme"]
        ours = self._origin or f"{scheme}://{headers.get('host', '')}".lower()
        return comes_from(headers, ours, by_referer=True)

    def headers(self, scope: Scope) -> Mapping[str, str]:
        """Keep pages out of caches, and behind HTTPS where they are."""
        secure = {"Strict-Transport-Security": "max-age=31536000"} if self._secure else {}
        return {**secure, "Cache-Control": "no-cache" if scope["path"].startswith("/static/") else "no-store"}


def _route(path: str) -> str:
    """Return what of a path may be logged: never an invitation."""
    return "/" + path.strip("/").partition("/")[0]

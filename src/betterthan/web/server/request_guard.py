"""The guard between the network and the routes of a server: bounds, origins, cookies, headers of every response."""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Literal
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

READS = frozenset({"GET", "HEAD", "OPTIONS"})
#: Scripts and styles of the server alone, no frames, no other address.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: with it browsers send `Origin: null` with forms, as foreign pages do.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def same(one: str, two: str) -> bool:
    """Compare secrets in a time that says nothing about them."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), two.encode("utf-8", "replace"))


def cookie_of(headers: Headers, name: str) -> str:
    """Return a cookie, empty where there is none."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def set_cookie(
    response: Response,
    name: str,
    secret: str,
    *,
    samesite: Literal["lax", "strict"],
    secure: bool = False,
    seconds: int | None = None,
) -> None:
    """Put a secret into a cookie that scripts cannot read."""
    response.set_cookie(name, secret, max_age=seconds, path="/", secure=secure, httponly=True, samesite=samesite)


def comes_from(headers: Headers, origin: str, *, by_referer: bool = False) -> bool:
    """Say whether a page of an origin sent a request, going by Origin, or where it is missing perhaps by Referer."""
    said = headers.get("origin", "")
    if by_referer and "origin" not in headers:
        try:
            parts = urlsplit(headers.get("referer", ""))
        except ValueError:
            return False
        said = f"{parts.scheme}://{parts.netloc}"
    return said.lower() == origin


def length_of(headers: Headers) -> int | None:
    """Return the declared length of a body, None if it is not a number."""
    size = headers.get("content-length", "0")
    return int(size[:20]) if size.isascii() and size.isdigit() else None


def bounded(receive: Receive, most: int, said: str) -> Callable[[], Awaitable[dict[str, Any]]]:
    """Count the bytes of a body whose length was not said beforehand."""
    total = 0

    async def receiving() -> dict[str, Any]:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise HTTPException(413, said)
        return dict(message)

    return receiving


class RequestGuard:
    """Passes on what a server lets through, counts the bytes of bodies, and adds headers to every response.

    A server says in `answer` which requests go no further, in `most_bytes` how much each may send, and in `headers`
    what its responses say in addition to `HEADERS`.
    """

    too_large = "What was sent is too large."

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.other(scope, receive, send)
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update({**HEADERS, **self.headers(scope)})
            await send(message)

        answer = self.answer(scope, Headers(scope=scope))
        if answer is not None:
            await answer(scope, receive, sending)
            return
        try:
            await self._app(scope, bounded(receive, self.most_bytes(scope), self.too_large), sending)
        except Exception as error:
            failed = self.failed(scope, error)
            if failed is None:
                raise
            if not started:
                await failed(scope, receive, sending)

    async def other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle what is no request: the start and end of the server, for which the routes have nothing to do."""

    def answer(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that goes no further, None for one that is passed on."""
        raise NotImplementedError

    def most_bytes(self, scope: Scope) -> int:
        """Return how many bytes a request may send."""
        raise NotImplementedError

    def headers(self, scope: Scope) -> Mapping[str, str]:
        """Return further headers of a response."""
        del scope
        return {"Cache-Control": "no-store"}

    def failed(self, scope: Scope, error: Exception) -> Response | None:
        """Return the answer where the routes failed, None to leave the error to the server."""
        del scope, error
        return None

    def is_too_large(self, scope: Scope, headers: Headers) -> bool:
        """Say whether the declared length of a body is too large or not a number."""
        size = length_of(headers)
        return size is None or size > self.most_bytes(scope)


def writes(scope: Scope) -> bool:
    """Say whether a request may change something."""
    return scope["method"] not in READS

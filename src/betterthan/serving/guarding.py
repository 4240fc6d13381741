"""What guards have in common: headers of every response, secrets compared, cookies read, bodies counted."""

import hmac
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Receive

READS = frozenset({"GET", "HEAD", "OPTIONS"})
#: Scripts and styles of the server alone, no frames, no other address.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: with it browsers send `Origin: null` with forms, and no write could be told from a foreign one.
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


def length_of(headers: Headers) -> int | None:
    """Return how long a body is said to be, None where that is no number."""
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

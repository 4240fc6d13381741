"""Who may ask: a browser that was given the token, on this machine's own address, from a page of ours."""

from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from betterthan.serving.guarding import HEADERS, POLICY, READS, bounded, cookie_of, length_of, same

#: Bytes of a request that is no upload: options are short.
_MOST_BYTES = 1024 * 1024
UPLOAD = "/upload"
_TOO_LARGE = "What was sent is too large."
_NO_TOKEN = "Open the address that betterthan printed: it holds the token of this workbench.\n"
_FOREIGN = "This request did not come from a page of this workbench.\n"
#: Intervals and shades are placed by attributes of style, which hold numbers of ours.
_POLICY = f"{POLICY}; style-src-attr 'unsafe-inline'"


class Guard:
    """Lets nothing through without the token; checks the host against rebinding, and the origin of every write."""

    def __init__(self, app: ASGIApp, *, token: str, port: int, most_bytes: int) -> None:
        self._app = app
        self._token = token
        self._cookie = f"betterthan-{port}"  # cookies do not tell ports apart
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = _POLICY
                headers["Cache-Control"] = "no-store"
            await send(message)

        answer = self._answer(scope)
        if answer is not None:
            await answer(scope, receive, sending)
            return
        most = self._most_bytes if scope["path"] == UPLOAD else _MOST_BYTES
        await self._app(scope, bounded(receive, most, _TOO_LARGE), sending)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the answer to a request that goes no further."""
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if host not in self._hosts:  # a name of another site that leads here
            return PlainTextResponse(_FOREIGN, 421)
        writes = scope["method"] not in READS
        if writes and headers.get("origin", "").lower() != f"http://{host}":
            return PlainTextResponse(_FOREIGN, 403)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] == "GET" and scope["path"] == "/" and given and same(given, self._token):
            return self._let_in()
        # Other ports of this machine are the same site, and other sites may not even load a picture.
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            return PlainTextResponse(_FOREIGN, 403)
        if not same(cookie_of(headers, self._cookie), self._token):
            return PlainTextResponse(_NO_TOKEN, 403)
        size = length_of(headers)
        if size is None or size > (self._most_bytes if scope["path"] == UPLOAD else _MOST_BYTES):
            return PlainTextResponse(_TOO_LARGE, 413, headers={"Connection": "close"})
        return None

    def _let_in(self) -> Response:
        """Keep the token where scripts cannot read it, and take it out of the address."""
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(self._cookie, self._token, path="/", httponly=True, samesite="strict")
        return answer

"""Who may ask: a browser that was given the token, on this machine's own address, from a page of ours."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Scope

from betterthan.web.server.request_guard import POLICY, RequestGuard, comes_from, cookie_of, same, set_cookie, writes

#: Bytes of a request that is no upload: options are short.
_MOST_BYTES = 1024 * 1024
UPLOAD = "/upload"
_NO_TOKEN = "Open the address that betterthan printed: it holds the token of this workbench.\n"
_FOREIGN = "This request did not come from a page of this workbench.\n"
#: Intervals and shades are placed by attributes of style, which hold numbers of ours.
_POLICY = f"{POLICY}; style-src-attr 'unsafe-inline'"


class WorkbenchGuard(RequestGuard):
    """Lets nothing through without the token; checks the host against rebinding, and the origin of every write."""

    def __init__(self, app: ASGIApp, *, token: str, port: int, most_bytes: int) -> None:
        super().__init__(app)
        self._token = token
        self._cookie = f"betterthan-{port}"  # cookies do not distinguish ports
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        self._most_bytes = most_bytes

    def most_bytes(self, scope: Scope) -> int:
        """Allow files where they are uploaded."""
        return self._most_bytes if scope["path"] == UPLOAD else _MOST_BYTES

    def headers(self, scope: Scope) -> Mapping[str, str]:
        """Allow attributes of style in addition to what every server allows."""
        return {**super().headers(scope), "Content-Security-Policy": _POLICY}

    def answer(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse who lacks the token, asks another host, or comes from another site; let in who brings the token."""
        host = headers.get("host", "").lower()
        if host not in self._hosts:  # a name of another site that leads here
            return PlainTextResponse(_FOREIGN, 421)
        if writes(scope) and not comes_from(headers, f"http://{host}"):
            return PlainTextResponse(_FOREIGN, 403)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] == "GET" and scope["path"] == "/" and given and same(given, self._token):
            return self._let_in()
        # Other ports of this machine are the same site, and other sites may not even load a picture.
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            return PlainTextResponse(_FOREIGN, 403)
        if not same(cookie_of(headers, self._cookie), self._token):
            return PlainTextResponse(_NO_TOKEN, 403)
        if self.is_too_large(scope, headers):
            return PlainTextResponse(self.too_large, 413, headers={"Connection": "close"})
        return None

    def _let_in(self) -> Response:
        """Keep the token where scripts cannot read it, and take it out of the address."""
        answer = RedirectResponse("/", status_code=303)
        set_cookie(answer, self._cookie, self._token, samesite="strict")
        return answer

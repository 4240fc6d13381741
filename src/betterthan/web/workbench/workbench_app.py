"""The workbench application: one page, its panels, uploads and downloads."""

import json
import secrets
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from betterthan.base import error_sentence
from betterthan.web.workbench import page_templates as pages
from betterthan.web.workbench.downloads import download
from betterthan.web.workbench.form_values import Said
from betterthan.web.workbench.open_files import MOST_BYTES, OpenFile
from betterthan.web.workbench.panels import (
    board_panel,
    code_panel,
    data_panel,
    diagnosis_panel,
    duel_panel,
    facts,
    pairs_panel,
    picture_panel,
)
from betterthan.web.workbench.request_queue import OvertakenError, RequestTurn
from betterthan.web.workbench.session import WorkbenchSession
from betterthan.web.workbench.workbench_guard import UPLOAD, WorkbenchGuard

Answer = dict[str, Any]


class Workbench:
    """Requests of pages, answered by a session."""

    def __init__(self, session: WorkbenchSession, state: Mapping[str, Any]) -> None:
        self.session = session
        self._state = state
        self._panels: dict[str, Callable[[Said, RequestTurn, Answer], Answer]] = {
            "data": self._data,
            "board": self._board,
            "pairs": self._pairs,
            "duel": self._duel,
            "diagnosis": self._diagnosis,
            "pictures": self._picture,
            "code": self._code,
        }

    def routes(self) -> list[Route]:
        """Return all addresses."""
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/static/{name}", self.static, methods=["GET"]),
            Route(UPLOAD, self._answering(self.upload), methods=["POST"]),
            Route("/forget", self._answering(self.forget), methods=["POST"]),
            Route("/panel/{name}", self._answering(self.panel), methods=["POST"]),
            Route("/download/{name}", self._answering(self.download), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Return the page."""
        del request
        return HTMLResponse(pages.page([_file(file) for file in self.session.files.all()], self._state))

    async def static(self, request: Request) -> Response:
        """Return the style or the script."""
        match request.path_params["name"]:
            case "workbench.css":
                return Response(pages.style(), media_type="text/css")
            case "workbench.js":
                return Response(pages.script(), media_type="text/javascript")
        raise HTTPException(404)

    async def upload(self, request: Request) -> Response:
        """Take a file in, block by block."""
        upload = self.session.files.begin(request.query_params.get("name", ""))
        try:
            async for block in request.stream():
                upload.write(block)
        except BaseException:
            upload.discard()
            raise
        return JSONResponse(_file(upload.finished()))

    async def forget(self, request: Request) -> Response:
        """Close a file."""
        sent = await _sent(request)
        self.session.files.forget(str(sent.get("key", "")))
        return JSONResponse({})

    async def panel(self, request: Request) -> Response:
        """Fill a panel."""
        name = request.path_params["name"]
        if name not in self._panels:
            raise HTTPException(404)
        sent = await _sent(request)
        step = "quick" if sent.get("quick") is True else ""
        turn = self.session.turns.begin(str(sent.get("tab", ""))[:40], name + step)
        return JSONResponse(await run_in_threadpool(self._filled, name, sent, turn))

    def _filled(self, name: str, sent: Answer, turn: RequestTurn) -> Answer:
        return self._panels[name](self._said(sent), turn, sent)

    def _said(self, sent: Answer) -> Said:
        return Said.of(sent.get("state"), lambda key: self.session.files[key].path)

    def _data(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        found = facts(self.session, said)
        try:
            return {**found, "html": pages.rendered("data.html", **data_panel(self.session, said, turn))}
        except Exception as error:
            if isinstance(error, OvertakenError):
                raise
            return {**found, "error": self._sentence(error)}

    def _board(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        quick = sent.get("quick") is True
        if quick and not self.session.has_quick(said):
            return {"html": ""}
        boards = self.session.boards(said, turn, quick=quick)
        return {"html": pages.rendered("board.html", pending=quick, **board_panel(boards))}

    def _pairs(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        pairs = self.session.pairs(said, turn)
        return {"html": pages.rendered("all-pairs.html", **pairs_panel(pairs, said.a))}

    def _duel(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        if not said.a or not said.b or said.a == said.b:
            return {"html": pages.rendered("duel.html", verdict="", tables=[], cards=[], signature="")}
        return {"html": pages.rendered("duel.html", **duel_panel(self.session.duel(said, turn)))}

    def _diagnosis(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        found = self.session.diagnosis(said, turn)
        parts = diagnosis_panel(found.sections)
        return {"html": pages.rendered("examined.html", parts=parts, signature=str(found.signature))}

    def _picture(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        return {"html": pages.rendered("picture.html", **picture_panel(self.session, said, turn))}

    def _code(self, said: Said, turn: RequestTurn, sent: Answer) -> Answer:
        return {"html": pages.rendered("code.html", **code_panel(self.session, said, turn))}

    async def download(self, request: Request) -> Response:
        """Return a result in a format, as a file."""
        what, _, ending = request.path_params["name"].partition(".")
        sent = await _sent(request)
        turn = self.session.turns.begin(secrets.token_hex(8), "download")

        def work() -> tuple[bytes, str]:
            return download(self.session, self._said(sent), what, ending, turn)

        content, kind = await run_in_threadpool(work)
        named = f'attachment; filename="{what}.{ending}"'
        return Response(content, media_type=kind, headers={"Content-Disposition": named})

    def _sentence(self, error: Exception) -> str:
        return self.session.files.plain(error_sentence(error)[0])

    def _answering(
        self, endpoint: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Answer whatever goes wrong in one sentence, as the command line does.

        It is no failure of HTTP: browsers would write every wrong option to the console.
        """

        async def answered(request: Request) -> Response:
            try:
                return await endpoint(request)
            except HTTPException:
                raise
            except (OvertakenError, ClientDisconnect, CancelledError):  # nobody waits for it, or the workbench closes
                return JSONResponse({"overtaken": True})
            except Exception as error:  # noqa: BLE001 (the visitor reads a sentence, never a traceback)
                return JSONResponse({"error": self._sentence(error)})

        return answered


def create_app(
    session: WorkbenchSession, *, token: str, port: int, state: Mapping[str, Any], most_bytes: int = MOST_BYTES
) -> Starlette:
    """Return the application; `state` is what a page begins with."""
    workbench = Workbench(session, state)
    guard = Middleware(WorkbenchGuard, token=token, port=port, most_bytes=most_bytes)
    return Starlette(routes=workbench.routes(), middleware=[guard])


async def _sent(request: Request) -> Answer:
    """Return the JSON body of a request with its content type, which forms of other sites cannot send."""
    if request.headers.get("content-type") != "application/json":
        raise HTTPException(415, "Only JSON is understood here.")
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "This is no JSON.") from None
    if not isinstance(sent, dict):
        raise HTTPException(400, "This is no request of a page.")
    return sent


def _file(file: OpenFile) -> Answer:
    """Describe a file for the page; uploads are known by their names, wherever they are kept."""
    path = file.name if file.uploaded else file.path
    return {"key": file.key, "name": file.name, "path": path, "size": file.size, "uploaded": file.uploaded}

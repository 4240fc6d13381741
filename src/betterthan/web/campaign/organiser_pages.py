"""The organiser's page: progress, judges and controls."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from betterthan.campaign import is_password, overview_of_campaign, write_export
from betterthan.web.campaign.campaign_guard import set_cookie
from betterthan.web.campaign.site import Site, Visitor, back, kept
from betterthan.web.campaign.task_forms import text_of

_STATES: dict[str, Literal["running", "paused", "closed"]] = {
    "running": "running",
    "paused": "paused",
    "closed": "closed",
}


#: Seconds after which the page looks again, and pairs that it lists.
_REFRESH, _SHOWN = 10, 12
_EXPORTS = (
    "judgments.jsonl",
    "judgments.csv",
    "judgments.parquet",
    "spreadsheet.csv",
    "campaign.zip",
    "audit.log.jsonl",
)


class Organiser:
    """The routes of the organiser."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._campaign = site.campaign

    def routes(self) -> list[Route]:
        """Return the routes with their methods."""
        return [
            Route("/login", self.login_page, methods=["GET"]),
            Route("/login", self.login, methods=["POST"]),
            Route("/organiser", self.board, methods=["GET"]),
            Route("/organiser/state", self.state, methods=["POST"]),
            Route("/organiser/export/{name}", self.export, methods=["GET"]),
            Route("/organiser/judges", self.add, methods=["POST"]),
            Route("/organiser/judges/{judge:int}/revoke", self.revoke, methods=["POST"]),
            Route("/organiser/judges/{judge:int}/link", self.link, methods=["POST"]),
        ]

    async def login_page(self, request: Request) -> Response:
        """Ask for the password."""
        return self._site.page(self._site.visitor(request), "login.html", wrong=False)

    async def login(self, request: Request) -> Response:
        """Log in with the password; guesses are limited, because each takes a tenth of a second (and by `Guard`)."""
        form = await request.form(max_files=0, max_fields=10)
        known = await kept(self._campaign.password())
        if not await run_in_threadpool(is_password, text_of(form, "password", 1000), known):
            return self._site.page(self._site.visitor(request), "login.html", 403, wrong=True)
        response = back("/organiser")
        set_cookie(response, await kept(self._campaign.admit_organiser()), secure=self._site.secure)
        return response

    async def board(self, request: Request) -> Response:
        """Show the campaign."""
        return await self._board(self._organiser(request))

    async def _board(self, visitor: Visitor, code: int = 200, *, link: str = "", invited: str = "") -> Response:
        campaign = self._campaign
        names = await kept(campaign.names())
        with campaign.writer.lock:
            found = overview_of_campaign(campaign.writer.state, campaign.options, campaign.chances, "")
            numbers = list(campaign.writer.state.people)
        rows = [(number, row, names.get(number, "")) for number, row in zip(numbers, found.judges, strict=True)]
        boards = campaign.board.get("leaderboards", [])
        return self._site.page(
            visitor,
            "organiser.html",
            code,
            found=found,
            state=found.state,
            judges=rows,
            link=link,
            invited=invited,
            rows=boards[0]["rows"] if boards else [],
            budget=campaign.options.budget,
            exports=_EXPORTS,
            settled=found.states["separated"] + found.states["equivalent"],
            undecided=[pair for pair in found.pairs if pair["state"] == "undecided"][:_SHOWN],
        )

    async def export(self, request: Request) -> Response:
        """Send an export: judgments, everything, or the log."""
        visitor = self._organiser(request)
        name = request.path_params["name"]
        if name not in _EXPORTS:
            raise HTTPException(404, visitor.words["refused"])
        folder = TemporaryDirectory(prefix="betterthan-")
        place = Path(folder.name) / name
        try:
            await run_in_threadpool(write_export, self._campaign, place, spreadsheet=name == "spreadsheet.csv")
        except BaseException:
            folder.cleanup()
            raise
        return FileResponse(place, filename=name, background=BackgroundTask(folder.cleanup))

    async def state(self, request: Request) -> Response:
        """Pause, continue, or close."""
        visitor = self._organiser(request)
        asked = text_of(await self._site.form(request, visitor), "state", 20)
        if asked not in _STATES:
            raise HTTPException(422, f"unknown state {asked!r}; allowed: {', '.join(_STATES)}.")
        await kept(self._campaign.set_state(_STATES[asked]))
        return back("/organiser")

    async def add(self, request: Request) -> Response:
        """Add a judge, and show their link once: only its digest is stored."""
        visitor = self._organiser(request)
        name = text_of(await self._site.form(request, visitor), "name", 200)
        if not name:
            raise HTTPException(422, "A judge needs a name; only you see it.")
        judge, invitation = await kept(self._campaign.add_judge(name))
        return await self._board(visitor, link=self._address(request, invitation), invited=judge.name)

    async def link(self, request: Request) -> Response:
        """Make a new link for a judge; older ones end."""
        visitor = self._organiser(request)
        await self._site.form(request, visitor)
        number = request.path_params["judge"]
        invitation = await kept(self._campaign.invite(number))
        return await self._board(visitor, link=self._address(request, invitation), invited=f"judge-{number}")

    async def revoke(self, request: Request) -> Response:
        """End a judge's link and sessions."""
        visitor = self._organiser(request)
        await self._site.form(request, visitor)
        await kept(self._campaign.revoke(request.path_params["judge"]))
        return back("/organiser")

    def _address(self, request: Request, invitation: str) -> str:
        base = self._site.origin or f"{request.url.scheme}://{request.headers.get('host', '')}"
        return f"{base}/join/{invitation}"

    def _organiser(self, request: Request) -> Visitor:
        visitor = self._site.visitor(request)
        if visitor.organiser:
            return visitor
        if visitor.judge is None:
            raise HTTPException(401, visitor.words["session_ended"])
        raise HTTPException(403, visitor.words["organiser_only"])

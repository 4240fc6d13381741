"""The organiser's page: how far the campaign is, who judges, and the switches."""

import asyncio
from typing import Literal

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from betterthan.campaign.people import Judge
from betterthan.web.forms import text_of
from betterthan.web.site import Site, Visitor, back, kept

_STATES: dict[str, Literal["running", "paused", "closed"]] = {
    "running": "running", "paused": "paused", "closed": "closed",
}  # fmt: skip


class Organiser:
    """The routes of the organiser."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._campaign = site.campaign

    def routes(self) -> list[Route]:
        """Return what is served, and by which method."""
        return [
            Route("/organiser", self.board, methods=["GET"]),
            Route("/organiser/state", self.state, methods=["POST"]),
            Route("/organiser/judges", self.add, methods=["POST"]),
            Route("/organiser/judges/{judge:int}/revoke", self.revoke, methods=["POST"]),
            Route("/organiser/judges/{judge:int}/link", self.link, methods=["POST"]),
        ]

    async def board(self, request: Request) -> Response:
        """Show the campaign."""
        return await self._board(self._organiser(request))

    async def _board(self, visitor: Visitor, *, link: str = "", invited: str = "") -> Response:
        # Names are read from the store, one by one: judges are served meanwhile.
        judges = await asyncio.to_thread(self._judges)
        return self._site.page(
            visitor, "organiser.html", state=self._campaign.state, judges=judges,
            done=sum(done or 0 for _, _, done in judges), budget=self._campaign.options.budget, link=link,
            invited=invited,
        )  # fmt: skip

    def _judges(self) -> list[tuple[Judge, str, int | None]]:
        """Return judges with their names and what they have done, which is not told of those who were revoked."""
        campaign = self._campaign
        return [
            (judge, campaign.identity(judge.number), None if judge.revoked else campaign.progress(judge.number).done)
            for judge in campaign.judges()
        ]

    async def state(self, request: Request) -> Response:
        """Pause, go on, or close."""
        visitor = self._organiser(request)
        asked = text_of(await self._site.form(request, visitor), "state", 20)
        if asked not in _STATES:
            raise HTTPException(422, f"unknown state {asked!r}; allowed: {', '.join(_STATES)}.")
        await kept(self._campaign.set_state(_STATES[asked]))
        return back("/organiser")

    async def add(self, request: Request) -> Response:
        """Add a judge, and show their link once: it is kept as a hash only."""
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

"""Shared state of all routes: campaign, user, language and page rendering."""

import asyncio
import re
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import jinja2
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from betterthan.campaign import Campaign, CampaignError, safe_html
from betterthan.web.campaign.campaign_guard import FOREIGN, csrf_token, session_of
from betterthan.web.campaign.translations import Words, choose, words
from betterthan.web.server.request_guard import same

Found = TypeVar("Found")

_TEMPLATES = Path(__file__).parent / "templates"
#: What a lease may look like; anything else is not looked up.
LEASE = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Visitor:
    """The user of a request: `judge` is a number for judges, None for the organiser and for people without a
    session.
    """

    session: str
    judge: int | None
    organiser: bool
    words: Words

    @property
    def csrf(self) -> str:
        """The token that this visitor's forms carry."""
        return csrf_token(self.session) if self.session else ""


async def kept(future: "Future[Found]") -> Found:
    """Wait until the campaign has kept something, without keeping others from being served."""
    return await asyncio.wrap_future(future)


class Site:
    """The campaign as used by its pages."""

    def __init__(self, campaign: Campaign, *, secure: bool, origin: str | None) -> None:
        self.campaign = campaign
        self.secure = secure
        self.origin = origin.rstrip("/") if origin else None
        self._languages: dict[int, tuple[str, ...]] = {}
        self._environment = jinja2.Environment(
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            loader=jinja2.FileSystemLoader(_TEMPLATES),
            auto_reload=False,
        )

    def visitor(self, request: Request) -> Visitor:
        """Return the user of a request."""
        session = session_of(request.headers)
        who = self.campaign.who(session) if session else None
        judge = who if isinstance(who, int) else None
        known = self._known_languages(judge) if judge is not None else ()
        language = choose(known, request.headers.get("accept-language", ""), self.campaign.options.language)
        return Visitor(session if who is not None else "", judge, who == "organiser", words(language))

    def _known_languages(self, judge: int) -> tuple[str, ...]:
        if judge not in self._languages:
            self._languages |= {each.number: each.languages for each in self.campaign.judges()}
        return self._languages.get(judge, ())

    async def form(self, request: Request, visitor: Visitor) -> FormData:
        """Return the values of a submitted form, which must carry the token of its session."""
        form = await request.form(max_files=0, max_fields=1000)
        sent = request.headers.get("x-csrf") or str(form.get("csrf", ""))
        if not visitor.session:
            raise HTTPException(401, visitor.words["session_ended"])
        if not same(sent, visitor.csrf):
            raise HTTPException(403, FOREIGN)
        return form

    def page(
        self, visitor: Visitor, template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        """Return a page."""
        options = self.campaign.options
        html = self._environment.get_template(template).render(
            t=visitor.words,
            csrf=visitor.csrf,
            title=options.title or visitor.words["untitled"],
            instructions=self.rendered(options.instructions),
            **{"progress": None, "judge": visitor.judge, "script": False, "refresh": 0, **values},
        )
        return HTMLResponse(html, status_code=status, headers=headers)

    def rendered(self, markdown: str) -> str:
        """Return the organiser's Markdown as HTML; it is made once, as long as the text stays the same."""
        return _rendered(markdown) if markdown else ""

    def refuse(self, request: Request, code: int, sentence: str, headers: dict[str, str]) -> Response:
        """Return one sentence that says why not: as JSON for programs, as a page for people."""
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": sentence}, status_code=code, headers=headers)
        try:
            visitor = self.visitor(request)
        except CampaignError:  # the store is away: what can be said without it
            options = self.campaign.options
            chosen = words(choose((), request.headers.get("accept-language", ""), options.language))
            visitor = Visitor("", None, False, chosen)
        return self.page(visitor, "refused.html", code, headers, sentence=sentence, code=code)


@lru_cache(maxsize=16)
def _rendered(markdown: str) -> str:
    return safe_html.to_html(markdown, markdown=True)


def back(path: str = "/") -> RedirectResponse:
    """Lead on after a form, so that a reload sends nothing again."""
    return RedirectResponse(path, status_code=303)

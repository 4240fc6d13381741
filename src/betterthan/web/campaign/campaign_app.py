"""The campaign application: pages, API and error responses."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from betterthan import __version__
from betterthan.campaign import Campaign, CampaignError, safe_html
from betterthan.web.campaign.api import api
from betterthan.web.campaign.campaign_guard import CampaignGuard
from betterthan.web.campaign.judge_pages import Pages
from betterthan.web.campaign.organiser_pages import Organiser
from betterthan.web.campaign.site import Site

_STATIC = Path(__file__).parent / "static"
_SENTENCES = {404: "There is nothing here.", 405: "This address does not take requests of this kind."}


def create_app(campaign: Campaign, *, secure: bool = False, origin: str | None = None) -> FastAPI:
    """Return the application that serves a campaign.

    `secure` says that browsers reach it by HTTPS; `origin` is the address that they reach it by, where a proxy is in
    front of it (`https://judge.example.org`).
    """
    site = Site(campaign, secure=secure, origin=origin)
    app = FastAPI(
        title="betterthan campaign",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        description="Programs judge here: exchange an invitation for a session, ask for tasks, answer them.",
    )
    app.include_router(api(campaign))
    colours = safe_html.css()

    async def code_colours(request: Request) -> Response:
        del request
        return Response(colours, media_type="text/css")

    app.router.routes += [
        *Pages(site).routes(),
        *Organiser(site).routes(),
        Route("/static/code.css", code_colours, methods=["GET"]),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]

    async def campaign_refused(request: Request, error: Exception) -> Response:
        code = getattr(error, "code", 400)
        return site.refuse(request, code, _sentence(str(error)), {"Retry-After": "1"} if code == 503 else {})

    async def http_refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code, said = error.status_code, str(error.detail)
        return site.refuse(
            request,
            code,
            _SENTENCES.get(code, said) if code == 405 or said == "Not Found" else said,
            dict(error.headers or {}),
        )

    async def not_understood(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return site.refuse(request, 422, f"{where}: {first['msg']}.", {})

    app.add_exception_handler(CampaignError, campaign_refused)
    app.add_exception_handler(HTTPException, http_refused)
    app.add_exception_handler(RequestValidationError, not_understood)
    app.add_middleware(CampaignGuard, refuse=site.refuse, origin=origin, secure=secure)
    return app


def _sentence(text: str) -> str:
    """Write a refusal as a sentence.

    >>> _sentence("there is no such task")
    'There is no such task.'
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"

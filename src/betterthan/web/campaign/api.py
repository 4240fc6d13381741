"""The API for programs that judge: sessions by invitation, tasks and answers, without cookies."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from betterthan.campaign import Campaign
from betterthan.campaign import tasks as campaign_tasks
from betterthan.web.campaign.api_types import (
    AnswerIn,
    Criterion,
    DraftIn,
    Invitation,
    ProblemIn,
    ProgressOut,
    ReceiptOut,
    Refusal,
    Session,
    SkipIn,
    TaskOut,
    TasksIn,
    TasksOut,
    progress_out,
    receipt_out,
    task_out,
)
from betterthan.web.campaign.site import LEASE, kept

_WHY: dict[int | str, dict[str, Any]] = {
    400: {"description": "The campaign does not understand this: criteria or numbers of ranks do not fit the task."},
    401: {"description": "There is no session, or it has ended."},
    403: {"description": "This session may not do that."},
    404: {"description": "There is no such thing, or it belongs to another judge."},
    409: {"description": "Something else was said before, with the same key or about the same task."},
    413: {"description": "The body is larger than 256 kB."},
    422: {"description": "The request is not of the form that is described here."},
    429: {"description": "Too many requests; `Retry-After` says for how many seconds to wait."},
    503: {"description": "Nothing can be kept right now; `Retry-After` says when to send it again."},
}
_bearer = HTTPBearer(auto_error=False, description="The session that POST /api/session returns.")
_Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
_Lease = Annotated[str, Path(pattern=f"^{LEASE.pattern}$", description="The name of a task.")]
_Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[A-Za-z0-9._~-]{8,200}$",
        description="Made by the program, anew for each answer: sent again with the same body, nothing is kept twice.",
    ),
]


def _answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    return {code: {"model": Refusal, **_WHY[code]} for code in (*codes, 413, 422, 429, 503)}


_JUDGING = _answers(400, 401, 403, 404, 409)


def api(campaign: Campaign) -> APIRouter:
    """Return the routes under /api."""
    router = APIRouter(prefix="/api", tags=["judging"])

    def judge(credentials: _Credentials) -> int:
        who = campaign.who(credentials.credentials) if credentials is not None else None
        if who is None:
            raise HTTPException(
                401,
                "There is no such session; exchange an invitation at POST /api/session.",
                {"WWW-Authenticate": "Bearer"},
            )
        if who == "organiser":
            raise HTTPException(403, "The organiser does not judge.")
        return who

    judging = Annotated[int, Depends(judge)]

    @router.post("/session", responses=_answers(400, 403, 404))
    async def enter(body: Invitation) -> Session:
        """Exchange an invitation for a session."""
        return Session(session=await kept(campaign.enter(body.invitation)))

    @router.post("/leave", status_code=204, responses=_answers(401, 403))
    async def leave(credentials: _Credentials, who: judging) -> Response:
        """End the session."""
        del who
        if credentials is not None:
            await kept(campaign.leave(credentials.credentials))
        return Response(status_code=204)

    @router.get("/progress", responses=_answers(401, 403))
    async def progress(who: judging) -> ProgressOut:
        """Describe how far the judge is."""
        return progress_out(campaign.progress(who))

    @router.post("/tasks", responses=_JUDGING)
    async def tasks(body: TasksIn, who: judging) -> TasksOut:
        """Return the tasks that the judge holds, handing out new ones until there are `number` of them."""
        handed = await kept(campaign.hand_out(who, body.number))
        return TasksOut(
            progress=progress_out(handed.progress),
            criteria=[Criterion(name=name, question=asked) for name, asked in campaign.options.asked],
            tasks=[task_out(task) for task in handed.tasks],
        )

    @router.post("/tasks/{lease}/answer", responses=_JUDGING)
    async def answer(lease: _Lease, key: _Key, body: AnswerIn, who: judging) -> ReceiptOut:
        """Keep an answer: for every criterion a rank per card, in the order of the cards; equal ranks are ties."""
        given = campaign_tasks.Answer(
            ranks={name: tuple(ranks) for name, ranks in body.ranks.items()},
            both_bad=body.both_bad,
            strength=body.strength,
            reason=body.reason,
            tags=tuple(body.tags),
            seconds=body.seconds,
        )
        return receipt_out(await kept(campaign.submit(who, lease, key, given)))

    @router.post("/tasks/{lease}/skip", responses=_JUDGING)
    async def skip(lease: _Lease, key: _Key, body: SkipIn, who: judging) -> ReceiptOut:
        """Give a task back, and say why."""
        return receipt_out(await kept(campaign.skip(who, lease, key, body.reason)))

    @router.post("/tasks/{lease}/problem", responses=_JUDGING)
    async def problem(lease: _Lease, body: ProblemIn, who: judging) -> ReceiptOut:
        """Report a problem with a task to the organiser; the task stays."""
        return receipt_out(await kept(campaign.complain(who, lease, body.text)))

    @router.post("/tasks/{lease}/draft", status_code=204, responses=_JUDGING)
    async def draft(lease: _Lease, body: DraftIn, who: judging) -> Response:
        """Keep what is known so far, in the fields of the page's form; the next draft takes its place."""
        await kept(campaign.keep_draft(who, lease, dict(body.draft)))
        return Response(status_code=204)

    @router.post("/undo", responses=_JUDGING)
    async def undo(who: judging) -> TaskOut:
        """Take the last answer back, and return its task again."""
        return task_out(await kept(campaign.undo(who)))

    return router

"""Pages for judges: plain forms that redirect to `/`."""

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from betterthan.campaign import Handed, tasks
from betterthan.web.campaign.campaign_guard import COOKIE, set_cookie
from betterthan.web.campaign.site import LEASE, Site, Visitor, back, kept
from betterthan.web.campaign.task_forms import Filled, draft_of, fields_of, filled, text_of, values_of
from betterthan.web.campaign.task_views import shown_task

#: Why a task may be skipped; each is a key of the catalogue (`skip_…`).
SKIP_REASONS = ("unclear", "cannot_tell", "language", "offensive", "broken", "other")
_WAIT_SECONDS = 10
_PRACTICE = re.compile(r"right|wrong(-[1-5]){2,5}")


class Pages:
    """The routes of judges."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._campaign = site.campaign

    def routes(self) -> list[Route]:
        """Return the routes with their methods."""
        return [
            Route("/", self.home, methods=["GET"]),
            Route("/join/{token}", self.invitation, methods=["GET"]),
            Route("/join", self.join, methods=["POST"]),
            Route("/leave", self.leave, methods=["POST"]),
            Route("/consent", self.consent, methods=["POST"]),
            Route("/questions", self.questions, methods=["POST"]),
            Route("/undo", self.undo, methods=["POST"]),
            Route("/task/{lease}", self.answer, methods=["POST"]),
            Route("/task/{lease}/skip", self.skip, methods=["POST"]),
            Route("/task/{lease}/problem", self.problem, methods=["POST"]),
            Route("/task/{lease}/draft", self.draft, methods=["POST"]),
        ]

    # Coming and going ---------------------------------------------------------------------------------------------
    async def invitation(self, request: Request) -> Response:
        """Show a button that accepts an invitation: opening the link alone, as previews do, changes nothing."""
        visitor = self._site.visitor(request)
        return self._site.page(visitor, "join.html", token=request.path_params["token"])

    async def join(self, request: Request) -> Response:
        """Exchange an invitation for a session."""
        form = await request.form(max_files=0, max_fields=10)
        session = await kept(self._campaign.enter(text_of(form, "token", 200)))
        response = back()
        set_cookie(response, session, secure=self._site.secure)
        return response

    async def leave(self, request: Request) -> Response:
        """End a session."""
        visitor = self._site.visitor(request)
        await self._site.form(request, visitor)
        await kept(self._campaign.leave(visitor.session))
        response = self._site.page(Visitor("", None, False, visitor.words), "stage.html", stage="left")
        response.delete_cookie(COOKIE, path="/", secure=self._site.secure, httponly=True, samesite="lax")
        return response

    # What comes next ----------------------------------------------------------------------------------------------
    async def home(self, request: Request) -> Response:
        """Show what a judge does next: a task, what comes before it, or why there is none."""
        visitor = self._site.visitor(request)
        if visitor.organiser:
            return back("/organiser")
        if visitor.judge is None:
            return self._site.page(visitor, "stage.html", 401, stage="no_session")
        handed = await kept(self._campaign.hand_out(visitor.judge))
        progress, stage = handed.progress, handed.progress.stage
        if stage == "judging" and handed.tasks:
            if self._is_tired(progress, request.query_params.get("rested", "")):
                return self._site.page(visitor, "stage.html", stage="break", progress=progress)
            said = request.query_params.get("practice", "")
            return self._task(visitor, progress, _current(handed), practice=said if _PRACTICE.fullmatch(said) else "")
        if stage == "consent":
            text, version = self._campaign.options.consent, progress.consent_version
            version = version or self._campaign.options.consent_version
            return self._site.page(visitor, "consent.html", text=self._site.rendered(text), version=version)
        if stage == "questions":
            asked = self._campaign.options.questions
            return self._site.page(visitor, "questions.html", questions=asked, values={}, lacking=())
        shown = "waiting" if stage == "judging" else stage
        refresh = _WAIT_SECONDS if shown in {"waiting", "paused"} else 0
        return self._site.page(
            visitor, "stage.html", stage=shown, progress=progress, refresh=refresh, script=refresh > 0
        )

    def _is_tired(self, progress: tasks.Progress, rested: str) -> bool:
        """Whether it is time for a break that this judge has not had."""
        every = self._campaign.options.breaks
        return every > 0 and progress.done > 0 and progress.done % every == 0 and rested != str(progress.done)

    def _task(
        self,
        visitor: Visitor,
        progress: tasks.Progress,
        task: tasks.Task,
        given: Filled | None = None,
        *,
        practice: str = "",
        code: int = 200,
    ) -> Response:
        """Show a task with what was filled in: just now, or in a draft."""
        options = self._campaign.options
        values: Mapping[str, Sequence[str]] = given.values if given is not None else values_of(task.draft)
        return self._site.page(
            visitor,
            "task.html",
            code,
            task=shown_task(task, options, values, given, visitor.words),
            progress=progress,
            key=secrets.token_urlsafe(18),
            options=options,
            practice=_practice(practice),
            skip_reasons=SKIP_REASONS,
            script=True,
        )

    # Before the first task ----------------------------------------------------------------------------------------
    async def consent(self, request: Request) -> Response:
        """Keep that a judge agreed."""
        visitor, judge = self._judge(request)
        form = await self._site.form(request, visitor)
        await kept(self._campaign.consent(judge, text_of(form, "version", 200)))
        return back()

    async def questions(self, request: Request) -> Response:
        """Keep what a judge says about themselves; a question that was left open is shown again."""
        visitor, judge = self._judge(request)
        form = await self._site.form(request, visitor)
        asked = self._campaign.options.questions
        said = {question: text_of(form, f"question-{number}") for number, question in enumerate(asked, 1)}
        lacking = tuple(question for question, answer in said.items() if not answer)
        if lacking:
            return self._site.page(visitor, "questions.html", 422, questions=asked, values=said, lacking=lacking)
        await kept(self._campaign.tell(judge, said))
        return back()

    # Judging ------------------------------------------------------------------------------------------------------
    async def answer(self, request: Request) -> Response:
        """Keep an answer; one that lacks a rank comes back with everything that was filled in."""
        visitor, judge, lease = self._holder(request)
        given = filled(await self._site.form(request, visitor), self._campaign.options)
        key = given.one("key")
        if not given.complete or not key:
            handed = await kept(self._campaign.hand_out(judge))
            task = next((each for each in handed.tasks if each.lease == lease), None)
            if task is None:
                raise HTTPException(404, visitor.words["task_gone"])
            return self._task(visitor, handed.progress, task, given, code=422)
        receipt = await kept(self._campaign.submit(judge, lease, key[:200], given.answer(self._campaign.options)))
        return back(_after(receipt))

    async def skip(self, request: Request) -> Response:
        """Give a task back."""
        visitor, judge, lease = self._holder(request)
        form = await self._site.form(request, visitor)
        chosen, more = text_of(form, "why", 20), text_of(form, "more", 1000)
        reason = ": ".join(part for part in (chosen if chosen in SKIP_REASONS else "other", more) if part)
        key = text_of(form, "key", 200) or secrets.token_urlsafe(18)
        await kept(self._campaign.skip(judge, lease, key, reason))
        return back()

    async def problem(self, request: Request) -> Response:
        """Report a problem; the task stays, and so does what was filled in."""
        visitor, judge, lease = self._holder(request)
        text = text_of(await self._site.form(request, visitor), "problem")
        if text:
            await kept(self._campaign.complain(judge, lease, text))
        return back()

    async def draft(self, request: Request) -> Response:
        """Keep what was filled in so far; a script gets no page back."""
        visitor, judge, lease = self._holder(request)
        form = await self._site.form(request, visitor)
        options = self._campaign.options
        given = draft_of(filled(form, options), options, all_equal=form.get("do") == "equal")
        await kept(self._campaign.keep_draft(judge, lease, given))
        return Response(status_code=204) if request.headers.get("x-csrf") else back()

    async def undo(self, request: Request) -> Response:
        """Take the last answer back; `/` shows its task again, filled in."""
        visitor, judge = self._judge(request)
        form = await self._site.form(request, visitor)
        task = await kept(self._campaign.undo(judge, text_of(form, "last", 200) or None))
        await kept(self._campaign.keep_draft(judge, task.lease, fields_of(task.said or {})))
        return back()

    def _judge(self, request: Request) -> tuple[Visitor, int]:
        visitor = self._site.visitor(request)
        if visitor.organiser:
            raise HTTPException(403, visitor.words["judges_only"])
        if visitor.judge is None:
            raise HTTPException(401, visitor.words["session_ended"])
        return visitor, visitor.judge

    def _holder(self, request: Request) -> tuple[Visitor, int, str]:
        """Return the judge and the task of a request; the campaign checks that the judge holds it."""
        visitor, judge = self._judge(request)
        lease = request.path_params["lease"]
        if not LEASE.fullmatch(lease):
            raise HTTPException(404, visitor.words["task_gone"])
        return visitor, judge, lease


def _current(handed: Handed) -> tasks.Task:
    """Return the task to show: one that was taken back comes before the one that was next."""
    return next((task for task in handed.tasks if task.again), handed.tasks[0])


def _after(receipt: tasks.Receipt) -> str:
    """Report where to go after an answer; practice takes along whether it was as expected, and nothing else does."""
    if receipt.right is None:
        return "/"
    said = "right" if receipt.right else "-".join(["wrong", *map(str, receipt.expected)])
    return "/?" + urlencode({"practice": said})


def _practice(said: str) -> dict[str, Any] | None:
    """Return the feedback on the last answer in training."""
    if not said:
        return None
    word, *ranks = said.split("-")
    return {
        "right": word == "right",
        "expected": [(letter, rank) for letter, rank in zip("ABCDE", ranks, strict=False)],
    }

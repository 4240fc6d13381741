"""A campaign that runs: what is asked of it goes through one writer, and is answered once it is kept."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from betterthan.campaign.material import Material
from betterthan.campaign.tasks import Answer, Progress, Receipt, Task
from betterthan.options.campaign import CampaignOptions


@dataclass(frozen=True)
class Handed:
    """What a judge has in hand, and how far they are; no tasks where the stage is not `judging`."""

    progress: Progress
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Judge:
    """A judge without their identity: `name` is a pseudonym such as `judge-3`."""

    number: int
    name: str
    kind: Literal["person", "program"]
    languages: tuple[str, ...]
    conflicts: tuple[str, ...]
    revoked: bool


class Campaign:
    """One open campaign.

    What changes something returns a Future: it is done when the change is on disk, and fails with a CampaignError whose
    `code` is that of HTTP (400, 403, 404, 409, 503). What only looks answers at once. All of it may be called from any
    thread.
    """

    options: CampaignOptions
    material: Material
    state: Literal["running", "paused", "closed"]

    # Judges -------------------------------------------------------------------------------------------------------
    def hand_out(self, judge: int, number: int = 1) -> "Future[Handed]":
        """Return the tasks that a judge holds, handing out new ones until there are `number` of them."""

    def submit(self, judge: int, lease: str, key: str, answer: Answer) -> "Future[Receipt]":
        """Keep an answer. The same key with the same answer gives the first receipt; with another one, a conflict."""

    def skip(self, judge: int, lease: str, key: str, reason: str) -> "Future[Receipt]":
        """Give a task back, and say why."""

    def complain(self, judge: int, lease: str, text: str) -> "Future[Receipt]":
        """Report a problem with a task to the organiser; the task stays."""

    def undo(self, judge: int) -> "Future[Task]":
        """Take the judge's last answer back, and hand out the same task again."""

    def keep_draft(self, judge: int, lease: str, draft: dict[str, Any]) -> "Future[None]":
        """Keep what was filled in so far; the next draft of the task takes its place."""

    def consent(self, judge: int, version: str) -> "Future[None]":
        """Keep that a judge agreed to this version of the consent text."""

    def tell(self, judge: int, answers: dict[str, str]) -> "Future[None]":
        """Keep what a judge said about themselves."""

    def progress(self, judge: int) -> Progress:
        """Say how far a judge is."""

    # Who is who ---------------------------------------------------------------------------------------------------
    def enter(self, invitation: str) -> "Future[str]":
        """Exchange an invitation for the secret of a session; an invitation works until it ends or is revoked."""

    def who(self, session: str) -> "int | Literal['organiser'] | None":
        """Say whose session this is, None where there is no such session, or none any more."""

    def leave(self, session: str) -> "Future[None]":
        """End a session."""

    def invite_organiser(self) -> "Future[str]":
        """Return an invitation for the organiser that works once, and ends after an hour."""

    # Organisers ---------------------------------------------------------------------------------------------------
    def add_judge(
        self, name: str, *, kind: Literal["person", "program"] = "person", languages: Sequence[str] = (),
        conflicts: Sequence[str] = (),
    ) -> "Future[tuple[Judge, str]]":  # fmt: skip
        """Add a judge, and return them with an invitation; the real name is kept apart and can be erased."""

    def invite(self, judge: int) -> "Future[str]":
        """Return a new invitation for a judge; older ones end."""

    def revoke(self, judge: int) -> "Future[None]":
        """End a judge's invitations and sessions; what they judged stays."""

    def erase(self, judge: int) -> "Future[None]":
        """Forget who a judge is; what they judged stays under their pseudonym."""

    def exclude(self, judge: int, reason: str, *, excluded: bool = True) -> "Future[None]":
        """Leave a judge's answers out of the evidence, or take them back in."""

    def set_state(self, state: Literal["running", "paused", "closed"]) -> "Future[None]":
        """Pause, go on, or close."""

    def change(self, **options: Any) -> "Future[None]":
        """Change options that may change while it runs (budget, limits, margin, texts)."""

    def judges(self) -> tuple[Judge, ...]:
        """Return the judges."""

    def identity(self, judge: int) -> str:
        """Return a judge's real name, or nothing once it was erased."""

    def close(self) -> None:
        """Finish what is waiting, and let go of the store."""

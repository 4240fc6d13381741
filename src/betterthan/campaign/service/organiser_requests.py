"""Requests of organisers, and the list of judges."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Literal

from betterthan.base import spelling
from betterthan.campaign.campaign_errors import CampaignError, ConflictError, ForbiddenError, UnknownError
from betterthan.campaign.log.campaign_state import CampaignState, Mode
from betterthan.campaign.log.events import ORGANISER, Note, Who, hashed, new_secret
from betterthan.campaign.log.judge_records import JudgeRecord, Person
from betterthan.campaign.material.material import Material
from betterthan.campaign.service.answer_checks import check_text
from betterthan.campaign.service.passwords import hashed_password
from betterthan.campaign.store.campaign_store import Store
from betterthan.campaign.store.event_writer import PendingWrite, Writer
from betterthan.options import CampaignOptions
from betterthan.verbs.collect import policy_of

#: Seconds that invitations and sessions last, and the organiser's invitation.
_INVITED, _SESSION, _ONCE = 90 * 86_400.0, 30 * 86_400.0, 3600.0
#: Characters of all options that are changed at once: instructions may be long.
_LONGEST = 1_000_000
#: What may not change once judges have begun: decisions would depend on what was seen, or answers not fit together.
_FIXED = frozenset({"way", "criteria", "policy", "level", "margin", "unit", "overlap", "documents"})


class Organised:
    """The part of a campaign that manages judges and organisers."""

    store: Store
    material: Material
    writer: Writer

    @property
    def options(self) -> CampaignOptions:
        """How it is run."""
        return self.writer.state.options

    @property
    def state(self) -> Mode:
        """Whether it is running, paused or closed."""
        return self.writer.state.mode

    # Judges and organisers ----------------------------------------------------------------------------------------
    def enter(self, invitation: str) -> "Future[str]":
        """Exchange an invitation for the secret of a session; an invitation works until it ends or is revoked."""

        def work(turn: PendingWrite) -> str:
            mark = hashed(invitation)
            who, until, _ = turn.state.invitations.get(mark, (None, 0.0, False))
            if who is None or until <= turn.at:
                raise ForbiddenError("this invitation is not valid, or has expired", remedy="Ask for a new link.")
            session = new_secret()
            body = {"invitation": mark, "session": hashed(session), "who": who, "until": turn.at + _SESSION}
            turn.record("entered", body)
            return session

        return self.writer.ask(work)

    def who(self, session: str) -> Who | None:
        """Return the owner of a session, None if it does not exist or has ended."""
        with self.writer.lock:
            who, until = self.writer.state.sessions.get(hashed(session), (None, 0.0))
            return who if until > max(self.writer.state.at, self.writer.now()) else None

    def leave(self, session: str) -> "Future[None]":
        """End a session."""
        return self.writer.ask(lambda turn: _nothing(turn.record("left", {"session": hashed(session)})))

    def invite_organiser(self) -> "Future[str]":
        """Return an invitation for the organiser that works once, and ends after an hour."""
        return self.writer.ask(lambda turn: _invitation(turn, ORGANISER, _ONCE, once=True))

    def set_password(self, password: str) -> "Future[None]":
        """Set the organisers' password; "" removes it."""
        kept = hashed_password(password) if password else None
        return self.writer.ask(lambda turn: turn.note(Note("password", ORGANISER, kept)))

    def password(self) -> "Future[str]":
        """Return the digest of the organisers' password, or nothing where there is none."""
        return self.writer.ask(lambda turn: self.store.notes("password").get(ORGANISER, ""))

    def admit_organiser(self) -> "Future[str]":
        """Return the secret of a session for someone who knew the password."""

        def work(turn: PendingWrite) -> str:
            session = new_secret()
            body = {"invitation": "", "session": hashed(session), "who": ORGANISER, "until": turn.at + _SESSION}
            turn.record("entered", body)
            return session

        return self.writer.ask(work)

    # Organisers -------------------------------------------------------------------------------------------------
    def add_judge(
        self,
        name: str,
        *,
        kind: Literal["person", "program"] = "person",
        languages: Sequence[str] = (),
        conflicts: Sequence[str] = (),
    ) -> "Future[tuple[JudgeRecord, str]]":
        """Add a judge, and return them with an invitation; the real name is stored separately and can be erased."""

        def work(turn: PendingWrite) -> tuple[JudgeRecord, str]:
            for text in (name, *languages):
                check_text(text)
            if unknown := set(conflicts) - set(self.material.systems):
                known = ", ".join(self.material.systems)
                raise CampaignError(f"there is no system {sorted(unknown)[0]!r}", allowed=known)
            number = len(turn.state.people) + 1
            body = {"judge": number, "kind": kind, "languages": list(languages), "conflicts": list(conflicts)}
            turn.record("judge", body)
            turn.note(Note("name", str(number), name))
            return turn.state.people[number].judge, _invitation(turn, number, _INVITED)

        return self.writer.ask(work)

    def invite(self, judge: int) -> "Future[str]":
        """Return a new invitation for a judge; older ones end."""

        def work(turn: PendingWrite) -> str:
            person = turn.state.people.get(judge)
            if person is None:
                raise UnknownError(f"there is no judge {judge}")
            if person.judge.revoked:
                raise ConflictError(f"{person.judge.name} was revoked", remedy="Add them as a new judge.")
            return _invitation(turn, judge, _INVITED)

        return self.writer.ask(work)

    def revoke(self, judge: int) -> "Future[None]":
        """End a judge's invitations and sessions; what they judged stays."""
        return self._of_judge(judge, lambda turn: turn.record("revoked", {"judge": judge}))

    def erase(self, judge: int) -> "Future[None]":
        """Forget who a judge is; what they judged stays under their pseudonym."""

        def work(turn: PendingWrite) -> None:
            turn.note(Note("name", str(judge), None))
            turn.note(Note("told", str(judge), None))

        return self._of_judge(judge, work)

    def exclude(self, judge: int, reason: str, *, excluded: bool = True) -> "Future[None]":
        """Leave a judge's answers out of the evidence, or take them back in."""
        check_text(reason)
        body = {"judge": judge, "reason": reason, "excluded": excluded}
        return self._of_judge(judge, lambda turn: turn.record("excluded", body))

    def _of_judge(self, judge: int, work: Callable[[PendingWrite], object]) -> "Future[None]":
        def checked(turn: PendingWrite) -> None:
            if judge not in turn.state.people:
                raise UnknownError(f"there is no judge {judge}")
            work(turn)

        return self.writer.ask(checked)

    def set_state(self, state: Mode) -> "Future[None]":
        """Pause, continue, or close."""

        def work(turn: PendingWrite) -> None:
            if turn.state.mode == "closed" and state == "paused":
                raise ConflictError("the campaign is closed", remedy="Resume it first.")
            if turn.state.mode != state:
                turn.record("state", {"state": state})

        return self.writer.ask(work)

    def change(self, **options: Any) -> "Future[None]":
        """Change options that may change while it runs (budget, limits, checks, texts)."""

        def work(turn: PendingWrite) -> None:
            begun = any(lease.purpose == "judgment" for lease in turn.state.leases.values())
            if begun and (fixed := sorted(_FIXED & set(options))):
                raise ConflictError(
                    f"{spelling.option(fixed[0])} cannot change once judges have begun", remedy="Make a new campaign."
                )
            check_options(turn.state.options.changed(**options), self.material)
            check_text(json.dumps(options, ensure_ascii=False, default=list), _LONGEST)
            turn.record("changed", options)

        return self.writer.ask(work)

    def judges(self) -> tuple[JudgeRecord, ...]:
        """Return the judges."""
        with self.writer.lock:
            return tuple(person.judge for person in self.writer.state.people.values())

    def names(self) -> "Future[dict[int, str]]":
        """Return the real names of judges, but for those that were erased."""

        def work(_: PendingWrite) -> dict[int, str]:
            return {int(judge): name for judge, name in self.store.notes("name").items()}

        return self.writer.ask(work)

    def identity(self, judge: int) -> str:
        """Return a judge's real name, or nothing once it was erased."""
        return self.names().result().get(judge, "")


def person_of(state: CampaignState, judge: int) -> Person:
    """Return the record of a judge, who must exist and not be revoked."""
    person = state.people.get(judge)
    if person is None:
        raise UnknownError(f"there is no judge {judge}")
    if person.judge.revoked:
        raise ForbiddenError("you are no longer a judge of this campaign")
    return person


def check_options(options: CampaignOptions, material: Material) -> None:
    """Refuse options that contradict each other, or what is judged."""
    policy_of(options.policy)
    if options.way > len(material.systems):
        raise CampaignError(
            f"{spelling.option('way')} is {options.way}, but there are only {len(material.systems)} systems"
        )
    if options.strength and options.way > 2:
        raise CampaignError(
            f"{spelling.option('strength')} works with pairs only", remedy=f"Use it with {spelling.option('way', 2)}."
        )
    names = [name for name, _ in options.asked]
    if not names or len(set(names)) < len(names) or not all(names):
        raise CampaignError(f"{spelling.option('criteria')} needs names that differ")
    if options.gold and not material.gold:
        raise CampaignError(f"{spelling.option('gold')} asks for checks, but there are none", remedy=_give("checks"))
    if options.training and not material.training:
        what = f"{spelling.option('training')} asks for practice tasks, but there are none"
        raise CampaignError(what, remedy=_give("practice"))
    if options.gold + options.repeats >= 1:
        what = f"{spelling.option('gold')} and {spelling.option('repeats')} together leave no room for judgments"
        raise CampaignError(what, remedy="Make them smaller.")


def _give(name: str) -> str:
    return f"Give comparisons with known answers with {spelling.option(name)}."


def _invitation(turn: PendingWrite, who: Who, lasts: float, *, once: bool = False) -> str:
    secret = new_secret()
    turn.record("invited", {"who": who, "invitation": hashed(secret), "until": turn.at + lasts, "once": once})
    return secret


def _nothing(_: object) -> None:
    return None

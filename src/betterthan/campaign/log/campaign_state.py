"""The state of a campaign, computed from its log: permissions, tasks and answers."""

import heapq
from dataclasses import replace
from typing import Any, Literal

from betterthan.campaign.log.comparison_load import Load
from betterthan.campaign.log.events import ORGANISER, Event, Who
from betterthan.campaign.log.judge_records import JudgeRecord, Lease, Person
from betterthan.options import CampaignOptions

Mode = Literal["running", "paused", "closed"]


class CampaignState:
    """The state that follows from the log; only `apply` changes it."""

    def __init__(self, systems: tuple[str, ...], items: int) -> None:
        self.systems = systems
        self.load = Load(len(systems), items)
        self.number = 0
        self.at = 0.0
        self.options = CampaignOptions()
        self.options_number = 0
        self.mode: Mode = "running"
        self.people: dict[int, Person] = {}
        self.leases: dict[str, Lease] = {}
        self.invitations: dict[
            str, tuple[Who, float, bool]
        ] = {}  # by digest: the owner, the end, and whether it is valid once
        self.sessions: dict[str, tuple[Who, float]] = {}
        self.complaints: list[Event] = []
        self.skips: list[Event] = []
        self.kept: list[Lease] = []  # comparisons that are evidence, in the order in which they were answered
        self.taken_back = 0  # how often evidence was withdrawn: who added it up has to begin again
        self._ends: list[tuple[float, str]] = []

    def apply(self, event: Event) -> None:
        """Take in the next line of the log."""
        assert event.number == self.number + 1, "lines are read in order"
        self.pass_time(event.at)
        getattr(self, f"_{event.kind}")(event, event.body)
        self.number = event.number

    def pass_time(self, at: float) -> None:
        """End leases whose time is over."""
        self.at = max(self.at, at)
        while self._ends and self._ends[0][0] <= self.at:
            lease = self.leases[heapq.heappop(self._ends)[1]]
            if lease.status == "open":
                lease.status = "ended"
                self._let_go(lease)

    def _let_go(self, lease: Lease) -> None:
        """Nobody holds this any more."""
        person = self.people[lease.judge]
        person.open.pop(lease.name, None)
        if lease.purpose == "judgment" and lease.holds:
            self.load.hold(lease, -1)
        if lease.purpose != "training":
            person.handed -= 1

    def _end(self, person: Person) -> None:
        """End all tasks of a judge."""
        for lease in list(person.open.values()):
            lease.status = "ended"
            self._let_go(lease)

    # Settings ---------------------------------------------------------------------------------------------------
    def _created(self, event: Event, body: dict[str, Any]) -> None:
        self.options = CampaignOptions.of(**body["options"])
        self.options_number = event.number

    def _changed(self, event: Event, body: dict[str, Any]) -> None:
        self.options = self.options.changed(**body)
        self.options_number = event.number

    def _state(self, _: Event, body: dict[str, Any]) -> None:
        self.mode = body["state"]
        if self.mode == "closed":
            for person in self.people.values():
                self._end(person)

    # Judges and organisers ----------------------------------------------------------------------------------------
    def _judge(self, _: Event, body: dict[str, Any]) -> None:
        languages, conflicts = (tuple(body.get(name, ())) for name in ("languages", "conflicts"))
        judge = JudgeRecord(body["judge"], f"judge-{body['judge']}", body["kind"], languages, conflicts)
        self.people[judge.number] = Person(judge)

    def _invited(self, _: Event, body: dict[str, Any]) -> None:
        if body["who"] != ORGANISER:
            self.invitations = {mark: each for mark, each in self.invitations.items() if each[0] != body["who"]}
        self.invitations[body["invitation"]] = (body["who"], body["until"], body.get("once", False))

    def _entered(self, _: Event, body: dict[str, Any]) -> None:
        mark = body["invitation"]  # nothing where a password was given
        if mark and self.invitations[mark][2]:
            del self.invitations[mark]
        self.sessions[body["session"]] = (body["who"], body["until"])

    def _left(self, _: Event, body: dict[str, Any]) -> None:
        self.sessions.pop(body["session"], None)

    def _revoked(self, _: Event, body: dict[str, Any]) -> None:
        who = body["judge"]
        self._describe(who, revoked=True)
        self.invitations = {mark: each for mark, each in self.invitations.items() if each[0] != who}
        self.sessions = {mark: each for mark, each in self.sessions.items() if each[0] != who}
        self._end(self.people[who])

    def _excluded(self, _: Event, body: dict[str, Any]) -> None:
        person = self.people[body["judge"]]
        if person.judge.excluded == body["excluded"]:
            return
        self._describe(body["judge"], excluded=body["excluded"])
        for name in (*person.last, *person.identical):
            if (lease := self.leases[name]).counts:
                self.load.do(lease, -1 if body["excluded"] else 1)
        self._keep_again()

    def _keep_again(self) -> None:
        """Begin again with what is evidence, after something was withdrawn or put back."""
        answered = (lease for lease in self.leases.values() if lease.counts and lease.status == "answered")
        kept = (lease for lease in answered if not self.people[lease.judge].judge.excluded)
        self.kept = sorted(kept, key=lambda lease: lease.number)
        self.taken_back += 1

    @property
    def answers(self) -> int:
        """How many comparisons are evidence."""
        return len(self.kept)

    def _describe(self, judge: int, **facts: Any) -> None:
        self.people[judge].judge = replace(self.people[judge].judge, **facts)

    def _consented(self, _: Event, body: dict[str, Any]) -> None:
        self.people[body["judge"]].consented = body["version"]

    def _told(self, _: Event, body: dict[str, Any]) -> None:
        self.people[body["judge"]].told = True

    # Judging ----------------------------------------------------------------------------------------------------
    def _leased(self, event: Event, body: dict[str, Any]) -> None:
        lease = self._made(event, body, body["until"])
        person = self.people[lease.judge]
        self.leases[lease.name] = person.open[lease.name] = lease
        heapq.heappush(self._ends, (lease.expires_at, lease.name))
        self._see(person, lease)
        if lease.purpose != "training":
            person.handed += 1
        if lease.purpose == "judgment":
            # What was undone comes again to the same judge, and its place may be taken by then.
            lease.holds = not lease.of or self.has_room(lease)
            if lease.holds:
                self.load.hold(lease)
            if self.options.documents:
                person.document = lease
        elif lease.purpose == "repeat":
            person.repeated |= {lease.of, lease.name}
        elif lease.purpose == "gold":
            person.checked.add(lease.check)

    def _identical(self, event: Event, body: dict[str, Any]) -> None:
        """Outputs that are the same need no judge: a tie, which this one would have had to say."""
        lease = self._made(event, body, event.at)
        ranks = {name: (1,) for name, _ in self.options.asked}
        lease.status, lease.answer, lease.number = "answered", {"ranks": ranks, "identical": True}, event.number
        lease.answered_at, lease.counts = event.at, True
        self.leases[lease.name] = lease
        person = self.people[lease.judge]
        person.identical.append(lease.name)
        self._see(person, lease)
        if not person.judge.excluded:
            self.load.do(lease)
            self.kept.append(lease)

    def _made(self, event: Event, body: dict[str, Any], until: float) -> Lease:
        cards = tuple(map(tuple, body["cards"]))
        return Lease(
            body["lease"],
            body["judge"],
            body["purpose"],
            body["item"],
            cards,
            event.at,
            until,
            body.get("chance", 1.0),
            body.get("item_chance", 1.0),
            body.get("version", 0),
            body.get("check", -1),
            body.get("of", ""),
            tuple(body.get("order", ())),
            settings=self.options_number,
        )

    def _see(self, person: Person, lease: Lease) -> None:
        if lease.purpose == "judgment":
            for pair in self.load.pairs(lease.systems):
                person.seen.setdefault(pair, []).append(lease.item)

    def _answered(self, event: Event, body: dict[str, Any]) -> None:
        lease = self.leases[body["lease"]]
        person = self.people[lease.judge]
        lease.late = lease.status == "ended"
        if not lease.late:
            self._let_go(lease)
        self._finish(lease, "answered", event, body)
        lease.answer = {name: value for name, value in body.items() if name not in {"lease", "key", "mark"}}
        person.last.append(lease.name)
        if (seconds := body.get("seconds")) is not None:
            person.seconds.append(seconds)
        if lease.purpose != "training":
            person.handed += 1
            person.done += 1
        if lease.purpose == "judgment":
            person.answered += 1
            # What comes late may find its place taken, or the campaign closed: it is no evidence then.
            lease.counts = self.mode != "closed" and ((lease.holds and not lease.late) or self.has_room(lease))
            if lease.counts and not person.judge.excluded:
                self.load.do(lease)
                self.kept.append(lease)
        elif lease.purpose == "training":
            person.trained += 1
        elif lease.purpose == "gold":
            person.right, person.wrong = person.right + body["right"], person.wrong + (not body["right"])

    def _finish(self, lease: Lease, status: Literal["answered", "skipped"], event: Event, body: dict[str, Any]) -> None:
        lease.status, lease.number, lease.answered_at = status, event.number, event.at
        lease.key, lease.mark = body["key"], body["mark"]

    def has_room(self, lease: Lease) -> bool:
        """Whether there is room for one more comparison of these systems on this item."""
        options, load, pairs = self.options, self.load, self.load.pairs(lease.systems)
        limits = [
            (options.budget, load.comparisons + load.comparisons_held),
            (options.per_item, int(load.on_items[lease.item])),
            *((options.overlap, int(load.on_item(pair)[lease.item])) for pair in pairs),
            *((options.per_pair, int(load.done[pair] + load.held[pair])) for pair in pairs),
        ]
        return all(limit is None or so_far < limit for limit, so_far in limits)

    def _skipped(self, event: Event, body: dict[str, Any]) -> None:
        lease = self.leases[body["lease"]]
        if lease.status == "open":
            self._let_go(lease)
        self._finish(lease, "skipped", event, body)
        if lease.purpose == "training":
            self.people[lease.judge].trained += 1
        self.people[lease.judge].document = None
        self.skips.append(event)

    def _complained(self, event: Event, _: dict[str, Any]) -> None:
        self.complaints.append(event)

    def _undone(self, _: Event, body: dict[str, Any]) -> None:
        lease = self.leases[body["lease"]]
        person = self.people[lease.judge]
        person.last.remove(lease.name)
        lease.status = "undone"
        if lease.purpose != "training":
            person.handed -= 1
            person.done -= 1
        if lease.purpose == "judgment":
            person.answered -= 1
            if lease.counts and not person.judge.excluded:
                self.load.do(lease, -1)
                # A new list, because readers of the old one continue undisturbed.
                self.kept = [each for each in self.kept if each is not lease]
                self.taken_back += 1
        elif lease.purpose == "training":
            person.trained -= 1
        elif lease.purpose == "gold":
            right = lease.answer["right"]
            person.right, person.wrong = person.right - right, person.wrong - (not right)

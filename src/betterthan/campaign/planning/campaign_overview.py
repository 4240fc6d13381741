"""The overview of a campaign: decided pairs, progress of judges, and what needs attention."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, ClassVar

from betterthan.campaign.log.campaign_state import CampaignState, Mode
from betterthan.campaign.log.judge_records import Lease, Person
from betterthan.campaign.policies.chance_table import Chances
from betterthan.findings import counted
from betterthan.options import CampaignOptions
from betterthan.present import Column, Table, wrapped
from betterthan.results import Result

#: A judge who answered within this many seconds is active.
_ACTIVE = 600.0


@dataclass(frozen=True)
class JudgeRow:
    """One judge: comparisons done and held, median seconds of each, hours in all, checks passed, repeats alike."""

    judge: str
    kind: str
    done: int
    held: int
    skipped: int
    seconds: float | None
    hours: float
    checks: str
    repeats: str
    state: str


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Overview(Result):
    """The overview of a campaign."""

    verb: ClassVar[str] = "campaign"
    schema: ClassVar[str] = "campaign/1"
    holds = (
        "title",
        "state",
        "answers",
        "handed_out",
        "active",
        "states",
        "judges",
        "pairs",
        "forecast",
        "ties",
        "first_shown",
        "complaints",
        "skips",
    )

    settings: CampaignOptions
    title: str
    state: Mode
    answers: int
    handed_out: int
    active: int
    judges: tuple[JudgeRow, ...]
    pairs: tuple[dict[str, Any], ...]
    forecast: tuple[dict[str, Any], ...]
    ties: float | None
    first_shown: float | None  # share of decided pairs in which the one shown first won
    complaints: tuple[str, ...]
    skips: tuple[str, ...]

    @property
    def states(self) -> dict[str, int]:
        """How many pairs are separated, equivalent and undecided."""
        every = [pair["state"] for pair in self.pairs]
        separated = sum(state in {"first", "second"} for state in every)
        return {"separated": separated, **{name: every.count(name) for name in ("equivalent", "undecided")}}

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per judge."""
        names = list(JudgeRow.__dataclass_fields__)
        return {name: [getattr(row, name) for row in self.judges] for name in names}

    def tables(self) -> list[Table]:
        """Return the judges."""
        columns = [
            Column("judge", "left", flexible=True),
            Column("done"),
            Column("held"),
            Column("skipped", optional=1),
        ]
        columns += [Column("seconds"), Column("hours", optional=2), Column("checks"), Column("repeats", optional=3)]
        columns += [Column("", "left")]
        rows = [
            [
                row.judge,
                str(row.done),
                str(row.held),
                str(row.skipped),
                "" if row.seconds is None else f"{row.seconds:.0f}",
                f"{row.hours:.1f}",
                row.checks,
                row.repeats,
                row.state,
            ]
            for row in self.judges
        ]
        return [Table(columns, rows)]

    @property
    def verdict(self) -> str:
        """Return a sentence on how many pairs are decided."""
        states, total = self.states, len(self.pairs)
        if not total:
            return "No judgments yet."
        settled = states["separated"] + states["equivalent"]
        equal = f", {states['equivalent']} equal within {self.settings.margin:g}" if self.settings.margin else ""
        text = f"{settled} of {counted(total, 'pair')} decided ({states['separated']} separated{equal})"
        ahead = next((each["judgments"] for each in reversed(self.forecast) if each["judgments"]), None)
        if states["undecided"] and ahead:
            text += f"; about {ahead:,} more judgments decide the pairs that can be decided soon"
        return f"{text}. Error over all pairs: at most {100 * (1 - self.settings.level):g} %, however often you look."

    def body(self, width: int | None) -> list[str]:
        """Return progress, ties and judges."""
        of = f" of at most {self.settings.budget:,}" if self.settings.budget else ""
        head = (
            f"{self.title}: {self.state} · {self.answers:,} comparisons{of} · {counted(len(self.judges), 'judge')},"
            f" {self.active} active · {counted(self.handed_out, 'open task')}"
        )
        parts = [wrapped(head, width)]
        if self.ties is not None:
            text = f"{100 * self.ties:.0f} % ties"
            if self.first_shown is not None:
                text += f"; otherwise the output shown first won {100 * self.first_shown:.0f} % of the time"
            parts.append(wrapped(f"{text}.", width))
        if self.judges:
            parts += ["", self.tables()[0].to_text(width), ""]
        parts += [wrapped(f"! problem reported: {text}", width) for text in self.complaints[-5:]]
        return parts


def overview_of_campaign(state: CampaignState, options: CampaignOptions, chances: Chances, data: str) -> Overview:
    """Sum up a campaign."""
    ties, first = _sides(state.kept)
    skipped = Counter(state.leases[event.body["lease"]].judge for event in state.skips)
    return Overview(
        settings=options,
        data=data,
        title=options.title or "campaign",
        state=state.mode,
        answers=state.answers,
        handed_out=state.load.comparisons_held,
        active=sum(_is_active(person, state) for person in state.people.values()),
        judges=tuple(_row(person, state, skipped) for person in state.people.values()),
        pairs=chances.pairs,
        forecast=chances.forecast,
        ties=ties,
        first_shown=first,
        complaints=tuple(event.body["text"] for event in state.complaints),
        skips=tuple(event.body["reason"] for event in state.skips),
    )


def _sides(kept: Sequence[Lease]) -> tuple[float | None, float | None]:
    """Return the share of ties, and of wins by what was shown first, among pairs of cards."""
    ranks = [ranks for lease in kept if len(lease.cards) > 1 for ranks in lease.answer["ranks"].values()]
    pairs = [(one, two) for each in ranks for place, one in enumerate(each) for two in each[place + 1 :]]
    if not pairs:
        return None, None
    decided = [one < two for one, two in pairs if one != two]
    return 1 - len(decided) / len(pairs), sum(decided) / len(decided) if decided else None


def _is_active(person: Person, state: CampaignState) -> bool:
    last = max((state.leases[name].answered_at for name in person.last[-1:]), default=float("-inf"))
    return state.at - last <= _ACTIVE


def _row(person: Person, state: CampaignState, skipped: Counter[int]) -> JudgeRow:
    judge = person.judge
    mine = [state.leases[name] for name in person.last]
    repeats = [lease for lease in mine if lease.purpose == "repeat"]
    alike = sum(_same(lease, state.leases[lease.of]) for lease in repeats)
    return JudgeRow(
        judge.name,
        judge.kind,
        person.answered,
        len(person.open),
        skipped[judge.number],
        median(person.seconds) if person.seconds else None,
        sum(person.seconds) / 3600,
        f"{person.right} of {person.right + person.wrong}" if person.right + person.wrong else "",
        f"{alike} of {len(repeats)}" if repeats else "",
        "revoked" if judge.revoked else "excluded" if judge.excluded else "",
    )


def _same(again: Lease, first: Lease) -> bool:
    """Whether the repeated answer was the same, for any order on the page."""
    return _by_card(again) == _by_card(first)


def _by_card(lease: Lease) -> dict[str, dict[tuple[int, ...], int]]:
    return {name: dict(zip(lease.cards, ranks, strict=True)) for name, ranks in lease.answer["ranks"].items()}

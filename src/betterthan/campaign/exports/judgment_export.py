"""Judgments of a campaign as rows and as evidence columns, without checks, repeats and withdrawn answers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from betterthan.campaign.log.judge_records import Lease
from betterthan.campaign.material.material import Material
from betterthan.options import CampaignOptions

#: The outcome of a pair by the sign of rank minus rank.
_OUTCOME = {-1: "left", 0: "tie", 1: "right"}
#: Columns that say who was compared with whom, by whom, and on what.
_ROLES = ("left", "right", "outcome", "ranking", "system", "rank", "item", "judge")


@dataclass(frozen=True)
class JudgmentRow:
    """One comparison by one criterion: `systems` in the order shown, `ranks` of each (1 is best, equal is a tie)."""

    task: int  # the line of the log that answered it
    item: str
    judge: str
    criterion: str
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    chance: float
    item_chance: float
    version: int
    settings: int
    seconds: float | None
    late: bool
    both_bad: bool
    strength: int | None
    reason: str
    tags: tuple[str, ...]
    given_at: float
    answered_at: float


def rows_of(kept: Iterable[Lease], material: Material) -> Iterator[JudgmentRow]:
    """Return comparisons by every criterion."""
    for lease in kept:
        answer = lease.answer
        for criterion, ranks in answer["ranks"].items():
            yield JudgmentRow(
                lease.number,
                material.items[lease.item].name,
                f"judge-{lease.judge}",
                criterion,
                tuple(material.systems[system] for system in lease.systems),
                ranks_of(lease, ranks),
                lease.chance,
                lease.item_chance,
                lease.version,
                lease.settings,
                answer.get("seconds"),
                lease.late,
                bool(answer.get("both_bad")),
                answer.get("strength"),
                answer.get("reason", ""),
                tuple(answer.get("tags", ())),
                lease.given_at,
                lease.answered_at,
            )


def deciding(kept: Iterable[Lease], material: Material, options: CampaignOptions) -> list[JudgmentRow]:
    """Return comparisons by the first criterion: it decides what is asked next, and when a campaign is over."""
    first = options.asked[0][0]
    return [row for row in rows_of(kept, material) if row.criterion == first]


def columns_of(rows: Iterable[JudgmentRow], options: CampaignOptions) -> dict[str, list[Any]]:
    """Return rows of one criterion as judgments or rankings, with the columns that policies use."""
    columns = pair_columns(rows) if options.way == 2 else ranking_columns(rows)
    return {name: columns[name] for name in columns if name in _ROLES}


def outcome_of(left: int, right: int) -> str:
    """Return the outcome of a pair from the ranks of its two sides.

    >>> [outcome_of(1, 2), outcome_of(2, 2), outcome_of(2, 1)]
    ['left', 'tie', 'right']
    """
    return _OUTCOME[(left > right) - (left < right)]


def ranks_of(lease: Lease, ranks: Iterable[int]) -> tuple[int, ...]:
    """Return the rank of every system: those on one card share it."""
    return tuple(rank for card, rank in zip(lease.cards, ranks, strict=True) for _ in card)


def pair_columns(rows: Iterable[JudgmentRow]) -> dict[str, list[Any]]:
    """Return comparisons of two systems as judgments."""
    columns: dict[str, list[Any]] = {name: [] for name in ("left", "right", "outcome", *_ABOUT)}
    for row in rows:
        for one, two in combinations(range(len(row.systems)), 2):
            columns["left"].append(row.systems[one])
            columns["right"].append(row.systems[two])
            columns["outcome"].append(outcome_of(row.ranks[one], row.ranks[two]))
            _describe(columns, row)
    return columns


def ranking_columns(rows: Iterable[JudgmentRow]) -> dict[str, list[Any]]:
    """Return comparisons of several systems as rankings, a line for every system in each."""
    columns: dict[str, list[Any]] = {name: [] for name in ("ranking", "system", "rank", *_ABOUT)}
    for row in rows:
        for system, rank in zip(row.systems, row.ranks, strict=True):
            columns["ranking"].append(f"{row.task} {row.criterion}")
            columns["system"].append(system)
            columns["rank"].append(rank)
            _describe(columns, row)
    return columns


_ABOUT = ("item", "judge", "dataset", "time", "seconds", "probability", "both_bad")


def _describe(columns: dict[str, list[Any]], row: JudgmentRow) -> None:
    about = (row.item, row.judge, row.criterion, row.answered_at, row.seconds, row.chance, int(row.both_bad))
    for name, value in zip(_ABOUT, about, strict=True):
        columns[name].append(value)

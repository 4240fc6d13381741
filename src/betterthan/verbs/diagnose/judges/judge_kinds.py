"""Kinds of judges, such as researchers and crowd workers: agreement within each kind, and between two."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Any

import numpy as np

from betterthan.base import FloatArray, PlanError, nearest, spelling
from betterthan.inference import rater_agreement
from betterthan.present import Column, Table
from betterthan.verbs.diagnose.judges.votes import Verdicts, Votes

#: Judges whose name meets no pattern.
_OTHERS = "others"


@dataclass(frozen=True)
class JudgeKind:
    """One kind of judges: their number, their judgments, the share of ties, and their agreement with each other.

    `agreement` is None where no comparison has two judges of this kind.
    """

    name: str
    judges: int
    judgments: float
    ties: float
    agreement: rater_agreement.Agreement | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**asdict(self), "agreement": None if self.agreement is None else self.agreement.to_dict()}


@dataclass(frozen=True)
class BetweenKinds:
    """Agreement of the judges of one kind with those of another, over all pairs of their verdicts.

    `comparisons` have judges of both kinds; `share` is the share of pairs of verdicts that are equal, and `kappa`
    Cohen's kappa of the table of these pairs.
    """

    a: str
    b: str
    comparisons: int
    share: float | None
    kappa: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class JudgeKinds:
    """All kinds, in the order of their patterns, and every pair of them."""

    kinds: tuple[JudgeKind, ...]
    between: tuple[BetweenKinds, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"kinds": [each.to_dict() for each in self.kinds], "between": [each.to_dict() for each in self.between]}

    def tables(self) -> list[Table]:
        """Return the kinds, and the agreement between any two."""
        columns = [
            Column("kind of judge", "left", flexible=True),
            Column("judges"),
            Column("judgments"),
            Column("ties"),
        ]
        more = [Column("judged twice"), Column("same"), Column("alpha"), Column("95 % interval", "left")]
        rows = [
            [each.name, f"{each.judges:,}", f"{each.judgments:,.0f}", f"{each.ties:.2f}", *_within(each.agreement)]
            for each in self.kinds
        ]
        pairs = [
            [f"{each.a} – {each.b}", f"{each.comparisons:,}", _shown(each.share), _shown(each.kappa)]
            for each in self.between
        ]
        heads = [
            Column("between kinds", "left", flexible=True),
            Column("judged by both"),
            Column("same"),
            Column("kappa"),
        ]
        return [Table([*columns, *more], rows), *([Table(heads, pairs)] if pairs else [])]


def judge_kinds(votes: Votes, verdicts: Verdicts, patterns: Sequence[str], *, symmetric: bool, seed: int) -> JudgeKinds:
    """Sort judges into kinds by patterns of their names, the first that matches, and compare the kinds."""
    named = [next((pattern for pattern in patterns if fnmatchcase(name, pattern)), _OTHERS) for name in votes.names]
    for pattern in patterns:
        if pattern not in named:
            raise PlanError(
                f"{spelling.option('judge_kinds')} has the pattern {pattern!r}, which the name of no judge meets",
                remedy=nearest(pattern, votes.names),
            )
    order = [*dict.fromkeys(patterns), *([_OTHERS] if _OTHERS in named else [])]
    kind = np.array([order.index(name) for name in named])
    number = len(votes.group_of)
    of = kind[verdicts.judge] * number + verdicts.comparison
    counts = np.bincount(of * 3 + verdicts.verdict, minlength=len(order) * number * 3).astype(np.float64)
    by_kind = counts.reshape(len(order), number, 3)
    group = verdicts.group if votes.by_item else None
    given, tied = (
        np.bincount(kind[votes.judge], weights, len(order)) for weights in (votes.times, votes.times * votes.tied)
    )
    kinds = [
        JudgeKind(
            name,
            int(np.sum(kind == place)),
            float(given[place]),
            float(tied[place] / given[place]),
            rater_agreement.measure_agreement(by_kind[place], group, symmetric=symmetric, seed=seed),
        )
        for place, name in enumerate(order)
    ]
    between = [
        _between(order[one], order[two], by_kind[one], by_kind[two], symmetric=symmetric)
        for one, two in combinations(range(len(order)), 2)
    ]
    return JudgeKinds(tuple(kinds), tuple(between))


def _between(a: str, b: str, one: FloatArray, two: FloatArray, *, symmetric: bool) -> BetweenKinds:
    table = one.T @ two
    total = float(table.sum())
    kappa = float(rater_agreement.kappas(table, symmetric=symmetric)) if total else np.nan
    both = int(np.sum((one.sum(axis=1) > 0) & (two.sum(axis=1) > 0)))
    share = float(np.trace(table)) / total if total else None
    return BetweenKinds(a, b, both, share, None if np.isnan(kappa) else kappa)


def _within(agreement: rater_agreement.Agreement | None) -> list[str]:
    if agreement is None:
        return ["0", "", "", ""]
    interval = "" if agreement.low is None else f"{agreement.low:.2f} … {agreement.high:.2f}"
    return [f"{agreement.items:,}", _shown(agreement.share), _shown(agreement.alpha), interval]


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"

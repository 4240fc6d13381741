"""Studies of our guarantees: the default call of every verb on simulated evidence of equal systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from betterthan.base import registry
from betterthan.inference import Estimate
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.study.agreement import Expected, near
from betterthan.verbs.study.experiments.base import Claim, Columns, Found, Work, numbers
from betterthan.verbs.study.promises import Band, Wanted, added_up, ask, band, known, pooled
from betterthan.worlds import equal_worlds

_KINDS = ("judgments", "scores")
_DEPENDENCE = {"judgments": ("none", "item", "judge", "both", "weights"), "scores": ("none", "groups")}
_OUTCOMES = ("continuous", "likert", "right .5", "right .9", "right .98")
#: Fewer judgments of a pair than these on average, and some pair of some data set might never meet.
_PER_PAIR = 20
#: Data sets that are asked about in one go.
_BLOCK = 10
#: The columns of the tidy table.
_TIDY = ("kind", "dependence", "units", "outcome", "measure", "share", "error", "low", "high", "missed", "cautious")


@dataclass(frozen=True)
class _Task:
    cell: equal_worlds.WorldCell
    wanted: Wanted
    places: tuple[int, ...]
    seed: int


def _task_reliability(task: _Task) -> list[dict[str, tuple[float, int]]]:
    return [
        ask(task.cell, np.random.default_rng([task.seed, place, *task.cell.name.encode()]), task.wanted)
        for place in task.places
    ]


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """How often the default call of every verb is right, in `data_sets` simulated data sets of every world.

    All `systems` are equal. Simulations differ in the `kinds` of evidence (judgments, scores) and in what is dependent.
    Dependence of judgments is none, item, judge, both or weights; that of scores is none or groups of six items. They
    also differ in the number of `units`, in the share of `ties` among judgments, and in the `outcomes` of scores
    (continuous, likert, right .5, right .9, right .98). A unit has `judgments` judgments, which are crossed with
    `others` items or judges.
    """

    kinds: str = "judgments|scores"
    dependence: str = "none|item|judge|both|groups"
    units: str = "5|20|50"
    ties: str = "0.2"
    outcomes: str = "continuous|likert|right .9"
    systems: int = 4
    judgments: int = 24
    others: int = 40
    data_sets: int = 200

    name: ClassVar[str]
    wanted: ClassVar[Wanted]
    paper: ClassVar[str] = "Our own promises"
    place: ClassVar[str] = "documentation, Does it keep what it promises?"
    takes: ClassVar[str] = ""
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    means: ClassVar[None] = None
    quick: ClassVar[Mapping[str, Any]] = {
        "dependence": "none|item",
        "units": "20",
        "outcomes": "continuous",
        "data_sets": 20,
    }

    def __post_init__(self) -> None:
        kinds = _among("kinds", self.kinds, _KINDS)
        _among("dependence", self.dependence, list(dict.fromkeys(sum(_DEPENDENCE.values(), ()))))
        _among("outcomes", self.outcomes, _OUTCOMES)
        units = numbers("units", self.units, least=2, most=100_000)
        numbers("ties", self.ties, least=0, most=0.99, whole=False)
        registry.number("systems", self.systems, least=2, most=26, whole=True)
        registry.number("judgments", self.judgments, least=1, most=10_000, whole=True)
        registry.number("others", self.others, least=2, most=100_000, whole=True)
        registry.number("data_sets", self.data_sets, least=2, most=1_000_000, whole=True)
        needed = _PER_PAIR * self.systems * (self.systems - 1) // 2
        if "judgments" in kinds and min(units) * self.judgments < needed:
            raise ValueError(
                f"{self.systems} systems need {needed} judgments or more, and {min(units):g} units of {self.judgments} "
                "are fewer"
            )
        if not self.worlds:
            raise ValueError(f"no world of {self.kinds} has the dependence {self.dependence}")

    @property
    def worlds(self) -> list[equal_worlds.WorldCell]:
        """All worlds."""
        wanted = self.dependence.split("|")
        units = [int(each) for each in numbers("units", self.units, least=2, most=100_000)]
        ties = numbers("ties", self.ties, least=0, most=0.99, whole=False)
        outcomes = {"judgments": [f"ties {100 * each:g} %" for each in ties], "scores": self.outcomes.split("|")}
        return [
            equal_worlds.WorldCell(kind, dependence, size, outcome, self.systems, self.judgments, self.others)
            for kind in self.kinds.split("|")
            for dependence, size, outcome in product(
                [each for each in wanted if each in _DEPENDENCE[kind]], units, outcomes[kind]
            )
        ]

    def run(self, work: Work) -> Found:
        """Simulate every world, and ask."""
        blocks = [
            tuple(range(start, min(start + _BLOCK, self.data_sets))) for start in range(0, self.data_sets, _BLOCK)
        ]
        tasks = [_Task(cell, self.wanted, block, work.options.seed) for cell in self.worlds for block in blocks]
        told = work.parts.each(_task_reliability, tasks)
        rows: list[dict[str, Any]] = []
        for place, cell in enumerate(self.worlds):
            own = told[place * len(blocks) : (place + 1) * len(blocks)]
            rows += added_up(cell, [each for block in own for each in block])
        columns = {name: [row[name] for row in rows] for name in _TIDY}
        return Found(columns, _claims(rows, work.options.level), _summary(rows, len(self.worlds)))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw every measure against the number of units, by what is dependent."""
        cells: dict[tuple[str, int, str], list[float]] = {}
        for measure, kind, units, dependence, share in zip(
            *(columns[name] for name in ("measure", "kind", "units", "dependence", "share")), strict=True
        ):
            cells.setdefault((f"{kind}, {measure}", units, dependence), []).append(share)
        shares = [float(np.mean(each)) for each in cells.values()]
        return pictures.panels.draw(
            panel=[panel for panel, _, _ in cells],
            x=[units for _, units, _ in cells],
            series=[f"dependence: {dependence}" for _, _, dependence in cells],
            value=shares,
            low=shares,
            high=shares,
            name="share of data sets",
            title=title,
        )


def _among(option: str, text: str, allowed: Sequence[str]) -> list[str]:
    found = text.split("|")
    if len(set(found)) < len(found) or not set(found) <= set(allowed):
        raise ValueError(f"{option} must be among {', '.join(allowed)} with | between them, got {text!r}")
    return found


def _claims(rows: Sequence[dict[str, Any]], level: float) -> tuple[Claim, ...]:
    """Return for every measure its guarantee, and its value over all simulations."""
    reach = NormalDist().inv_cdf((1 + level) / 2)
    claims = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        for found in pooled(own):
            limits = band(found["measure"])
            outside = [row for row in own if row["measure"] == found["measure"] and row["missed"]]
            ends = (
                max(found["share"] - reach * found["error"], 0.0),
                min(found["share"] + reach * found["error"], 1.0),
            )
            claims.append(
                Claim.of(
                    f"{kind}, {found['measure']}",
                    _promised(limits),
                    Estimate(found["share"], *ends),
                    Expected(low=limits.low or None, high=limits.high, exact=not limits.high),
                    _reasons(outside),
                )
            )
        unknown = [row for row in own if row["missed"] and known(row) is None]
        claims.append(
            Claim.exact(
                f"{kind}: worlds outside their band for no known reason",
                "none",
                len(unknown),
                near(0, 0),
                _reasons(unknown),
            )
        )
    return tuple(claims)


def _promised(limits: Band) -> str:
    if limits.low:
        return f"{100 * limits.low:.0f} to {100 * limits.high:.0f} %"
    return f"at most {100 * limits.high:.0f} %" if limits.high else "never"


def _reasons(outside: Sequence[dict[str, Any]]) -> str:
    """Return which worlds lie outside the band, and why where that is known."""
    said = [f"{row['cell']}: {100 * row['share']:.1f} % ({known(row) or 'no reason known'})" for row in outside[:5]]
    if not said:
        return ""
    more = f", and {len(outside) - len(said):,} more" if len(outside) > len(said) else ""
    return f"{outside[0]['measure']} is outside its band in {'; '.join(said)}{more}."


def _summary(rows: Sequence[dict[str, Any]], worlds: int) -> Table:
    heads = [
        Column("evidence", "left"),
        Column("promise", "left", flexible=True),
        Column("all worlds"),
        Column("least"),
        Column("most"),
        Column("outside"),
    ]
    lines = []
    for kind, measure in dict.fromkeys((row["kind"], row["measure"]) for row in rows):
        some = [row for row in rows if (row["kind"], row["measure"]) == (kind, measure)]
        shares = [100 * row["share"] for row in some]
        missed = sum(row["missed"] for row in some)
        lines.append(
            [
                kind,
                measure,
                *(f"{each:.1f} %" for each in (float(np.mean(shares)), min(shares), max(shares))),
                f"{missed} of {len(some)}",
            ]
        )
    return Table(heads, lines, title=f"{worlds:,} worlds, {rows[0]['data_sets']:,} data sets each")

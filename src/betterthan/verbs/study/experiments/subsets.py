"""Subsets: on which part of the evidence every system is best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from betterthan.base import PlanError, registry, scipy, spelling
from betterthan.datasets import DataSet
from betterthan.inference import Estimate, adjusted
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.rank import rank
from betterthan.verbs.study.agreement import above
from betterthan.verbs.study.experiments.base import (
    CONFIDENCE_AND_STABILITY,
    Claim,
    Columns,
    Found,
    Work,
    register_study,
)

#: The columns of the tidy table.
_TIDY = ("system", "subset", "rank", "share", "low", "high", "difference", "error", "p_adjusted", "best")


@dataclass(frozen=True)
class _Task:
    data: DataSet
    resamples: int
    level: float
    seed: int


@register_study
@dataclass(frozen=True, kw_only=True)
class Subsets:
    """How many comparisons every system wins on each data set, and where it wins more than on the others.

    Data sets are the subsets: tasks, languages, or the values of any column that `--dataset` names. The share of
    comparisons won counts ties as half. Its difference from the mean of the other data sets is tested by a normal test
    with bootstrap errors of `resamples` samples, corrected for all systems and data sets (Holm). Data sets count as
    independent of each other, as parts of the items are; metrics of the same items are not.
    """

    resamples: int = 1000

    name: ClassVar[str] = "subsets"
    about: ClassVar[str] = "On which subset of the evidence every system is best."
    paper: ClassVar[str] = CONFIDENCE_AND_STABILITY
    place: ClassVar[str] = "Section 8, named as future work"
    takes: ClassVar[str] = "evidence of several data sets"
    needs: ClassVar[bool] = True
    bundled: ClassVar[str] = ""
    means: ClassVar[None] = None
    quick: ClassVar[dict[str, Any]] = {"resamples": 100}

    def __post_init__(self) -> None:
        registry.number("resamples", self.resamples, least=20, most=1_000_000, whole=True)

    def run(self, work: Work) -> Found:
        """Rank every data set by the share of comparisons won, and compare systems with themselves elsewhere."""
        assert work.data is not None
        sets = list(work.data)
        if len(sets) < 2:
            raise PlanError(
                f"{self.name} compares data sets, and there is one",
                remedy=f"Name the column that divides the evidence with {spelling.option('dataset')}.",
            )
        tasks = [
            _Task(data, self.resamples, work.options.level, work.options.seed + place)
            for place, data in enumerate(sets)
        ]
        rows = _compared([data.title for data in sets], work.parts.each(_ranked, tasks))
        if not rows:
            raise PlanError("no system is in two data sets", remedy="Give data sets with systems in common.")
        columns = {name: [row[name] for row in rows] for name in _TIDY}
        own = [row for row in rows if row["best"] and row["p_adjusted"] <= 1 - work.options.level]
        # A test that finds nothing does not show that there is nothing.
        claim = Claim.of(
            "Systems that win more on one subset than on the others (Holm): how many",
            "to be explored",
            Estimate(float(len(own)), None, None),
            replace(above(0), exact=bool(own)),
            "The systems are about equally good on all subsets, or there is too little evidence of each.",
        )
        return Found(columns, (claim,), _summary(rows))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw the share of comparisons won of every system on every data set."""
        return pictures.panels.draw(
            panel=["subset"] * len(columns["subset"]),
            x=columns["subset"],
            series=columns["system"],
            value=columns["share"],
            low=columns["low"],
            high=columns["high"],
            name="share of comparisons won",
            title=title,
        )


def _ranked(task: _Task) -> list[list[Any]]:
    """Return every system with its rank, share of comparisons won, interval and standard error."""
    board = rank(
        task.data, model="win-rate", ci="bootstrap", resamples=task.resamples, level=task.level, seed=task.seed
    ).board
    assert board.draws is not None
    error = dict(zip(board.fit.systems, np.std(board.draws.strength, axis=0, ddof=1).tolist(), strict=True))
    return [[row.system, row.rank, row.score, row.low, row.high, error[row.system]] for row in board]


def _compared(titles: Sequence[str], boards: Sequence[Sequence[Sequence[Any]]]) -> list[dict[str, Any]]:
    """Return a row for every system and data set, systems that are in one data set alone left out."""
    by_system: dict[str, dict[str, Sequence[Any]]] = {}
    for title, board in zip(titles, boards, strict=True):
        for system, *numbers in board:
            by_system.setdefault(system, {})[title] = numbers
    rows = []
    for system, found in by_system.items():
        for subset, (place, share, low, high, error) in found.items() if len(found) > 1 else ():
            others = [numbers for title, numbers in found.items() if title != subset]
            gap = share - float(np.mean([numbers[1] for numbers in others]))
            spread = float(np.sqrt(error**2 + sum(numbers[4] ** 2 for numbers in others) / len(others) ** 2))
            cells = (system, subset, place, share, low, high, gap, spread, _p(gap, spread), False)
            rows.append(dict(zip(_TIDY, cells, strict=True)))
    for row, p in zip(rows, adjusted(np.array([row["p_adjusted"] for row in rows]), "holm").tolist(), strict=True):
        row["p_adjusted"] = p
        row["best"] = row["difference"] == max(each["difference"] for each in rows if each["system"] == row["system"])
    return rows


def _p(gap: float, spread: float) -> float:
    return float(2 * scipy.stats.norm.sf(abs(gap) / spread)) if spread else 1.0


def _summary(rows: Sequence[dict[str, Any]]) -> Table:
    """Show for every system the data set on which it wins most in comparison with the others."""
    heads = [
        Column("system", "left"),
        Column("best on", "left", flexible=True),
        Column("rank there"),
        Column("share won"),
        Column("more than elsewhere"),
        Column("p (Holm)"),
    ]
    lines = [
        [
            row["system"],
            row["subset"],
            "" if row["rank"] is None else str(row["rank"]),
            f"{row['share']:.3f}",
            f"{row['difference']:+.3f}",
            f"{row['p_adjusted']:.3f}",
        ]
        for row in rows
        if row["best"]
    ]
    return Table(heads, lines, title="Where every system wins most in comparison with the other data sets")

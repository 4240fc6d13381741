"""Official table: the clusters of WMT's results by what is resampled, next to the published ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import IntArray, registry
from betterthan.datasets import DataSet
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.rank import rank
from betterthan.verbs.study.agreement import Expected, about_zero, near
from betterthan.verbs.study.experiments.base import (
    EFFICIENT_ELICITATION,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    register_study,
)
from betterthan.verbs.study.published_figures import WMT13_CLUSTERS, WMT13_TABLE, published_places

#: The unit of single judgments, which the official table resamples.
_ROW = "row"
#: The printed scores leave out what their authors cleaned from the judgments.
_CLEANED = 0.0025
_REASON = (
    "The official table resamples single judgments. Those of one ranking, item or judge depend on each other: "
    "resampled together, they separate fewer systems."
)


@dataclass(frozen=True)
class _Task:
    data: DataSet
    unit: str
    resamples: int
    seed: int


@register_study
@dataclass(frozen=True, kw_only=True)
class OfficialTable:
    """Expected Wins, rank ranges and clusters by every unit of dependence that the rankings have.

    `units` name what is resampled; those that the evidence does not have are left out. Clusters are WMT's: systems
    whose 95 % rank ranges overlap. Each unit has `repeats` sets of `resamples` bootstrap samples. For the systems of
    WMT13 French–English, scores, order and clusters are compared with the official table.
    """

    units: str = "row|ranking|item|judge|item+judge"
    resamples: int = 1000
    repeats: int = 20

    name: ClassVar[str] = "official-table"
    about: ClassVar[str] = "How many clusters WMT's official table has by what is resampled."
    paper: ClassVar[str] = EFFICIENT_ELICITATION
    place: ClassVar[str] = "Table 1, taken from Bojar et al. (2013)"
    takes: ClassVar[str] = "rankings or judgments"
    needs: ClassVar[bool] = True
    bundled: ClassVar[str] = ""
    means: ClassVar[Means | None] = Means(("unit",), (("clusters", "low", "high"),))
    quick: ClassVar[dict[str, Any]] = {"resamples": 100, "repeats": 2}

    def __post_init__(self) -> None:
        registry.number("resamples", self.resamples, least=20, most=1_000_000, whole=True)
        registry.number("repeats", self.repeats, least=2, most=1000, whole=True)
        if _ROW not in self._units or len(set(self._units)) < len(self._units):
            raise ValueError(f"units must name row and others with | between them, and none twice, got {self.units!r}")

    @property
    def _units(self) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.units.split("|"))

    def run(self, work: Work) -> Found:
        """Rank by every unit with several seeds."""
        data = work.only()
        known = {_ROW, *data.named_units}
        units = [unit for unit in self._units if set(unit.split("+")) <= known]
        seeds = [work.options.seed + place for place in range(self.repeats)]
        tasks = [_Task(data, unit, self.resamples, seed) for unit in units for seed in seeds]
        rows = work.parts.each(_ranked, tasks)
        boards = {unit: rows[place * len(seeds) : (place + 1) * len(seeds)] for place, unit in enumerate(units)}
        results = _Results(boards, work.options.level)
        return Found(results.columns(), tuple(results.claims()), results.summary())

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw the number of clusters by unit."""
        size = len(columns["unit"])
        return pictures.panels.draw(
            panel=["resampled"] * size,
            x=columns["unit"],
            series=["expected-wins"] * size,
            value=columns["clusters"],
            low=columns["low"],
            high=columns["high"],
            name="clusters",
            title=title,
        )


def _ranked(task: _Task) -> dict[str, Any]:
    """Return systems in order with score and rank range, and the number of clusters."""
    board = rank(
        task.data,
        model="expected-wins",
        clusters="wmt",
        unit=task.unit,
        resamples=task.resamples,
        seed=task.seed,
    ).board
    ranges = [[row.system, row.score, row.rank_low, row.rank_high] for row in board]
    return {"clusters": len(board.clusters), "ranges": ranges}


@dataclass(frozen=True)
class _Results:
    """The boards of every unit, one per seed."""

    boards: Mapping[str, Sequence[Mapping[str, Any]]]
    level: float

    def columns(self) -> dict[str, list[Any]]:
        """Return the number of clusters of every unit with its interval over sets of samples."""
        found = {unit: self._clusters(unit) for unit in self.boards}
        official = WMT13_CLUSTERS if self._places() is not None else None
        return {
            "unit": list(found),
            "clusters": [each.value for each in found.values()],
            "low": [each.low for each in found.values()],
            "high": [each.high for each in found.values()],
            "official": [official] * len(found),
        }

    def claims(self) -> list[Claim]:
        """Compare units with single judgments, and with the official table where the systems are its own."""
        official, claims = self._places() is not None, []
        if official:
            claims += self._official()
        for unit in self.boards:
            if official:
                claims.append(
                    self._counted(
                        f"Clusters by {unit}",
                        f"{WMT13_CLUSTERS}",
                        self._numbers(unit),
                        near(WMT13_CLUSTERS, 0.5),
                        _at_the_boundary(self.boards[unit][0]) if unit == _ROW else _REASON,
                    )
                )
            elif unit != _ROW:
                fewer = [one - row for one, row in zip(self._numbers(unit), self._numbers(_ROW), strict=True)]
                claims.append(
                    self._counted(
                        f"Clusters by {unit} − by {_ROW}",
                        "dependence separates fewer",
                        fewer,
                        Expected(high=0.5),
                        "Judgments of these rankings hardly depend on each other.",
                    )
                )
        return claims

    def _counted(self, what: str, paper: str, numbers: Sequence[float], expected: Expected, cause: str) -> Claim:
        """Compare a number that follows from the data but for the samples: it is exact where all sets agree on it."""
        if len(set(numbers)) == 1:
            return Claim.exact(what, paper, numbers[0], expected, cause)
        return Claim.of(what, paper, mean_of(numbers, self.level), expected, cause)

    def _official(self) -> list[Claim]:
        places = self._places()
        assert places is not None
        own = [WMT13_TABLE[place] for place in places]
        scores = [row[1] for row in self._ranges]
        gaps = [abs(score - printed.score) for score, printed in zip(scores, own, strict=True)]
        return [
            Claim.exact(
                "Expected Wins: largest difference of the 13 scores", "0", max(gaps), about_zero(_CLEANED), _REASON
            ),
            Claim.exact(
                "Systems in the order of the official table",
                "all 13",
                int(np.sum(places == np.arange(13))),
                near(13, 0),
            ),
        ]

    def summary(self) -> Table:
        """Return scores and rank ranges of every system by unit, next to the official ones."""
        places = self._places()
        heads = [Column("system", "left"), Column("expected wins")]
        heads += [Column("official"), Column("official range")] if places is not None else []
        heads += [Column(f"range by {unit}") for unit in self.boards]
        rows = []
        for at, (system, score, *_) in enumerate(self._ranges):
            printed = [] if places is None else [f"{WMT13_TABLE[places[at]].score:.3f}", WMT13_TABLE[places[at]].range]
            own = [
                next(_range(low, high) for name, _, low, high in boards[0]["ranges"] if name == system)
                for boards in self.boards.values()
            ]
            rows.append([system, f"{score:.3f}", *printed, *own])
        numbers = "; ".join(f"{self._clusters(unit).known:.1f} by {unit}" for unit in self.boards)
        return Table(heads, rows, title=f"Clusters: {numbers}")

    @property
    def _ranges(self) -> Sequence[Any]:
        ranges: Sequence[Any] = self.boards[_ROW][0]["ranges"]
        return ranges

    @property
    def _size(self) -> float:
        return float(len(self._ranges))

    def _places(self) -> IntArray | None:
        """Return the places of the systems in the official table, None for other systems."""
        return published_places([row[0] for row in self._ranges])

    def _numbers(self, unit: str) -> list[float]:
        return [float(board["clusters"]) for board in self.boards[unit]]

    def _clusters(self, unit: str) -> Estimate:
        return mean_of(self._numbers(unit), self.level, (1.0, self._size))


def _at_the_boundary(board: Mapping[str, Any]) -> str:
    """Describe how close the sixth system of the official table, in a cluster with two others there, is to that."""
    low, high = next((low, high) for name, _, low, high in board["ranges"] if name.lower().startswith("online-a"))
    return (
        "Officially online-A has the range 5–6, and is in a cluster with the two above it. Here its range is "
        f"{_range(low, high)}. Its interval and that of the fifth system hardly overlap, so a few judgments decide, "
        "and the official scores are of slightly different ones."
    )


def _range(low: int | None, high: int | None) -> str:
    return f"{low}" if low == high else f"{low}–{high}"

"""Elicitation: the pairs that TrueSkill selects, and the number of clusters by number of judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.collect import collection_state, trueskill_elicitation
from betterthan.verbs.rank import disagree
from betterthan.verbs.study.agreement import SHARE_MARGIN, above, below, near
from betterthan.verbs.study.experiments.base import (
    EFFICIENT_ELICITATION,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    pair_models_named,
    register_study,
)
from betterthan.verbs.study.model_runs import END, OWN, Runs, meetings_of

_CLUSTERS, _RANKS, _MEETINGS = "clusters", "ranks", "meetings"
_NAMES = ("shows", "series", "judgments", "system", "other", "value", "low", "lower", "upper", "high", "cluster")
_ALL, _FIRST, _LAST = "all judgments", f"first {100 * END:g} %", f"last {100 * END:g} %"


@register_study
@dataclass(frozen=True, kw_only=True)
class Elicitation:
    """Clusters of systems against judgments, rank boxes, and who meets whom when TrueSkill chooses.

    From `step` to `most` judgments in steps of `step`, every model is run `runs` times on judgments resampled with
    replacement. `drop` runs are left out at both ends of every system's ranks, and systems whose ranges do not overlap
    are in different clusters. `repeats` such sets of runs give intervals. With `own=yes` TrueSkill also chooses its
    pairs; `beta`, in units of n·σ², is its own: the paper prints .025, and its code has .05.
    """

    models: str = "expected-wins|hopkins-may|trueskill(preset=wmt)"
    own: Literal["yes", "no"] = "yes"
    most: int = 25_000
    step: int = 1000
    runs: int = 100
    drop: int = 2
    repeats: int = 5
    beta: float = trueskill_elicitation.BETA

    name: ClassVar[str] = "elicitation"
    about: ClassVar[str] = "Which pairs TrueSkill asks for, and how many clusters a number of judgments separates."
    paper: ClassVar[str] = EFFICIENT_ELICITATION
    place: ClassVar[str] = "Sections 5 and 6, Figures 5 to 10"
    takes: ClassVar[str] = "any evidence"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = "arena.csv.gz"
    means: ClassVar[Means | None] = Means()
    quick: ClassVar[dict[str, Any]] = {"most": 400, "step": 200, "runs": 20, "drop": 1, "repeats": 2}

    def __post_init__(self) -> None:
        pair_models_named(self.models)
        registry.one_of("own", self.own, "yes", "no")
        registry.number("step", self.step, least=1, most=1_000_000, whole=True)
        registry.number("most", self.most, least=2 * self.step, most=1_000_000, whole=True)
        registry.number("runs", self.runs, least=5, most=10_000, whole=True)
        registry.number("drop", self.drop, least=0, most=(self.runs - 1) // 2, whole=True)
        registry.number("repeats", self.repeats, least=2, most=1000, whole=True)
        registry.number("beta", self.beta, least=1e-6, most=1e6)

    @property
    def series(self) -> tuple[str, ...]:
        """The models, and TrueSkill on its own pairs."""
        return (*pair_models_named(self.models), *((OWN,) if self.own == "yes" else ()))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of judgments."""
        return tuple(range(self.step, self.most + 1, self.step))

    def run(self, work: Work) -> Found:
        """Run all models on all numbers of judgments."""
        counts, seed = work.only().pairs(units=False), work.options.seed
        # The largest first: what takes longest must not be left for the end.
        cases = [(size, name) for size in sorted(self.sizes, reverse=True) for name in self.series]
        tasks = [
            Runs(
                counts, name, size, self.runs, self.repeats, self.drop, self.beta, (seed, size, self.series.index(name))
            )
            for size, name in cases
        ]
        found = dict(zip(cases, work.parts.each(Runs.__call__, tasks), strict=True))
        return _Results(self, counts, found, work.options.level).found()

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw clusters against judgments, the heat maps, and the ranks with the fewest and the most judgments."""
        rows = [dict(zip(_NAMES, row, strict=True)) for row in zip(*(columns[name] for name in _NAMES), strict=True)]
        grown = [row for row in rows if row["shows"] == _CLUSTERS]
        drawn = [
            pictures.curves.draw(
                series=[row["series"] for row in grown],
                amount=[row["judgments"] for row in grown],
                value=[row["value"] for row in grown],
                low=[row["low"] for row in grown],
                high=[row["high"] for row in grown],
                kind="model",
                name="clusters",
                unit="judgment",
                band=f"mean of {self.repeats} sets of {self.runs} runs",
            )
        ]
        boxes = [row for row in rows if row["shows"] == _RANKS and row["series"] == self.series[-1]]
        best_first = [row["system"] for row in boxes if row["judgments"] == self.sizes[-1]]
        met = [row for row in rows if row["shows"] == _MEETINGS]
        met += [{**row, "system": row["other"], "other": row["system"]} for row in met]
        drawn.append(
            pictures.meetings.draw(
                systems=best_first,
                panel=[row["series"] for row in met],
                row=[row["system"] for row in met],
                column=[row["other"] for row in met],
                number=[row["value"] for row in met],
                name="% of judgments",
            )
        )
        for size in (self.sizes[0], self.sizes[-1]):
            some = [row for row in boxes if row["judgments"] == size]
            drawn.append(
                pictures.ranks.draw(
                    system=[row["system"] for row in some],
                    low=[row["low"] for row in some],
                    lower=[row["lower"] for row in some],
                    middle=[row["value"] for row in some],
                    upper=[row["upper"] for row in some],
                    high=[row["high"] for row in some],
                    cluster=[row["cluster"] for row in some],
                    label=f"range with {size:,} judgments",
                    by="mean",
                )
            )
        return pictures.stacked.draw(drawn, columns, title)


@dataclass(frozen=True)
class _Results:
    """Results for every number of judgments and every model."""

    study: Elicitation
    counts: PairCounts
    runs: Mapping[tuple[int, str], Mapping[str, Any]]
    level: float

    def found(self) -> Found:
        """Put everything into one tidy table."""
        rows = [*self._cluster_rows(), *self._rank_rows(), *self._meeting_rows()]
        columns = {name: [row.get(name) for row in rows] for name in _NAMES}
        return Found(columns, tuple(self._claims()), self._summary())

    def _cluster_rows(self) -> list[dict[str, Any]]:
        found = []
        for name in self.study.series:
            for size in self.study.sizes:
                mean = self._mean(size, name)
                found.append(
                    {
                        "shows": _CLUSTERS,
                        "series": name,
                        "judgments": size,
                        "value": mean.value,
                        "low": mean.low,
                        "high": mean.high,
                    }
                )
        return found

    def _rank_rows(self) -> list[dict[str, Any]]:
        """Return boxes of ranks with the fewest and the most judgments, systems from the best to the worst."""
        found = []
        for name in self.study.series:
            for size in (self.study.sizes[0], self.study.sizes[-1]):
                run = self.runs[size, name]
                for system, (low, lower, upper, high, mean, cluster) in zip(run["order"], run["boxes"], strict=True):
                    found.append(
                        {
                            "shows": _RANKS,
                            "series": name,
                            "judgments": size,
                            "system": self.counts.systems[system],
                            "value": mean,
                            "low": low,
                            "lower": lower,
                            "upper": upper,
                            "high": high,
                            "cluster": int(cluster),
                        }
                    )
        return found

    def _meeting_rows(self) -> list[dict[str, Any]]:
        """Return every pair's share of judgments: in the evidence, and among those that TrueSkill chose."""
        panels: dict[str, FloatArray] = {_ALL: meetings_of(self.counts)}
        if OWN in self.study.series:
            last = self.runs[self.study.sizes[-1], OWN]
            panels |= {_FIRST: np.array(last["early"], dtype=float), _LAST: np.array(last["late"], dtype=float)}
        first, second = collection_state.pair_at(self.counts.size)
        return [
            {
                "shows": _MEETINGS,
                "series": name,
                "judgments": None if name == _ALL else self.study.sizes[-1],
                "system": self.counts.systems[one],
                "other": self.counts.systems[two],
                "value": 100 * share,
            }
            for name, met in panels.items()
            for one, two, share in zip(first.tolist(), second.tolist(), (met / met.sum()).tolist(), strict=True)
        ]

    def _claims(self) -> list[Claim]:
        few, many = self.study.sizes[0], self.study.sizes[-1]
        last = self.study.series[-1]
        grown = mean_of(np.subtract(self._clusters(many, last), self._clusters(few, last)).tolist(), self.level)
        found = [
            Claim.of(
                f"More judgments, more clusters: {last}, {many:,} − {few:,}",
                "more",
                grown,
                above(0),
                "The fewest judgments separate the systems already, or they are equal.",
            )
        ]
        if OWN not in self.study.series:
            return found
        cause = (
            "The paper shows one set of runs of each model, without intervals, and compares TrueSkill on pairs of its "
            "choice with models on pairs drawn at random."
        )
        found += [
            Claim.of(
                f"Clusters, mean over all numbers of judgments: TrueSkill's own pairs − {other}",
                "more",
                self._apart(other),
                above(0),
                cause,
            )
            for other in self.study.series[:-1]
        ]
        found.append(
            Claim.of(
                f"The ranking with {few:,} judgments is that with {many:,}: Kendall's tau",
                "the same",
                mean_of(self._same_order(few, many), self.level, (-1.0, 1.0)),
                near(1, SHARE_MARGIN),
                "Systems that are nearly equal change places.",
            )
        )
        found.append(
            Claim.of(
                f"Late judgments are of nearer systems: mean difference of ranks, {_LAST} − {_FIRST}",
                "along the diagonal",
                mean_of(self.runs[many, OWN]["nearer"], self.level),
                below(0),
                "All systems are about equally near to each other.",
            )
        )
        return found

    def _apart(self, other: str) -> Estimate:
        """Return how many clusters more TrueSkill has on its own pairs, mean over sizes, with repeats as a sample."""
        gaps = [np.subtract(self._clusters(size, OWN), self._clusters(size, other)) for size in self.study.sizes]
        return mean_of(np.mean(gaps, axis=0).tolist(), self.level)

    def _same_order(self, few: int, many: int) -> list[float]:
        """Return the correlation of the orders of every set of runs."""
        both = zip(self.runs[few, OWN]["orders"], self.runs[many, OWN]["orders"], strict=True)
        taus = [disagree("", np.argsort(one) + 1, "", np.argsort(two) + 1).kendall for one, two in both]
        return [np.nan if tau is None else tau for tau in taus]

    def _summary(self) -> Table:
        sizes = self.study.sizes
        some = list(dict.fromkeys([sizes[0], *sizes[4::5], sizes[-1]]))
        columns = [Column("judgments"), *(Column(name) for name in self.study.series)]
        rows = [[f"{size:,}", *(f"{self._mean(size, name).known:.1f}" for name in self.study.series)] for size in some]
        return Table(columns, rows, title=f"Clusters of {self.counts.size} systems, mean of {self.study.repeats} sets")

    def _mean(self, size: int, name: str) -> Estimate:
        return mean_of(self._clusters(size, name), self.level, (1.0, float(self.counts.size)))

    def _clusters(self, size: int, name: str) -> Sequence[float]:
        return [float(each) for each in self.runs[size, name]["clusters"]]

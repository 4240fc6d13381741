"""The result of `correlate`."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from betterthan.inference import Estimate
from betterthan.options import CorrelateOptions
from betterthan.present import Column, Table, chance, wrapped
from betterthan.results import Result
from betterthan.verbs.correlate import metric_correlation


@dataclass(frozen=True)
class Agreement:
    """Correlation of `metric` with `other`; differences up to the calibrated `threshold` are its ties.

    `observed` are the coefficients of the scores as they are. `measures` of systems are corrected for the noise of mean
    scores: they are between the systems' true qualities, and so are their intervals.
    """

    dataset: str
    metric: str
    other: str
    systems: int
    items: int
    measures: dict[str, Estimate]
    observed: dict[str, float | None]
    threshold: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Versus:
    """How much more `a` agrees with people than `b`, by a measure, with the p-value of PERM-BOTH."""

    dataset: str
    a: str
    b: str
    measure: str
    difference: float | None
    p: float
    p_adjusted: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Correlations(Result):
    """The result of `correlate`: agreement of metrics with people, or with each other, with intervals and tests.

    >>> import betterthan as bt
    >>> scores = {"item": [1, 1, 1, 2, 2, 2] * 2, "system": ["owl", "yak", "elk"] * 4,
    ...           "metric": ["wer"] * 6 + ["human"] * 6, "score": [1, 5, 9, 2, 6, 8, 3, 2, 1, 3, 1, 2]}
    >>> evidence = bt.read_scores(scores, lower_is_better=["wer"])
    >>> bt.correlate(evidence, "human", resamples=100)["wer"].observed["item-accuracy"]
    0.8333333333333333
    """

    verb: ClassVar[str] = "correlate"
    schema: ClassVar[str] = "correlations/2"
    holds = ("human", "level", "rows", "versus")

    settings: CorrelateOptions
    rows: tuple[Agreement, ...]
    versus: tuple[Versus, ...]

    @property
    def human(self) -> str | None:
        """The metric that holds people's scores."""
        return self.settings.human

    @property
    def level(self) -> float:
        """The level of intervals and tests."""
        return self.settings.level

    def __getitem__(self, metric: str) -> Agreement:
        """Return the agreement of a metric with people."""
        found = [row for row in self.rows if row.metric == metric]
        if len(found) != 1:
            raise KeyError(f"{len(found)} rows of {metric!r}; there are: {', '.join(row.metric for row in self.rows)}")
        return found[0]

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per pair of metrics and measure."""
        flat = [(row, name, row.measures[name]) for row in self.rows for name in metric_correlation.MEASURES]
        return {
            "dataset": [row.dataset for row, _, _ in flat],
            "metric": [row.metric for row, _, _ in flat],
            "other": [row.other for row, _, _ in flat],
            "measure": [name for _, name, _ in flat],
            "observed": [row.observed[name] for row, name, _ in flat],
            "value": [each.value for _, _, each in flat],
            "low": [each.low for _, _, each in flat],
            "high": [each.high for _, _, each in flat],
        }

    def tables(self) -> list[Table]:
        """Return agreements, and tests of metrics against each other, of every data set."""
        titles = list(dict.fromkeys(row.dataset for row in self.rows))
        return [table for title in titles for table in self._tables(title)]

    def _tables(self, title: str) -> list[Table]:
        rows = [row for row in self.rows if row.dataset == title]
        by = self.settings.measure
        rows.sort(key=lambda row: (row.observed[by] is None, -(row.observed[by] or 0.0)))
        names = [Column("metric", "left", flexible=True), *([] if self.human else [Column("other", "left")])]
        titles = [title for title in metric_correlation.MEASURES if title != by]
        of_systems = by in metric_correlation.OF_SYSTEMS
        columns = [
            *names,
            Column(by),
            *([Column("corrected")] if of_systems else []),
            Column(f"{100 * self.level:g} % interval", "left"),
            *(Column(each, optional=1) for each in titles),
        ]
        cells = [
            [
                row.metric,
                *([] if self.human else [row.other]),
                _shown(row.observed[by]),
                *([_shown(row.measures[by].value)] if of_systems else []),
                row.measures[by].ends(3),
                *(_shown(row.observed[each]) for each in titles),
            ]
            for row in rows
        ]
        tables = [Table(columns, cells, title=title)]
        tested = [each for each in self.versus if each.dataset == title]
        if tested:
            heads = [Column("a", "left"), Column("b", "left"), Column(f"{by} a − b"), Column("p"), Column("p adjusted")]
            lines = [
                [each.a, each.b, _shown(each.difference), chance(each.p), chance(each.p_adjusted)] for each in tested
            ]
            tables.append(Table(heads, lines, title=f"{title} metrics against each other".strip()))
        return tables

    def body(self, width: int | None) -> list[str]:
        """Return agreements and tests."""
        lines: list[str] = []
        for table in self.tables():
            lines += [*([table.title, ""] if table.title else []), table.to_text(width), ""]
        first = self.rows[0]
        against = f"people's scores ({self.human})" if self.human else "each other"
        lines.append(wrapped(f"Metrics against {against}: {first.systems:,} systems, {first.items:,} items.", width))
        lines.append(
            wrapped(
                "pearson, spearman, kendall and accuracy compare mean scores of systems; item-kendall and "
                "item-accuracy "
                "compare systems on every item, the latter with calibrated ties (Deutsch et al. 2023).",
                width,
            )
        )
        if self.settings.measure in metric_correlation.OF_SYSTEMS:
            about = (
                f"corrected is {self.settings.measure} of the systems' true qualities, which more items would give: "
                "noise of mean scores lowers the observed one. The interval is of the corrected value, for these "
                "systems and items like these."
            )
        else:
            about = "The interval is for these systems and items like these."
        lines.append(wrapped(about, width))
        if self.versus:
            significant = sum(each.p_adjusted <= 1 - self.level for each in self.versus)
            how = f"PERM-BOTH, {self.settings.correction} correction, {100 * (1 - self.level):.3g} % level"
            pairs = f"{significant:,} of {len(self.versus):,} pairs of metrics differ significantly"
            lines.append(wrapped(f"{pairs} by {self.settings.measure} ({how}).", width))
        return lines


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"

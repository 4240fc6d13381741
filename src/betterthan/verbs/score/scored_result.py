"""The result of `score`: one score per item, system and metric, and corpus-level scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import spelling
from betterthan.evidence import Scores
from betterthan.options import ScoreOptions
from betterthan.present import Column, Table, wrapped
from betterthan.readers import read_scores, score_parts
from betterthan.results import Result
from betterthan.verbs.score.measure_outputs import ItemScores


@dataclass(frozen=True)
class MetricUsed:
    """A metric, whether lower is better, whether its corpus-level score is the mean, and its signature."""

    name: str
    lower_is_better: bool
    over_the_test_set: str  # corpus or mean
    computed: str


@dataclass(frozen=True)
class Total:
    """One system by one metric over a whole data set; `scored` items have a score."""

    dataset: str
    system: str
    metric: str
    score: float | None
    mean: float | None
    scored: int


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Scored(Result):
    """Scores of outputs, ready to be ranked and compared.

    >>> import betterthan as bt
    >>> outputs = {"item": [1, 1, 2, 2], "system": ["owl", "yak"] * 2, "output": ["a b", "a c", "d", "d"]}
    >>> scored = bt.score(outputs, "exact-match", {"item": [1, 2], "reference": ["a b", "d"]})
    >>> [row.system for row in bt.rank(scored, model="mean", ci="none").board]
    ['owl', 'yak']
    """

    verb: ClassVar[str] = "score"
    schema: ClassVar[str] = "scored/1"
    holds = ("rows", "refused", "metrics", "totals")

    settings: ScoreOptions
    parts: tuple[ItemScores, ...]
    rows: int
    refused: int

    @property
    def about(self) -> Mapping[str, str]:
        """The part of the signature about the outputs, and the metrics' own signatures."""
        computed = " ".join(f"{each.name}[{each.computed}]" for each in self.metrics if each.computed)
        return {"evidence": "outputs", "computed": computed}

    @property
    def metrics(self) -> tuple[MetricUsed, ...]:
        """The metrics, as they were requested."""
        used = [
            MetricUsed(
                each.metric,
                each.lower_is_better,
                "mean" if each.parts is None else "corpus",
                each.computed.replace(":", "=").replace("|", ","),
            )
            for each in self.parts
        ]
        return tuple({each.name: each for each in used}.values())

    @property
    def totals(self) -> tuple[Total, ...]:
        """Every system by every metric over each data set."""
        return tuple(
            Total(
                part.title,
                system,
                part.metric,
                _known(part.whole[place]),
                _mean(part.scores[:, place]),
                int(np.sum(~np.isnan(part.scores[:, place]))),
            )
            for part in self.parts
            for place, system in enumerate(part.systems)
        )

    def __getitem__(self, named: tuple[str, str]) -> float | None:
        """Return the score of a system by a metric over the whole test set."""
        system, metric = named
        found = [each.score for each in self.totals if (each.system, each.metric) == (system, metric)]
        if len(found) != 1:
            raise KeyError(f"{len(found)} scores of {system!r} by {metric!r}")
        return found[0]

    def columns(self) -> dict[str, list[Any]]:
        """Return every score in a row of its own, as `rank` reads it."""
        columns: dict[str, list[Any]] = {}
        several = any(part.title for part in self.parts)
        grouped = any(part.groups is not None for part in self.parts)
        whole = any(part.parts is not None for part in self.parts)
        for part in self.parts:
            size = len(part.items) * len(part.systems)
            rows: dict[str, list[Any]] = {"dataset": [part.title] * size} if several else {}
            rows["item"] = [item for item in part.items for _ in part.systems]
            rows["system"] = list(part.systems) * len(part.items)
            rows["metric"] = [part.metric] * size
            rows["score"] = [_known(value) for value in part.scores.ravel()]
            rows["direction"] = [score_parts.DIRECTIONS[part.lower_is_better]] * size
            if grouped:
                rows["group"] = [group for group in part.groups or () for _ in part.systems]
            if whole:
                rows["parts"] = score_parts.written_parts(part.parts, size)
            for name, values in rows.items():
                columns.setdefault(name, []).extend(values)
        return columns

    def to_scores(self) -> Scores:
        """Return the scores as evidence, exactly as they would be read from a file."""
        grouped = any(part.groups is not None for part in self.parts)
        return read_scores(self.columns(), group="group" if grouped else None)

    def tables(self) -> list[Table]:
        """Return systems and metrics, one table per data set."""
        return [self._table(title) for title in dict.fromkeys(part.title for part in self.parts)]

    def _table(self, title: str) -> Table:
        parts = [part for part in self.parts if part.title == title]
        systems = list(dict.fromkeys(system for part in parts for system in part.systems))
        columns = [Column("system", "left"), *(Column(_heading(part)) for part in parts), Column("items")]
        rows = []
        for system in systems:
            cells = [_shown(part.whole[part.systems.index(system)]) for part in parts]
            scored = {int(np.sum(~np.isnan(part.scores[:, part.systems.index(system)]))) for part in parts}
            rows.append([system, *cells, "–".join(f"{number:,}" for number in sorted({min(scored), max(scored)}))])
        return Table(columns, rows, title=title)

    def body(self, width: int | None) -> list[str]:
        """Return systems by metrics, and how the files were read."""
        lines: list[str] = []
        for table in self.tables():
            lines += [*([table.title] if table.title else []), table.to_text(width), ""]
        lower = [each.name for each in self.metrics if each.lower_is_better]
        if lower:
            lines.append(wrapped(f"Less is better: {', '.join(lower)}.", width))
        lines.append(wrapped(str(self.reading), width))
        lines.append(
            wrapped(
                f"Intervals, ranks and tests: {spelling.verb('rank')} and {spelling.verb('compare')} take "
                "these scores.",
                width,
            )
        )
        return lines


def _heading(part: ItemScores) -> str:
    return part.metric if part.parts is None else f"{part.metric} (corpus)"


def _shown(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.4f}" if abs(value) < 10 else f"{value:.2f}"


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _mean(values: Any) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None

"""Evidence by metric and slice: every metric on all items, and on the slices that a column divides them into."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import IntArray, PlanError, spelling
from betterthan.engine import Coded
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.scores import Repeats, Scores, ScoreTable

#: What judgments measure.
_WON = "share won"


@dataclass(frozen=True, eq=False)
class MetricPart:
    """Evidence of two systems by one metric, on all items or on a slice of them."""

    evidence: Scores | Judgments | Rankings
    metric: str
    part: str

    @classmethod
    def all_of(
        cls, evidence: Scores | Judgments | Rankings, new: str, old: str, slices: str | None = None
    ) -> Iterator["MetricPart"]:
        """Yield every metric of two systems on all its items, then on every slice."""
        if slices is not None and (found := _divided_by(evidence)) != slices:
            divided = f"is divided by {found!r}" if found else "is not divided"
            raise PlanError(
                f"the evidence {divided}, not by {slices!r}",
                remedy=f"Read it with {spelling.option('dataset', slices)}.",
            )
        if isinstance(evidence, Scores):
            yield from _scored(evidence, new, old, sliced=slices is not None)
            return
        parts = evidence.data_sets()
        if slices is None and len(parts) > 1:
            raise PlanError(
                f"these {evidence.kind} are of {len(parts)} data sets",
                remedy=f"Name their column with {spelling.option('slices')}, or choose one with "
                f"{spelling.option('where')}.",
            )
        yield cls(_undivided(evidence) if slices else parts[0][1], _WON, "")
        if slices is not None:
            yield from (cls(part, _WON, title) for title, part in parts)

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The scores, one table for each task; none of judgments."""
        return self.evidence.tables if isinstance(self.evidence, Scores) else ()

    @property
    def lower_is_better(self) -> bool:
        """Whether less of the metric is better."""
        return any(table.negated for table in self.tables)

    @property
    def several_tasks(self) -> bool:
        """Whether it is of several tasks, or of one that is a sample of others."""
        return isinstance(self.evidence, Scores) and self.evidence.several_tasks

    def multiplied(self, system: str, factor: float) -> "MetricPart":
        """Return the same with the scores of one system multiplied, for margins relative to their mean."""
        if not isinstance(self.evidence, Scores):
            raise PlanError(
                "judgments say which version won, so there is no mean to take a percentage of",
                remedy="Give the margin as a share of judgments won, such as 0.02.",
            )
        tables = tuple(_table(table, system, factor) for table in self.tables)
        return replace(self, evidence=replace(self.evidence, tables=tables))


def _divided_by(evidence: Scores | Judgments | Rankings) -> str | None:
    return evidence.reading.used.get("dataset") if evidence.reading else None


def _scored(evidence: Scores, new: str, old: str, *, sliced: bool) -> Iterator[MetricPart]:
    tables = [_of_two(table, new, old) for table in evidence.tables if {new, old} <= {*table.systems}]
    if not tables:
        raise PlanError(f"no metric has scores of both {new!r} and {old!r}.")
    for metric in dict.fromkeys(table.metric for table in tables):
        own = [table for table in tables if table.metric == metric]
        whole = [_pooled(own)] if sliced and len(own) > 1 else own
        yield MetricPart(replace(evidence, tables=tuple(whole)), metric, "")
        if sliced:
            for table in own:
                alone = replace(evidence, tables=(replace(table, title=""),), random=())
                yield MetricPart(alone, metric, table.dataset)


def _undivided(evidence: Judgments | Rankings) -> Judgments | Rankings:
    if isinstance(evidence, Judgments):
        return replace(evidence, roles={role: name for role, name in evidence.roles.items() if role != "dataset"})
    return replace(evidence, about={name: column for name, column in evidence.about.items() if name != "dataset"})


def _of_two(table: ScoreTable, new: str, old: str) -> ScoreTable:
    """Return the scores of two systems."""
    return table.take(np.arange(len(table.items)), np.array([table.systems.index(name) for name in (new, old)]))


def _pooled(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Return the items of all slices as one table; items of different slices are different ones."""
    first = tables[0]
    names = [name for table in tables for name in table.items]
    if len({*names}) < len(names):
        names = [f"{table.dataset} {name}" for table in tables for name in table.items]
    order = np.argsort(np.array(names, dtype=object), kind="stable")
    groups, parts = _joined([table.groups for table in tables]), [table.parts for table in tables]
    return replace(
        first,
        title="",
        dataset="",
        items=tuple(names[place] for place in order),
        values=np.concatenate([table.values for table in tables])[order],
        appearance=None,
        groups=None if groups is None else groups.take(order),
        repeats=_repeats(tables, np.argsort(order)),
        parts=None if first.parts is None else np.concatenate([part for part in parts if part is not None])[order],
        source=None,
    )


def _joined(columns: Sequence[Coded | None]) -> Coded | None:
    there = [column for column in columns if column is not None]
    if len(there) < len(columns):
        return None
    return Coded.of([text for column in there for text in column.texts()])


def _repeats(tables: Sequence[ScoreTable], place: IntArray) -> Repeats | None:
    """Return the repeated scores of all slices; `place` says where an item went."""
    starts = np.cumsum([0, *(len(table.items) for table in tables)])
    there = [(table.repeats, start) for table, start in zip(tables, starts, strict=False) if table.repeats is not None]
    if len(there) < len(tables):
        return None
    return Repeats(
        place[np.concatenate([repeats.item + start for repeats, start in there])],
        np.concatenate([repeats.system for repeats, _ in there]),
        Coded.of([text for repeats, _ in there for text in repeats.repeat.texts()]),
        np.concatenate([repeats.value for repeats, _ in there]),
        _joined([repeats.judge for repeats, _ in there]),
    )


def _table(table: ScoreTable, system: str, factor: float) -> ScoreTable:
    if table.parts is not None:
        raise PlanError(
            f"{table.metric} is computed over the whole test set, so its margin cannot be a percentage",
            remedy="Give the margin in its own unit, such as 0.02.",
        )
    if np.any(table.as_given < 0):
        raise PlanError(
            f"some scores{f' of {table.metric}' if table.metric else ''} are below 0, so a percentage of their mean "
            "says nothing",
            remedy="Give the margin in the metric's unit, such as 0.02.",
        )
    place = table.systems.index(system)
    values = table.values.copy()
    values[:, place] *= factor
    repeats = table.repeats
    if repeats is not None:
        repeats = replace(repeats, value=np.where(repeats.system == place, repeats.value * factor, repeats.value))
    return replace(table, values=values, repeats=repeats)

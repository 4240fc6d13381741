"""Split the evidence given to a verb into data sets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from betterthan.base import PlanError, spelling
from betterthan.datasets.data_set import DataSet
from betterthan.datasets.judged_data import JudgedSet, without_tolerance
from betterthan.evidence import Account, Judgments, Rankings, Reading, Scores
from betterthan.readers import as_evidence

if TYPE_CHECKING:
    from betterthan.datasets.scored_data import ScoredSet

    AnyDataSet: TypeAlias = JudgedSet | ScoredSet  # a type checker knows that there are no others
else:
    AnyDataSet = DataSet  # schemas are made of types, and judgments are ranked without the class of scores


@dataclass(frozen=True)
class DataSets:
    """The data sets of the evidence, and the account of rows that belong to none."""

    sets: tuple[AnyDataSet, ...]
    left_out: Account | None = None
    column: str = "metric"  # separates the data sets
    random: tuple[str, ...] = ()  # task, if tasks are a sample of others

    def __iter__(self) -> Iterator[AnyDataSet]:
        return iter(self.sets)

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def kind(self) -> str:
        """The kind of evidence."""
        return self.sets[0].kind

    @property
    def scored(self) -> tuple["ScoredSet", ...]:
        """The data sets, where they are scores; else none."""
        return tuple(each for each in self.sets if not isinstance(each, JudgedSet))

    @property
    def judged(self) -> tuple[JudgedSet, ...]:
        """The data sets, where they are judgments or rankings; else none."""
        return tuple(each for each in self.sets if isinstance(each, JudgedSet))

    @property
    def reading(self) -> Reading | None:
        """How the evidence was read."""
        return self.sets[0].reading

    def only(self, what: str) -> AnyDataSet:
        """Return the only data set; `what` is of one, and refuses several."""
        if len(self.sets) > 1:
            raise _several([each.title for each in self.sets], what, self.column)
        return self.sets[0]


def data_sets(
    source: Any,
    *,
    unit: str | None = None,
    tolerance: float = 0.0,
    units: bool = True,
    pools_tasks: bool = False,
    takes_labels: bool = False,
) -> DataSets:
    """Return the data sets of evidence, of anything evidence can be read from, or a data set unchanged.

    `unit` is the unit of dependence (by default what the evidence names), `tolerance` the difference of scores up to
    which systems tie. Without `units` none is needed, and rows are not read to choose one. Random tasks are refused
    unless the caller pools tasks: elsewhere they would have no effect. So are people's labels of what a judge scored,
    unless the caller `takes_labels`.
    """
    sets = _split(source, unit, tolerance, units=units)
    if not takes_labels and any(each.labelled for each in sets):
        raise PlanError(
            "this verb does not use people's labels of what a judge scored",
            remedy=f"Leave out {spelling.option('gold')}, or use {spelling.verb('rank')}; {spelling.verb('compare')} "
            "takes labels of one metric and data set.",
        )
    if sets.random and not pools_tasks:
        raise PlanError(
            f"{spelling.option('random', 'task')} is for the overall difference of two systems on several tasks",
            remedy=f"Use {spelling.verb('compare_tasks')}, or leave it out.",
        )
    return sets


def _split(source: Any, unit: str | None, tolerance: float, *, units: bool) -> DataSets:
    if isinstance(source, DataSets):
        return replace(source, sets=tuple(each.settled(unit, tolerance) for each in source))
    if isinstance(source, DataSet):
        return DataSets((cast("AnyDataSet", source).settled(unit, tolerance),))
    evidence = source.to_scores() if hasattr(source, "to_scores") else as_evidence(source)  # what `score` returned
    if isinstance(evidence, Scores):
        tables = evidence.tables
        from betterthan.datasets.scored_data import ScoredSet  # noqa: PLC0415 (judgments are ranked without it)

        scored = [
            ScoredSet.of(table, evidence.account, evidence.name, unit, tolerance, evidence.fixed) for table in tables
        ]
        return DataSets(tuple(replace(each, reading=evidence.reading) for each in scored), random=evidence.random)
    if tolerance:
        raise without_tolerance(evidence.kind)
    parts: Sequence[tuple[str, Judgments | Rankings]] = evidence.data_sets()
    made = tuple(
        replace(JudgedSet.of(part, title, unit, evidence.fixed, units=units), reading=evidence.reading)
        for title, part in parts
    )
    return DataSets(made, evidence.left_out, evidence.divided_by)


def _several(titles: Sequence[str], what: str, column: str) -> PlanError:
    """Return the refusal of several data sets, which says by which column to choose one."""
    shown = ", ".join(repr(title) for title in titles[:10])
    return PlanError(
        f"{what} is of one metric and data set, and there are {len(titles)}: {shown}",
        remedy=f"Choose one by the column {column!r} with {spelling.option('where')}.",
    )

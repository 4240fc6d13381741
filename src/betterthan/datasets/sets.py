"""From whatever a verb was given to its data sets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.judged import JudgedSet, without_tolerance
from betterthan.datasets.scored import ScoredSet
from betterthan.errors import PlanError
from betterthan.evidence.account import Account
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.evidence.reading import Reading
from betterthan.evidence.scores import Scores
from betterthan.spelling import option


@dataclass(frozen=True)
class DataSets:
    """Every data set of the evidence, and what became of rows that belong to none."""

    sets: tuple[DataSet, ...]
    left_out: Account | None = None
    column: str = "metric"  # tells the data sets apart

    def __iter__(self) -> Iterator[DataSet]:
        return iter(self.sets)

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def kind(self) -> str:
        """What people brought."""
        return self.sets[0].kind

    @property
    def reading(self) -> Reading | None:
        """How the evidence was read."""
        return self.sets[0].reading

    def only(self, what: str) -> DataSet:
        """Return the only data set; `what` is of one, and refuses several."""
        if len(self.sets) > 1:
            raise _several([each.title for each in self.sets], what, self.column)
        return self.sets[0]


def data_sets(source: Any, *, unit: str | None = None, tolerance: float = 0.0, units: bool = True) -> DataSets:
    """Return the data sets of evidence, of what evidence can be read from, or a data set as it is.

    `unit` is the unit of dependence (by default what the evidence names), `tolerance` the difference of scores up to
    which systems tie. Without `units` none is needed, and rows are not read to choose one.
    """
    if isinstance(source, DataSets):
        return replace(source, sets=tuple(each.settled(unit, tolerance) for each in source))
    if isinstance(source, DataSet):
        return DataSets((source.settled(unit, tolerance),))
    evidence = source.to_scores() if hasattr(source, "to_scores") else as_evidence(source)  # what `score` returned
    if isinstance(evidence, Scores):
        tables = evidence.tables
        scored = [ScoredSet.of(table, evidence.account, evidence.name, unit, tolerance) for table in tables]
        return DataSets(tuple(replace(each, reading=evidence.reading) for each in scored))
    if tolerance:
        raise without_tolerance(evidence.kind)
    parts: Sequence[tuple[str, Judgments | Rankings]] = evidence.data_sets()
    made = tuple(
        replace(JudgedSet.of(part, title, unit, units=units), reading=evidence.reading) for title, part in parts
    )
    return DataSets(made, evidence.left_out, evidence.divided_by)


def _several(titles: Sequence[str], what: str, column: str) -> PlanError:
    """Return the refusal of several data sets, which says by which column to choose one."""
    shown = ", ".join(repr(title) for title in titles[:10])
    return PlanError(
        f"{what} is of one metric and data set, and there are {len(titles)}: {shown}",
        remedy=f"Choose one with {option('where', {column: 'NAME'})}.",
    )

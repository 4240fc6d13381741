"""Breakdown of the evidence by judge or item group: results of each system in every part."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray
from betterthan.datasets import ScoredSet
from betterthan.engine import Coded
from betterthan.evidence import LEFT, TIE, Judgments, ScoreTable
from betterthan.verbs.report.report_part import ReportPart

#: A table of more columns cannot be read: those with most evidence are shown.
_SHOWN = 12
#: Groups of fewer items each are clusters of dependent items, such as documents, rather than categories.
_CATEGORY = 5


@dataclass(frozen=True)
class Breakdown:
    """One number per system and part, None where there is no evidence; `number` is the number of parts."""

    by: str
    what: str
    parts: tuple[str, ...]
    sizes: tuple[int, ...]
    number: int
    systems: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]


def breakdowns(part: ReportPart, *, judges: bool = True) -> Iterator[Breakdown]:
    """Return the breakdowns that the columns of the evidence allow; without `judges`, none by judge."""
    data = part.data
    if isinstance(data, ScoredSet):
        table = data.scores
        if judges and table.repeats is not None and table.repeats.judge is not None:
            repeats = table.repeats
            judge = repeats.judge
            assert judge is not None
            values = -repeats.value if table.negated else repeats.value
            yield _shown(
                part, "judge", "Mean score", column=judge, system=repeats.system, values=values, systems=table.systems
            )
        if table.groups is not None and _are_categories(table.groups):
            yield _of_groups(part, table, table.groups)
    elif judges and "judge" in data.roles:
        yield from _of_judges(part, data.judgments)


def _of_groups(part: ReportPart, table: ScoreTable, groups: Coded) -> Breakdown:
    items, systems = np.nonzero(~np.isnan(table.values))
    taken = Coded(groups.codes[items], groups.labels)
    by = table.grouped_by or "group"
    values = table.as_given[items, systems]
    return _shown(part, by, "Mean score", column=taken, system=systems, values=values, systems=table.systems)


def _of_judges(part: ReportPart, judgments: Judgments) -> Iterator[Breakdown]:
    unit = next((unit for unit in ("item", "ranking") if unit in judgments.roles), None)
    try:  # what the diagnosis of judges counted, too
        tally = judgments.tally(*(("judge",) if unit is None else (unit, "judge")))
    except EvidenceError:  # some rows do not say who judged
        return
    points = np.select([tally.outcome == LEFT, tally.outcome == TIE], [1.0, 0.5], 0.0)
    weight = tally.weight * tally.times
    judge = tally.units["judge"]
    both = Coded(np.concatenate([judge.codes, judge.codes]), judge.labels)
    system = np.concatenate([tally.left, tally.right])
    values, weights = np.concatenate([points, 1 - points]), np.concatenate([weight, weight])
    yield _shown(
        part,
        "judge",
        "Win rate (ties half)",
        column=both,
        system=system,
        values=values,
        systems=tally.systems,
        weights=weights,
        systems_each=2,
    )


def _shown(
    part: ReportPart,
    by: str,
    what: str,
    *,
    column: Coded,
    system: IntArray,
    values: FloatArray,
    systems: tuple[str, ...],
    weights: FloatArray | None = None,
    systems_each: int = 1,
) -> Breakdown:
    """Average values by system and part, the parts with most evidence first; `systems_each` is 2 for judgments."""
    there = (column.codes >= 0) & ~np.isnan(values)
    weight = np.ones(len(values)) if weights is None else weights
    cell = system[there] * len(column.labels) + column.codes[there]
    size = len(systems) * len(column.labels)
    total = np.bincount(cell, weight[there], size).reshape(len(systems), -1)
    summed = np.bincount(cell, (weight * np.where(there, values, 0.0))[there], size).reshape(len(systems), -1)
    number = total.sum(axis=0)
    order = sorted(np.flatnonzero(number > 0), key=lambda place: (-number[place], column.labels[place]))
    rows = [systems.index(row.system) for row in part.main.rows]
    kept = order[:_SHOWN]
    return Breakdown(
        by,
        what,
        tuple(column.labels[place] for place in kept),
        tuple(round(number[place] / systems_each) for place in kept),
        len(order),
        tuple(systems[row] for row in rows),
        tuple(tuple(_mean(summed[row, place], total[row, place]) for place in kept) for row in rows),
    )


def _mean(summed: float, total: float) -> float | None:
    return float(summed / total) if total > 0 else None


def _are_categories(groups: Coded) -> bool:
    """Whether there are few enough groups, with enough items each, to be shown one by one."""
    codes = groups.codes[groups.codes >= 0]
    number = len(np.unique(codes))
    return number > 1 and len(codes) >= _CATEGORY * number

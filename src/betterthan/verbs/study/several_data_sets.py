"""A study of one data set, run on each of several, and the means over them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from betterthan.datasets import DataSets
from betterthan.findings import Finding
from betterthan.inference import Estimate, mean_of
from betterthan.present import Column, Table
from betterthan.verbs.study.experiments.base import Claim, Found, Means, Study, Work

#: The name of the rows that are means over data sets.
MEAN = "mean"


def run_each(study: Study, work: Work, data: DataSets, means: Means) -> Found:
    """Run a study on every data set; statements are about the means, whose intervals are over data sets."""
    found: dict[str, Found] = {}
    for each in data:
        alone = replace(work, data=replace(data, sets=(each,)), parts=work.parts.of(each.title))
        found[each.title] = study.run(alone)
    every, level = list(found.values()), work.options.level
    columns = _tidy(found, means, level)
    return Found(
        columns,
        tuple(_claims(every, level)),
        _summary(found),
        tuple(_findings(found)),
        drawn=_means_alone(columns) if means.figures else every[0].drawn or every[0].columns,
    )


def _claims(every: Sequence[Found], level: float) -> list[Claim]:
    """Return the statements that all data sets have, about the mean of their figures."""
    claims = []
    for first in every[0].claims:
        same = [claim for found in every for claim in found.claims if claim.what == first.what]
        if len(same) < len(every):
            continue
        values = [claim.ours.value for claim in same if claim.ours.value is not None]
        ours = mean_of(values, level) if values else Estimate(None, None, None)
        states = ", ".join(
            f"{number} {state}"
            for state in ("agrees", "differs", "cannot tell")
            if (number := sum(claim.agreement == state for claim in same))
        )
        cause = f"{first.cause} Of {len(same)} data sets alone: {states}.".strip()
        what = f"{first.what} (mean of {len(same)} data sets)"
        claims.append(Claim.of(what, first.paper, ours, first.expected, cause))
    return claims


def _tidy(found: Mapping[str, Found], means: Means, level: float) -> dict[str, list[Any]]:
    """Return the rows of all data sets, and below them the means of those that all have."""
    names = list(next(iter(found.values())).columns)
    rows = [
        {"data_set": title, **dict(zip(names, values, strict=True))}
        for title, one in found.items()
        for values in zip(*(one.columns[name] for name in names), strict=True)
    ]
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in means.keys), []).append(row)
    rows += [
        {"data_set": MEAN, **{name: _shared(some, name) for name in names}, **_averaged(some, means, level)}
        for some in groups.values()
        if means.figures and len(some) == len(found)
    ]
    return {name: [row[name] for row in rows] for name in ("data_set", *names)}


def _shared(some: Sequence[Mapping[str, Any]], name: str) -> Any:
    """Return what all rows have in common."""
    return some[0][name] if all(row[name] == some[0][name] for row in some) else None


def _averaged(some: Sequence[Mapping[str, Any]], means: Means, level: float) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for value, low, high in means.figures:
        known = [row[value] for row in some if row[value] is not None]
        ours = mean_of(known, level) if len(known) == len(some) else Estimate(None, None, None)
        found |= {value: ours.value, low: ours.low, high: ours.high}
    return found


def _means_alone(columns: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return the rows that are means, for the picture."""
    kept = [place for place, title in enumerate(columns["data_set"]) if title == MEAN]
    return {name: [values[place] for place in kept] for name, values in columns.items() if name != "data_set"}


def _summary(found: Mapping[str, Found]) -> Table:
    """Return the short tables of all data sets below each other, as far as they have the same columns."""
    titles = [column.title for column in next(iter(found.values())).summary.columns]
    alike = {title: one.summary for title, one in found.items() if [c.title for c in one.summary.columns] == titles}
    rows: list[list[str]] = []
    rules = set()
    for title, table in alike.items():
        rules.add(len(rows))
        rows += [[title if place == 0 else "", *row] for place, row in enumerate(table.rows)]
    first = next(iter(alike.values()))
    return Table([Column("data set", "left"), *first.columns], rows, frozenset(rules - {0}), title=first.title)


def _findings(found: Mapping[str, Found]) -> list[Finding]:
    return [finding for one in found.values() for finding in one.findings]

"""Rows that sum up others: a total among items, a mean among systems."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from betterthan.base import FloatArray
from betterthan.readers.columns.name_tables import MAY_SUM_UP, SUMMARIES, SUMMARY_PARTS
from betterthan.readers.columns.roles import normal

_AFTER = re.compile(r"\(.*?\)|[±+/].*$")
_PERCENT = re.compile(r"\d{1,2}(\.\d)? ?%")
#: What a word that may also be a name says of the others.
_STATISTICS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda others: np.nanmean(others, axis=0),
    "median": lambda others: np.nanmedian(others, axis=0),
    "min": lambda others: np.nanmin(others, axis=0),
    "max": lambda others: np.nanmax(others, axis=0),
    "sum": lambda others: np.nansum(others, axis=0),
    "count": lambda others: np.sum(~np.isnan(others), axis=0).astype(float),
}


def is_summary(name: str) -> bool:
    """Return whether a name says that it sums up others.

    >>> is_summary("Average (all)"), is_summary("std. dev."), is_summary("macro avg"), is_summary("mean teacher")
    (True, True, True, False)
    """
    folded = _folded(name)
    words = set(folded.split("_"))
    return (
        folded in SUMMARIES
        or (folded in MAY_SUM_UP and "±" in name)
        or (not words.isdisjoint(SUMMARIES) and words <= SUMMARIES | SUMMARY_PARTS)
    )


def may_be_summary(name: str) -> bool:
    """Return whether a name is that of a statistic, but may be one of a method or a task, too.

    >>> may_be_summary("median"), may_be_summary("owl")
    (True, False)
    """
    return _folded(name) in MAY_SUM_UP


def summaries(names: Sequence[str], values: FloatArray, *, of_systems: bool = False) -> set[str]:
    """Return which names sum up the others; `values` have a row per name.

    Mean, median and others are names of methods and tasks, too: they are summaries where their numbers say so, or
    where other summaries are among the names.
    """
    certain = {name for name in names if is_summary(name)}
    possible = {name: statistic for name in names if (statistic := MAY_SUM_UP.get(_folded(name)))}
    if not certain and not possible:
        return set()
    others = [place for place, name in enumerate(names) if name not in certain and name not in possible]
    if certain:
        return certain | set(possible) | {name for name in names if _PERCENT.fullmatch(name.strip())}
    if not of_systems and (means := {name for name, statistic in possible.items() if statistic in {"mean", "sum"}}):
        return means
    return {
        name
        for name, statistic in possible.items()
        if len(others) > 1 and _agrees(values[names.index(name)], values[others], _STATISTICS[statistic])
    }


def _folded(name: str) -> str:
    return normal(_AFTER.sub("", name))


def _agrees(row: FloatArray, others: FloatArray, statistic: Callable[[FloatArray], FloatArray]) -> bool:
    """Whether a row is a statistic of the others, as far as its digits go."""
    there = ~np.isnan(row) & np.any(~np.isnan(others), axis=0)
    if not np.any(there):
        return False
    wanted = statistic(others[:, there])
    return all(
        abs(value - number) <= 0.51 * 10.0 ** -_digits(value) for value, number in zip(row[there], wanted, strict=True)
    )


def _digits(value: float) -> int:
    return next((digits for digits in range(10) if round(value, digits) == value), 10)

"""Names that are known to be those of systems, benchmarks or summaries: which numbers are scores at all."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from betterthan.base import FloatArray
from betterthan.readers.columns.name_tables import (
    BENCHMARKS,
    MAY_SUM_UP,
    NUMBERED,
    SUMMARIES,
    SUMMARY_PARTS,
    SYSTEMS,
)
from betterthan.readers.columns.roles import normal

#: How the models of a study are numbered.
_MODEL = re.compile(r"m_?\d+")
_NUMERAL = re.compile(r"(\D+?)[\s._-]*\d+")
_AFTER = re.compile(r"\(.*?\)|[±+/].*$")
_STARTS = "|".join(sorted({name.split("_")[0] for name in SUMMARIES | MAY_SUM_UP.keys()}))
_LIKELY = re.compile(rf"^\W*({_STARTS})", re.IGNORECASE | re.MULTILINE)
_PERCENT = re.compile(r"\d{1,2}(\.\d)? ?%")
#: Statistics by the word that may name a method, too.
_STATISTICS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda others: np.nanmean(others, axis=0),
    "median": lambda others: np.nanmedian(others, axis=0),
    "min": lambda others: np.nanmin(others, axis=0),
    "max": lambda others: np.nanmax(others, axis=0),
    "sum": lambda others: np.nansum(others, axis=0),
    "count": lambda others: np.sum(~np.isnan(others), axis=0).astype(float),
}


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> frozenset[str]:
    """Return the words of a name, also joined with the numbers after them: T5, wav2vec."""
    folded = normal(name)
    parts = [part for word in re.split(r"\W+|_", name.lower()) if word for part in (word, re.sub(r"\d.*", "", word))]
    return frozenset([*folded.split("_"), folded.replace("_", ""), *parts])


def is_system(name: str) -> bool:
    """Return whether a name is known to be that of a system.

    >>> is_system("gpt-4o-mini"), is_system("System A"), is_system("M0"), is_system("income")
    (True, True, True, False)
    """
    return bool(_words(name) & SYSTEMS) or bool(_MODEL.fullmatch(normal(name)))


def is_benchmark(name: str) -> bool:
    """Return whether a name is known to be that of a benchmark.

    >>> is_benchmark("GSM8K"), is_benchmark("ARC-Challenge"), is_benchmark("hp")
    (True, True, False)
    """
    return bool(_words(name) & BENCHMARKS)


def mostly_systems(names: Iterable[str]) -> bool:
    """Return whether more than half of the names are known to be systems."""
    known = [is_system(name) for name in names]
    return 2 * sum(known) > len(known)


def numbered(names: Sequence[str]) -> list[str]:
    """Return names that differ in their number alone, as questions, judges and repeats do, but no numbered systems.

    >>> numbered(["Q1", "Q2", "owl"]), numbered(["system1", "system2"]), numbered(["gpt-3", "gpt-4"])
    (['Q1', 'Q2'], [], [])
    """
    stems = {name: normal(match[1]) for name in names if (match := _NUMERAL.fullmatch(name.strip()))}
    times = Counter(stems.values())
    return [name for name, stem in stems.items() if times[stem] > 1 and stem not in NUMBERED and not is_system(name)]


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
    if _LIKELY.search("\n".join(names)) is None:  # items may be many
        return set()
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

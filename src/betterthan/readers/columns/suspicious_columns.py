"""Reasons why numeric columns may not be systems: their names, their neighbours, their scales."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from betterthan.base import FloatArray
from betterthan.engine import labels
from betterthan.readers.columns.direction import shared_metric
from betterthan.readers.columns.known_names import is_summary, mostly_systems, numbered
from betterthan.readers.columns.metric_names import is_metric, metric_with_name, without_time_unit
from betterthan.readers.columns.name_tables import (
    DERIVED,
    DESCRIBING,
    ERROR_LIKE,
    ORDINARY,
    OTHER,
    TARGETS,
    TARGETS_OR_SYSTEMS,
)
from betterthan.readers.columns.roles import NAMES, normal

_ELSE_STARTS = ("n_", "num_", "total_", "avg_", "mean_", "std_", "count_", "is_", "max_", "min_")
_ELSE_ENDS = (
    "_params",
    "_params_b",
    "_size_b",
    "_id",
    "_idx",
    "_index",
    "_count",
    "_counts",
    "_stderr",
    "_std",
    "_error",
    "_errors",
    "_tokens",
    "_length",
    "_len",
    "_ms",
    "_time",
    "_seconds",
    "_sec",
    "_cost",
    "_price",
    "_version",
    "_date",
    "_timestamp",
    "_score",
    "_scores",
    "_rank",
    "_turn",
    "_year",
    "_hash",
    "_size",
    "_ids",
)
#: The first place of a ranking, or the rank of the first system: the name does not say which.
_PLACE = re.compile(r"(rank|place|position|choice|top)_\d+")
_PREDICTED = re.compile(r"(pred|predicted|prediction|predictions|preds|yhat|y_hat|y_pred)(_|$)")
#: Words for outcomes, and for their opposites.
_OPPOSITES = tuple(
    (frozenset(good.split()), frozenset(bad.split()))
    for good, bad in (
        ("correct right solved passed pass success successes", "wrong incorrect unsolved failed fail failure failures"),
        ("win wins won", "loss losses lost lose loses"),
        ("yes agree true positive pos", "no disagree false negative neg"),
    )
)
#: Columns with a row for each value of a setting or an outcome.
_VALUES = frozenset({*NAMES["score"], *NAMES["outcome"], "stars", "grade", "class", "bin", "level", "bucket", "answer"})
#: Scores of one metric may differ between systems, but hardly by so much.
SCALES = 1000.0


def describes(name: str) -> bool:
    """Whether a column of this name describes its row."""
    return normal(name) in DESCRIBING


def is_target(name: str) -> bool:
    """Whether a column is called like the right values, with which predictions are compared."""
    return normal(name) in TARGETS


def may_be_target(name: str) -> bool:
    """Whether a column is called like a system or like the right values."""
    return normal(name) in TARGETS_OR_SYSTEMS


def problem(
    numbers: Mapping[str, FloatArray],
    texts: Sequence[str],
    *,
    scales: float | None = SCALES,
    empty: Sequence[str] = (),
) -> str | None:
    """Return why numeric columns may not be systems, None without a reason.

    `texts` are the text columns next to them, some of them `empty`; `scales` may differ by this factor, or freely if
    the kind of evidence was given.
    """
    names = list(numbers)
    if headless := [name for name in names if labels.is_numeral(name)]:
        places = {int(name) for name in headless if name.isdigit()}
        counted = len(places) == len(headless) and places in (set(range(len(places))), set(range(1, len(places) + 1)))
        if not counted:
            return f"the first line holds numbers ({headless[0]!r}), so the file seems to have no header"
    if targets := [name for name in names if is_target(name) or may_be_target(name)]:
        return f"{_listed(targets)} {'is' if len(targets) == 1 else 'are'} called like what others are compared with"
    if predicted := [name for name in names if is_predicted(name)]:
        return f"{_listed(predicted)} may be predictions, or hold how often something was predicted"
    if counted_outcomes(names):
        return f"{_listed(names)} count right and wrong answers"
    if texts and len(texts) == len(empty):
        return f"{_listed(texts)} {'holds' if len(texts) == 1 else 'hold'} nothing"
    if texts:
        return f"{_listed(texts)} {'holds' if len(texts) == 1 else 'hold'} texts"
    if other := [name for name in names if sounds_else(name)]:
        return f"{_listed(other)} {'does' if len(other) == 1 else 'do'} not sound like a system's name"
    if metrics := [name for name in names if is_metric(name) or (metric_with_name(name) and not shared_metric(names))]:
        return f"{_listed(metrics)} {'is' if len(metrics) == 1 else 'are'} called like a metric"
    return None if scales is None else _scales(numbers, scales)


def is_predicted(name: str) -> bool:
    """Whether a column is called like predictions: they are no scores."""
    return bool(_PREDICTED.match(normal(name)))


def counted_outcomes(names: Sequence[str]) -> bool:
    """Whether names are those of outcomes and of their opposites: correct and wrong, wins and losses.

    >>> counted_outcomes(["llama correct", "llama wrong"]), counted_outcomes(["owl", "yak"])
    (True, False)
    """
    words = [set(normal(name).split("_")) for name in names]
    said = [
        (
            any(each & good for each in words),
            any(each & bad for each in words),
            sum(bool(each & (good | bad)) for each in words),
        )
        for good, bad in _OPPOSITES
    ]
    return any(good and bad and 2 * number > len(words) for good, bad, number in said)


def holds_values(name: str) -> bool:
    """Whether a column that numbers the rows is called like a score or an outcome: then the others are counts."""
    return normal(name) in _VALUES


def unlikely(names: Sequence[str], *, items: bool) -> str | None:
    """Return why columns of numbers are hardly scores of systems, None where items or systems are named."""
    if ordinary := [name for name in names if normal(name) in ORDINARY]:
        return f"{_listed(ordinary)} {'is' if len(ordinary) == 1 else 'are'} called like people or measurements"
    if repeated := numbered(names):
        return f"{_listed(repeated)} differ in their number alone, as questions, judges and repeats do"
    # Words such as loss and score are in the names of many columns: WeightLoss is no metric.
    if items or mostly_systems(names) or shared_metric(names) not in {"", "score", "rating", *ERROR_LIKE}:
        return None
    return "no column names the items, and they are not called like known systems"


def sounds_else(name: str) -> bool:
    """Whether a column of this name holds something other than scores, such as a time or a count."""
    folded = normal(without_time_unit(name))
    known = folded in OTHER or any(folded in NAMES[role] for role in ("time", "repeat", "count", "rank", "weight"))
    derived = not DERIVED.isdisjoint(folded.split("_"))
    return (
        known
        or derived
        or is_summary(name)
        or folded.startswith(_ELSE_STARTS)
        or folded.endswith(_ELSE_ENDS)
        or is_place(name)
    )


def is_place(name: str) -> bool:
    """Whether a column is called like a place of a ranking: rank_1, top 3."""
    return bool(_PLACE.fullmatch(normal(name)))


def _scales(numbers: Mapping[str, FloatArray], most: float) -> str | None:
    largest = {
        name: float(np.max(np.abs(column[np.isfinite(column)]), initial=0.0)) for name, column in numbers.items()
    }
    there = {name: value for name, value in largest.items() if value > 0}
    if len(there) < 2:
        return None
    low, high = min(there, key=there.__getitem__), max(there, key=there.__getitem__)
    if there[high] <= most * there[low]:
        return None
    return f"their scales differ too much: {high!r} goes up to {there[high]:,g}, {low!r} to {there[low]:,g}"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")

"""Find the score columns when none is named."""

from collections.abc import Collection, Sequence

import numpy as np

from betterthan.engine import Table
from betterthan.evidence import text_numbers
from betterthan.options import ReadOptions
from betterthan.readers.columns.metric_names import is_ambiguous, is_metric, metric_with_name, without_time_unit
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.columns.suspicious_columns import describes, sounds_else
from betterthan.readers.columns.wide_tables import index_column

#: How columns begin that LangSmith writes for the scores of evaluators.
_FEEDBACK = "feedback."
#: Right and wrong, and words for nothing.
_WORDS = 12
#: How names of columns end that are scores.
_SCORES = frozenset({"score", "scores", "error", "errors"})
#: Columns that say whether an answer is right, unless they hold the right answer.
_ANSWERS = frozenset({"passed", "correct", "is_correct", "success", "solved", "resolved"})


def scored_columns(
    table: Table, columns: Columns, options: ReadOptions, others: Collection[str], *, known: bool = False
) -> list[str]:
    """Return the columns of scores: those named, one called so with all metrics, or other numbers.

    Where columns are marked as feedback, the scores are among these. `others` play another role. Where only `known`
    metrics are taken, numbers must be called like one. Where a column names the metric, one column has the scores.
    """
    if options.score:
        return [columns.given(name) for name in options.score]
    named = columns.role("score")
    if named is not None and named not in others:
        metric = columns.role("metric", options.metric)
        metrics = [] if metric is not None else [name for name in _unused(table, others) if _is_called_metric(name)]
        return [named, *table.once(("scored", tuple(metrics)), lambda: _scored(table, metrics))] if metrics else [named]
    if feedback := [name for name in table.columns if name.startswith(_FEEDBACK)]:
        return table.once(("scored", tuple(feedback)), lambda: _scored(table, feedback))
    left = _unused(table, others)
    if known:  # a name of unknown direction is a metric where no other is there
        unclear = [name for name in table.columns if name not in others and is_ambiguous(name)]
        left = [name for name in left if _is_called_metric(name)] or unclear
    return table.once(("scored", tuple(left)), lambda: _scored(table, left))


def unused_numbers(table: Table, used: Collection[str]) -> list[str]:
    """Return columns of numbers without a role that may be metrics, too: nothing in their names says otherwise."""
    left = _unused(table, used)
    numeric = table.once(("numeric", tuple(left)), lambda: table.numeric(left)) if left else ()
    return [name for name, is_number in zip(left, numeric, strict=True) if is_number]


def _unused(table: Table, others: Collection[str]) -> list[str]:
    index = index_column(table)
    return [
        name
        for name in table.columns
        if name not in others
        and name != index
        and not describes(name)
        and (_is_named_score(name) or without_time_unit(name) != name or not sounds_else(name))
    ]


def _is_called_metric(name: str) -> bool:
    """Whether a column is called like a metric, like one of something (style_score), or like an answer (passed)."""
    return is_metric(name) or bool(metric_with_name(name)) or normal(name) in _ANSWERS


def _is_named_score(name: str) -> bool:
    """Whether a column is called a score or an error of something: style_score, passed, but not standard_error."""
    words = normal(name).split("_")
    return normal(name) in _ANSWERS or (len(words) > 1 and words[-1] in _SCORES and words[0] not in {"std", "standard"})


def _scored(table: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that hold numbers, or words for right and wrong."""
    numeric = dict(zip(names, table.numeric(names), strict=True)) if names else {}
    # The number of the right choice is no score: what says right or wrong has two values.
    answers = [name for name in numeric if normal(name) in _ANSWERS and not _is_right_or_wrong(table, name)]
    numeric = {name: is_number for name, is_number in numeric.items() if name not in answers}
    others = [name for name, is_number in numeric.items() if not is_number]
    distinct = table.unique(others)[1:] if others else ()
    few = [name for name, number in zip(others, distinct, strict=True) if 0 < number <= _WORDS]
    worded = {
        name for name in few if not text_numbers.numbers(table.distinct([name]).columns[name], words=True).wrong.any()
    }
    return [name for name in names if numeric.get(name) or name in worded]


def _is_right_or_wrong(table: Table, name: str) -> bool:
    """Whether a column holds nothing but 0 and 1, or words for them."""
    found = text_numbers.numbers(table.distinct([name]).columns[name], words=True)
    return bool(np.all(found.missing | (found.values == 0) | (found.values == 1)))

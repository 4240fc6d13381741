"""Find the score columns when none is named."""

from collections.abc import Collection, Sequence

from betterthan.engine import Table
from betterthan.evidence import text_numbers
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.suspicious_columns import called_like_metric, describes, sounds_else

#: How columns begin that LangSmith writes for the scores of evaluators.
_FEEDBACK = "feedback."
#: Right and wrong, and words for nothing.
_WORDS = 4


def scored_columns(
    table: Table, columns: Columns, options: ReadOptions, others: Collection[str], *, known: bool = False
) -> list[str]:
    """Return the columns of scores: those named, one called so, or all numbers that sound like nothing else.

    Where columns are marked as feedback, the scores are among these. `others` play another role. Where only `known`
    metrics are taken, numbers must be called like one.
    """
    if options.score:
        return [columns.given(name) for name in options.score]
    if (named := columns.role("score")) is not None and named not in others:
        return [named]
    if feedback := [name for name in table.columns if name.startswith(_FEEDBACK)]:
        return table.once(("scored", tuple(feedback)), lambda: _scored(table, feedback))
    left = [name for name in table.columns if name not in others and not describes(name) and not sounds_else(name)]
    left = [name for name in left if not known or called_like_metric(name)]
    return table.once(("scored", tuple(left)), lambda: _scored(table, left))


def _scored(table: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that hold numbers, or words for right and wrong."""
    numeric = dict(zip(names, table.numeric(names), strict=True)) if names else {}
    others = [name for name, is_number in numeric.items() if not is_number]
    distinct = table.unique(others)[1:] if others else ()
    few = [name for name, number in zip(others, distinct, strict=True) if 0 < number <= _WORDS]
    worded = {
        name for name in few if not text_numbers.numbers(table.distinct([name]).columns[name], words=True).wrong.any()
    }
    return [name for name in names if numeric[name] or name in worded]

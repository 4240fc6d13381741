"""Tables that hold no evidence yet: what they are, and what is needed."""

from itertools import islice

from betterthan.base import spelling
from betterthan.engine import labels
from betterthan.readers.columns.known_names import is_summary, may_be_summary
from betterthan.readers.columns.metric_names import is_metric
from betterthan.readers.columns.suspicious_columns import counted_outcomes, is_place
from betterthan.readers.hints.called import is_system
from betterthan.readers.hints.candidates import Situation
from betterthan.readers.hints.scored_readings import in_other_notation, numbers_in_texts
from betterthan.readers.hints.seen_columns import SeenColumn

_SHOWN = 3


def what_is_missing(situation: Situation) -> tuple[str, str] | None:
    """Return what a table is that no reading makes evidence of, and what to do; None where that is unknown."""
    rows = len(situation.seen[0].values.codes)
    numbers = [column for column in situation.numbers if column is not situation.role("item")]
    system = situation.role("system") or next((column for column in situation.texts if is_system(column)), None)
    metrics = [column for column in numbers if is_metric(column.name) and not is_place(column.name)]
    heads = [column.name for column in situation.numbers if labels.is_numeral(column.name)]
    data = [column.name for column in situation.seen if column.name in column.labels]
    if heads and (len(numbers) > 1 or data):
        return (
            f"the first line holds numbers ({heads[0]!r}), so the file seems to have no header",
            "Add a first line with the names of the columns.",
        )
    if odd := numbers_in_texts(situation):
        return (
            f"{odd.name!r} may hold numbers, but they are written as {_listed(_in_other_notation(odd))}",
            f"Write numbers with a decimal point and without units. If all commas are decimal, pass "
            f"{spelling.option('decimal', ',')}; if they separate thousands, {spelling.option('decimal', '.')}.",
        )
    roles = [situation.columns.role(role) for role in ("outcome", "score", "rank", "system")]
    if rows == 1 and not any(roles) and situation.columns.sides() is None:
        return (
            f"a single row ({_listed(situation.columns.names)}) is a setting or a total, not evidence",
            "Give one row per judgment, per ranking, or per score of a system on an item.",
        )
    names = [column.name for column in numbers]
    totals = len(numbers) > 1 and (
        counted_outcomes(names) or all(is_summary(name) or may_be_summary(name) or name.endswith("%") for name in names)
    )
    if system is not None and system.is_unique and (len(numbers) == 1 or totals):
        shown = f"are totals per system ({_listed(names)})" if totals else f"is one number per system ({names[0]!r})"
        return (
            f"there {shown}, and nothing about single items",
            "Give a row per system and item: totals alone cannot show how certain a difference is.",
        )
    if system is not None and len(situation.seen) == 2 and len(numbers) == 1 and not system.is_unique:
        return (
            f"{system.name!r} has several numbers each ({names[0]!r}), and nothing says what each was measured on",
            "Add a column of items: the prompts or problems.",
        )
    if system is None and metrics and len(metrics) == len(numbers) and situation.columns.sides() is None:
        return (
            f"these are scores of one system by {_listed([column.name for column in metrics])}",
            "Give the file of another system as well, with the same items.",
        )
    return None


def _in_other_notation(column: SeenColumn) -> list[str]:
    """Return the first texts of a column that are numbers in another notation."""
    return list(islice(filter(in_other_notation, dict.fromkeys(filter(None, column.values.texts()))), _SHOWN))


def _listed(names: list[str] | tuple[str, ...]) -> str:
    shown = ", ".join(map(repr, names[:_SHOWN]))
    return shown + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")

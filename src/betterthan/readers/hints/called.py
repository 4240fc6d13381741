"""What columns are called: like systems, like items and people, like settings, like dates, or like scores."""

from betterthan.evidence import outcomes
from betterthan.readers.columns.known_names import is_benchmark, mostly_systems
from betterthan.readers.columns.metric_names import is_metric, metric_with_name
from betterthan.readers.columns.name_tables import (
    COMPARED_COLUMNS,
    DATED_COLUMNS,
    EVERYDAY_METRICS,
    GRADES,
    IDENTIFIERS,
    NO_SYSTEM_COLUMNS,
    PEOPLE_COLUMNS,
    SETTING_COLUMNS,
    SPREADS,
    SYSTEM_COLUMNS,
    WEAK_SYSTEM_COLUMNS,
)
from betterthan.readers.columns.roles import NAMES, normal
from betterthan.readers.hints.seen_columns import SeenColumn

#: Labels of columns that answer a question.
_ANSWERS = frozenset({"yes", "no", "true", "false", "y", "n", "t", "f", "na", "none", "unknown", "other"})
#: How data frames call the names of rows.
_ROWS = frozenset({"", "index", "column_0", "unnamed_0", "rownames", "row_names"})


def is_system(column: SeenColumn) -> bool:
    """Whether a column is called like one of systems."""
    return bool(_words(column) & (SYSTEM_COLUMNS | {*NAMES["system"]}))


def is_surely_system(column: SeenColumn) -> bool:
    """Whether a column is called like one of systems and nothing else, or most of its labels are known systems."""
    return bool(_words(column) & ((SYSTEM_COLUMNS | {*NAMES["system"]}) - WEAK_SYSTEM_COLUMNS)) or mostly_systems(
        column.labels
    )


def is_compared(column: SeenColumn) -> bool:
    """Whether a column is called like what people compare in experiments."""
    return bool(_words(column) & COMPARED_COLUMNS)


def is_item(column: SeenColumn) -> bool:
    """Whether a column is called like items, or like anything else that is no system."""
    return normal(column.name) in NAMES["item"] or is_other(column)


def is_unit(column: SeenColumn) -> bool:
    """Whether a column is called like items or people, on which systems are tested: dates and places are not."""
    names = {*NAMES["item"], *NAMES["judge"]}
    return not is_dated(column) and (normal(column.name) in names or bool(_words(column) & NO_SYSTEM_COLUMNS))


def is_person(column: SeenColumn) -> bool:
    """Whether a column is called like people: what differs between them is no evaluation of systems."""
    return bool(_words(column) & PEOPLE_COLUMNS) or normal(column.name) in NAMES["judge"]


def is_other(column: SeenColumn) -> bool:
    """Whether a column is called like items, people, data sets, repeats or times: none of these is a system."""
    known = {name for role in ("item", "judge", "ranking", "time", "dataset", "repeat") for name in NAMES[role]}
    return normal(column.name) in known or bool(_words(column) & NO_SYSTEM_COLUMNS)


def is_dated(column: SeenColumn) -> bool:
    """Whether a column is called like dates."""
    return normal(column.name) in NAMES["time"] or bool(_words(column) & DATED_COLUMNS)


def is_setting(column: SeenColumn) -> bool:
    """Whether a column is called like a setting, and not like one of systems."""
    return bool(_words(column) & SETTING_COLUMNS) and not is_surely_system(column)


def numbers_rows(column: SeenColumn) -> bool:
    """Whether a column is called like the numbers or names of rows, as data frames write them."""
    return normal(column.name) in _ROWS


def identifies(name: str) -> bool:
    """Whether a column is called like numbers or codes that identify something.

    >>> identifies("SourceID"), identifies("match_id"), identifies("home_pts")
    (True, True, False)
    """
    return normal(name).rpartition("_")[2] in IDENTIFIERS or name.endswith(("ID", "Id"))


def is_answer(column: SeenColumn) -> bool:
    """Whether all labels of a column are answers such as yes and no, or words for who won."""
    return all(label.strip().casefold() in _ANSWERS or outcomes.is_outcome(label.strip()) for label in column.labels)


def is_everyday(name: str) -> bool:
    """Whether a metric is called by an everyday word, such as time or price."""
    return bool({*normal(name).split("_")} & EVERYDAY_METRICS)


def is_score(name: str) -> bool:
    """Whether a column is called like a score: a metric that is no everyday word, or a grade.

    >>> is_score("bleu"), is_score("quality points"), is_score("price"), is_score("bleu_std")
    (True, True, False, False)
    """
    words = {*normal(name).split("_")}
    if words & SPREADS:
        return False
    strict = (is_metric(name) or metric_with_name(name)) and not words & EVERYDAY_METRICS
    return bool(strict or words & GRADES or normal(name) in NAMES["score"])


def is_benchmark_or_metric(name: str) -> bool:
    """Whether a column is called like a benchmark or a metric that is no everyday word; people have grades, too."""
    return is_benchmark(name) or (is_metric(name) and not {*normal(name).split("_")} & (EVERYDAY_METRICS | GRADES))


def _words(column: SeenColumn) -> set[str]:
    return {*normal(column.name).split("_")}

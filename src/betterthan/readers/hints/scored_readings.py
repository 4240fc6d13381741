"""Readings of tables as scores: a row per system and item, a column per system, or a row per system."""

import re
from collections.abc import Mapping

import numpy as np

from betterthan.engine import labels
from betterthan.readers.columns import known_names
from betterthan.readers.columns.known_names import is_summary, may_be_summary
from betterthan.readers.columns.metric_names import is_metric
from betterthan.readers.columns.name_tables import ORDINARY
from betterthan.readers.columns.roles import NAMES, normal
from betterthan.readers.columns.suspicious_columns import (
    SCALES,
    counted_outcomes,
    describes,
    holds_values,
    is_predicted,
    sounds_else,
)
from betterthan.readers.formats.scores_by_benchmark import SUMMARIES
from betterthan.readers.hints.called import (
    identifies,
    is_answer,
    is_dated,
    is_everyday,
    is_item,
    is_other,
    is_score,
    is_setting,
    is_system,
    numbers_rows,
)
from betterthan.readers.hints.candidates import Candidate, Situation
from betterthan.readers.hints.seen_columns import SeenColumn, rows_are_distinct

#: Numbers with a decimal comma, separators of thousands, or a unit.
_NUMBER = re.compile(r"[-+$€]?\s?\d[\d.,' ]*\s?(?!st$|nd$|rd$|th$)(%|[a-zA-Zµ]{1,3}|€)?(\s?[(±\[].*)?")
#: Lists of numbers and versions are no numbers: 61936,61937 and 1.2.2.
_LIST = re.compile(r"\d{4,}[,; ]\s*\d{4,}")
_VERSION = re.compile(r"\d+(\.\d+){2,}")
_THOUSANDS = re.compile(r"\d{1,3}(\.\d{3}){2,}")
#: More values than that are no metrics.
_MOST_METRICS = 30
#: Fewer columns of numbers than that are no benchmarks.
_LEAST_BENCHMARKS = 3
#: Labels of systems are short; longer ones are texts.
_LONGEST = 40
#: Benchmarks of one table are on one scale; so are systems next to columns that are none.
_SCALES = 20.0


def long(situation: Situation) -> list[Candidate]:
    """Return readings with a row per system and item."""
    found = []
    for system in _systems(situation):
        if system.is_unique:  # a row per system
            continue
        scores = _scores(situation, [system])
        for item in _items(situation, system):
            used = [system, item]
            values = [column for column in scores if column is not item]
            names = [column.name for column in values]
            if not values:
                continue
            changes = {"system": system.name, "item": item.name, "score": names}
            meaning = f"{system.name!r} names the systems, {item.name!r} the items"
            if rows_are_distinct(used):
                found.append(Candidate(changes, meaning))
            else:
                found += _repeated(situation, [*used, *values], changes, meaning)
            if found and found[-1].changes["system"] == system.name:
                break
    return [Candidate(_not_recognised(situation, each), each.meaning) for each in found]


def _not_recognised(situation: Situation, candidate: Candidate) -> dict[str, object]:
    """Return the changes without the columns that are recognised by their names already."""
    named = {role: [value] if isinstance(value, str) else value for role, value in candidate.changes.items()}
    return {
        role: candidate.changes[role]
        for role, columns in named.items()
        if role in {"metric", "repeat"} or [situation.columns.role(role)] != columns
    }


def _systems(situation: Situation) -> list[SeenColumn]:
    if (named := situation.role("system")) is not None:
        return [named]
    size = len(situation.seen[0].values.codes)
    likely = [
        column
        for column in situation.texts
        if 2 <= column.number_of_values <= size / 2
        and not (is_other(column) or is_setting(column) or is_dated(column) or is_answer(column))
        and normal(column.name) not in ORDINARY
    ]
    called = [column for column in likely if is_system(column)]
    return called or sorted(likely, key=lambda column: column.number_of_values)


def _items(situation: Situation, system: SeenColumn) -> list[SeenColumn]:
    if (named := situation.role("item")) is not None:
        return [named]
    likely = [
        column
        for column in situation.seen
        if column is not system
        and column.number_of_values > 1
        and (column.is_whole or not column.is_number)
        and not (is_dated(column) or is_setting(column) or is_answer(column))
        and not 2 * len(column.labels & system.labels) > len(column.labels)  # systems against systems
    ]
    alone = [column for column in likely if rows_are_distinct([system, column])]
    return sorted(alone or likely, key=lambda column: (not is_item(column), column.is_number, -column.number_of_values))


def _scores(situation: Situation, used: list[SeenColumn]) -> list[SeenColumn]:
    if situation.options.score:
        return [column for column in situation.numbers if column.name in situation.options.score]
    if (named := situation.role("score")) is not None:
        return [named]
    others = [column for column in situation.numbers if column not in used and not column.counts_rows]
    metrics = [column for column in others if is_metric(column.name)]
    metrics = [column for column in metrics if not sounds_else(column.name)] or metrics
    others = [column for column in others if not (identifies(column.name) or is_dated(column))]
    metrics = [column for column in metrics if is_score(column.name) or is_everyday(column.name)]
    if metrics and all(is_everyday(column.name) for column in metrics):
        # What else was measured may be what counts.
        unknown = [each for each in others if not (each in metrics or sounds_else(each.name) or is_other(each))]
        return [] if unknown else metrics
    if metrics or len(others) == 1:
        return metrics or others
    # Of one unknown number the direction is shown; several are measurements as often as scores.
    if called := [column for column in others if is_score(column.name)]:
        return called
    others = [
        column for column in others if not (sounds_else(column.name) or describes(column.name) or is_other(column))
    ]
    return others if len(others) == 1 else []


def _repeated(
    situation: Situation, used: list[SeenColumn], changes: Mapping[str, object], meaning: str
) -> list[Candidate]:
    """Return readings where one more column distinguishes several scores of a system on an item."""
    system, item, *scores = used
    found = []
    for column in situation.seen:
        values = [score.name for score in scores if score is not column]
        if column in {system, item} or not values or column.number_of_values < 2 or numbers_rows(column):
            continue
        # Numbers are repeats where they are called so or count from 0 or 1: prices and weights differ, too.
        if column.is_number and not (is_other(column) or column.counts_values):
            continue
        if not rows_are_distinct([system, item, column]):
            continue
        given = {**changes, "score": values}
        repeat = Candidate(
            {**given, "repeat": column.name},
            f"{meaning}, each value of {column.name!r} is a repeat, and the mean is used",
        )
        metric = Candidate({**given, "metric": column.name}, f"{meaning}, each value of {column.name!r} is a metric")
        if column.is_number or is_other(column):
            found.append(repeat)
        elif any(is_metric(label) for label in column.labels):
            found.append(metric)
        elif column.number_of_values > _MOST_METRICS or identifies(column.name) or is_answer(column):
            found.append(repeat)
        else:
            found += [metric, repeat]
    return found


def wide(situation: Situation) -> list[Candidate]:
    """Return readings with an item per row and a column per system, or the other way round."""
    systems = [column for column in situation.numbers if not _is_no_system(column)]
    benchmarks = [
        column
        for column in situation.numbers
        if not column.counts_rows and SUMMARIES.isdisjoint(normal(column.name).split("_"))
    ]
    named = situation.role("item")
    rows = [column for column in ([named] if named is not None else situation.texts) if column.is_unique]
    # A column without numbers may be a system that failed everywhere.
    failed = any(
        column.number_of_values < 2 and not (column.is_number or describes(column.name) or is_setting(column))
        for column in situation.seen
    )
    if not rows or len(rows[0].values.codes) < 2 or failed or numbers_in_texts(situation) is not None:
        return []
    label, found = rows[0], []
    if _is_other_table(label, [column.name for column in situation.numbers]):
        return []
    short = max(map(len, label.labels)) <= _LONGEST and not is_other(label) and not is_item(label)
    if (
        short
        and len(benchmarks) >= _LEAST_BENCHMARKS
        and _alike(benchmarks, _SCALES)
        and not any(map(_is_else, benchmarks))
    ):
        names = [column.name for column in benchmarks]
        meaning = f"every row is a system, called as in {label.name!r}, and every column of numbers is a benchmark"
        found.append(Candidate({"format": "scores-by-benchmark", "system": label.name, "score": names}, meaning))
    others = any(_is_no_system(column) and not column.counts_rows for column in situation.numbers)
    if len(systems) > 1 and _alike(systems, _SCALES if others else SCALES) and not (short and is_system(label)):
        names = [column.name for column in systems]
        meaning = f"every row is an item, and each of the columns {', '.join(map(repr, names))} is a system"
        changes = {"systems": names} if label is named else {"systems": names, "item": label.name}
        found.append(Candidate(changes, meaning))
    return found


def _is_other_table(label: SeenColumn, names: list[str]) -> bool:
    """Whether this is no table of scores: of predictions, counted outcomes, metrics, statistics, or a square."""
    statistics = sum(is_metric(each) or is_summary(each) or may_be_summary(each) for each in label.labels)
    return (
        any(map(is_predicted, names))
        or counted_outcomes(names)
        or counted_outcomes([*label.labels])
        or holds_values(label.name)
        or len(label.labels & set(names)) > 1
        or 2 * statistics >= len(label.labels)
        or normal(label.name) in NAMES["metric"]
    )


def _is_no_system(column: SeenColumn) -> bool:
    metric = is_metric(column.name) and not known_names.is_system(column.name)  # TPOT is a method and a time
    return column.counts_rows or numbers_rows(column) or _is_else(column) or metric or describes(column.name)


def _is_else(column: SeenColumn) -> bool:
    return sounds_else(column.name) or is_other(column)


def _alike(columns: list[SeenColumn], most: float) -> bool:
    """Whether the largest values of all columns are on one scale."""
    largest = np.array([np.nanmax(np.abs(column.numbers)) for column in columns])
    return bool(largest.max() <= most * largest.min())


def numbers_in_texts(situation: Situation) -> SeenColumn | None:
    """Return a column of texts that holds numbers in another notation: it may be a system, and would be left out."""
    return next(
        (
            column
            for column in situation.texts
            if _are_numbers(column)
            and not (is_other(column) or is_dated(column) or is_setting(column) or identifies(column.name))
        ),
        None,
    )


def _are_numbers(column: SeenColumn) -> bool:
    """Whether more than half of several values are numbers, some of them in another notation."""
    odd = sum(map(in_other_notation, column.labels))
    plain = sum(map(labels.is_numeral, column.labels))
    return odd > 0 and column.number_of_values > 1 and 2 * (odd + plain) > column.number_of_values


def in_other_notation(label: str) -> bool:
    """Whether a text is a number that is written with a comma, a unit or a remark."""
    version = _LIST.search(label) is not None or (
        _VERSION.fullmatch(label) is not None and _THOUSANDS.fullmatch(label) is None
    )
    return _NUMBER.fullmatch(label) is not None and not labels.is_numeral(label) and not version

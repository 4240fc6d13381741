"""One score per row: item, system, score, perhaps metric, data set and repeat."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, UnclearError, spelling
from betterthan.engine import FILE, MISSING, Coded, Distinct, Table
from betterthan.evidence import Check, Kind, Reading, Scores, ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import repeats
from betterthan.readers.builders.reduced_repeats import Reduction
from betterthan.readers.builders.score_entries import Entries
from betterthan.readers.builders.score_parts import Computed, computed_columns
from betterthan.readers.builders.score_tables import SCORE_REMEDY, checked, grouped
from betterthan.readers.columns.direction import Directions, refuse_file_of_errors
from betterthan.readers.columns.metric_names import is_metric
from betterthan.readers.columns.plausible_scores import plausible, without_codes
from betterthan.readers.columns.roles import NAMES, Columns, normal
from betterthan.readers.columns.score_columns import scored_columns, unused_numbers
from betterthan.readers.columns.wide_tables import read_numbers
from betterthan.readers.format import Recognition
from betterthan.readers.gold_labels import label_columns, unused_labels, with_columns_of_labels

#: How the reading report calls the column that distinguishes runs in files of their own.
_RUN = "the file"
_NAMED = ("system", "item", "metric", "dataset", "group", "repeat", "judge")
#: What says which system was tested, where a column called name holds names of metrics.
_RUNS = ("dataset_run_name", "run_name", "experiment", "experiment_name", "model", "system")


class ScoreEntriesFormat:
    """A row per system and item; several columns of scores are several metrics."""

    name: ClassVar[str] = "scores-long"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one score per row: item, system, score, perhaps metric and data set"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset(
        {*_NAMED, "score", "gold", "propensity", "reduce", "standardise", "lower_is_better", "missing_codes"}
    )
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for a column of systems."""
        columns = Columns.of(found, options, self.uses)
        named = columns.role("system", options.system)
        if columns.lists_documents and options.item is None:
            return None
        if options.score or options.metric:
            # Without a column of systems, each file may be one.
            return Recognition(1.0 if named else 0.6, "a column of scores or metrics was named")
        return Recognition(0.6, f"column {named}") if named else None

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every row as a score; repeated ones are averaged where a column distinguishes them."""
        columns = Columns.of(found, options, self.uses)
        roles, metrics = _roles(found, columns, options)
        if (
            options.lower_is_better is None
            and "metric" not in roles
            and columns.called(NAMES["score"]) == tuple(metrics)
        ):
            refuse_file_of_errors(found)
        directions = Directions(options.lower_is_better)
        labels = label_columns(columns, options)
        scores = read_entries(found, roles, [*metrics, *labels], options, directions, self.name)
        scores = plausible(with_columns_of_labels(scores, labels) if labels else scores, options)
        if not labels:
            scores = _noted(scores, unused_labels(scores.tables) if options.gold_judge is None else [])
        unused = [] if options.score else unused_numbers(found, {*roles.values(), *metrics, *labels})
        if not unused or scores.reading is None:
            return scores
        return _noted(scores, [kinds.reading.NUMBERS_IGNORED.found(columns=", ".join(unused[:5]), number=len(unused))])

    def example(self, folder: Path) -> Any:
        """Return the scores of two systems on two items by two metrics."""
        del folder
        return {
            "metric": ["bleu"] * 4 + ["chrf"] * 4,
            "item": ["i1", "i1", "i2", "i2"] * 2,
            "system": ["owl", "yak"] * 4,
            "score": [0.2, 0.1, 0.4, 0.3, 0.6, 0.5, 0.7, 0.8],
        }


def _noted(scores: Scores, findings: Sequence[Finding]) -> Scores:
    """Return scores with findings before the others."""
    if not findings or scores.reading is None:
        return scores
    return replace(scores, reading=replace(scores.reading, findings=(*findings, *scores.reading.findings)))


def read_entries(  # noqa: PLR0917 (a table, and what is known of it)
    table: Table,
    roles: Mapping[str, str],
    metrics: Sequence[str],
    options: ReadOptions,
    directions: Directions,
    name: str,
    called: Mapping[str, str] | None = None,
) -> Scores:
    """Read a table of one score per row (or one per metric and row) whose columns are known.

    `called` has other names for systems; where several have one name, each of them is a run of it.
    """
    rows = table.rows(list(dict.fromkeys([*roles.values(), *computed_columns(table.columns)])), metrics)
    rows, runs = _called(without_codes(rows, options.missing_codes), roles["system"], called)
    roles = {**roles, **runs}
    numbers, texts = read_numbers(table, rows, metrics)
    check = Check(table, replace(rows, columns={**rows.columns, **texts}), options.on_error)
    used = dict(roles)
    by = _telling(rows, used, options)
    group = grouped(check, used["group"]) if "group" in used else None
    values = {metric: numbers[metric].values for metric in metrics}
    if options.standardise:
        values = _standardised(rows, used, values, table.name)
    reduction = None if options.reduce in {None, "mean"} else Reduction.of(str(options.reduce))
    entries = Entries(
        item=rows.columns[used["item"]],
        system=rows.columns[used["system"]],
        values=values,
        dataset=rows.columns[used["dataset"]] if "dataset" in used else None,
        metric=rows.columns[used["metric"]] if "metric" in used else None,
        repeat=_joined([rows.columns[used[role]] for role in by]),
        repeated_by=" and ".join(used[role] for role in by),
        unnamed_repeats=not by and (reduction is not None or _repeated_alike(table, rows, used, metrics)),
        judge=rows.columns[used["judge"]] if "judge" in by else None,
        group=group,
        grouped_by=used.get("group", ""),
        computed=Computed.of(check, rows.columns),
        reduction=reduction,
    )
    if entries.computed.lower is None:
        if entries.metric is None:
            directions.settle(metrics, table.name)
        else:
            directions.settle(entries.metric.labels, table.name, metrics[0])
    entries.refuse(check, used, _remedy(bool(by)))
    for metric in texts:
        wrong = numbers[metric].wrong
        check.refuse("bad score", wrong, f"the {metric} {{0}} is not a finite number", SCORE_REMEDY, [metric])
    account = check.settle()
    tables, findings = entries.tables(check, directions.lower, [*rows.columns, *metrics])
    findings += directions.check(tables, table.name, said=entries.computed.lower is not None)
    if reduction is not None:
        tables = [replace(each, metric=f"{each.metric} {reduction}", title=_titled(each, reduction)) for each in tables]
    used |= {name: name for name in computed_columns(table.columns)}
    shown = {role: "the file's name" if column == FILE else column for role, column in used.items()}
    reading = Reading.of(name, {**shown, "score": tuple(metrics)}, table.columns, findings)
    return checked(Scores(tuple(tables), account, table.name, reading))


def _titled(table: ScoreTable, reduction: Reduction) -> str:
    """Return the title of a table with its reduction."""
    return f"{table.title} {reduction}" if table.title else ""


def _roles(table: Table, columns: Columns, options: ReadOptions) -> tuple[dict[str, str], list[str]]:
    """Return which column plays which part, and the columns of scores."""
    # A group is never guessed: its name says nothing about dependence.
    known = {role: columns.role(role, getattr(options, role)) for role in _NAMED if role != "group"}
    known["group"] = columns.given(options.group) if options.group else None
    if options.system is None and known["system"] is not None and _names_metrics(table, columns, known["system"]):
        known["metric"] = known["metric"] or known["system"]
        known["system"] = next(iter(columns.called(_RUNS)), None)
    if known["dataset"] is None and options.dataset is None:
        known["dataset"] = columns.role("task")
    roles = {role: found for role, found in known.items() if found}
    if "item" not in roles and (item := _likely_item(table, columns, roles, options)) is not None:
        roles = {role: name for role, name in roles.items() if name != item} | {"item": item}
    metrics = scored_columns(table, columns, options, [*roles.values(), *label_columns(columns, options)], known=True)
    lacking = [role for role in ("item", "system") if role not in roles] + ([] if metrics else ["score"])
    if lacking:
        raise UnclearError(
            f"long scores need a column for {', '.join(lacking)}; its columns are {columns.listed()}",
            where=columns.where,
            remedy=f"Name it with {spelling.option(lacking[0])}.",
        )
    return roles, metrics


def _names_metrics(table: Table, columns: Columns, system: str) -> bool:
    """Whether a column called like systems names metrics: by its values, or as name and value go together."""
    if normal(system) != "name":
        return False
    score = columns.role("score")
    found = table.distinct([system]).columns[system].labels
    return (score is not None and normal(score) == "value") or 2 * sum(map(is_metric, found)) > len(found)


def _likely_item(table: Table, columns: Columns, roles: Mapping[str, str], options: ReadOptions) -> str | None:
    """Return a column that is not called like items, but has one row for each of its values, system and repeat."""
    if "system" not in roles or options.item is not None:
        return None
    rows = table.unique([roles["system"]])[0]
    for name in columns.likely_items():
        given = name in {getattr(options, role) for role in _NAMED}
        if given or name in {roles.get(role) for role in ("system", "metric", "repeat", "judge")}:
            continue
        found = table.distinct(list(dict.fromkeys([name, *roles.values()])))
        names = found.columns[name]
        systems = found.columns[roles["system"]]
        if np.any(names.codes == MISSING):
            continue
        pairs = np.unique(names.codes * (len(systems.labels) + 1) + systems.codes)
        systems_of = np.bincount(pairs // (len(systems.labels) + 1))
        # What most systems do not share, such as their last names or districts, are no items.
        shared = 2 * np.sum(systems_of > 1) > np.sum(systems_of > 0)
        if shared and len(found.times) == rows:
            return name
    return None


def _called(rows: Distinct, column: str, names: Mapping[str, str] | None) -> tuple[Distinct, dict[str, str]]:
    """Return the rows with other names of systems, and the role of the old ones where they are runs of a system."""
    if names is None:
        return rows, {}
    old = rows.columns[column]
    new = Coded.relabel(old.codes, [names[label] for label in old.labels])
    if len(new.labels) == len(old.labels):
        return replace(rows, columns={**rows.columns, column: new}), {}
    return replace(rows, columns={**rows.columns, column: new, _RUN: old}), {"repeat": _RUN}


def _telling(rows: Distinct, roles: dict[str, str], options: ReadOptions) -> list[str]:
    """Return which of repeat and judge distinguish repeated scores; unneeded columns are ignored.

    Scores of one judge are dependent even if no item has two of them, so that several judges are needed all the same.
    """
    given: list[str] = [role for role in ("repeat", "judge") if role in roles]
    key = _cells(rows, roles)
    if given and not np.any(repeats(key, np.ones(len(key), dtype=bool))):
        for role in given:
            needed = role == "judge" and _several(rows.columns[roles[role]])
            if getattr(options, role) is None and not options.standardise and not needed:
                del roles[role]
        return [role for role in given if role in roles]
    return given


def _cells(rows: Distinct, roles: Mapping[str, str]) -> IntArray:
    """Number what every row is a score of: a system on an item by a metric."""
    key = np.zeros(len(rows.times), dtype=np.int64)
    for role in ("dataset", "metric", "item", "system"):
        if role in roles:
            key = _divided(key, rows.columns[roles[role]])
    return key


def _divided(key: IntArray, column: Coded) -> IntArray:
    found: IntArray = np.unique(key * (len(column.labels) + 1) + column.codes, return_inverse=True)[1].ravel()
    return found


def _repeated_alike(table: Table, rows: Distinct, roles: Mapping[str, str], metrics: Sequence[str]) -> bool:
    """Whether every system has as many scores on every item, several, and nothing else in the table differs."""
    key = _cells(rows, roles)
    number = np.bincount(key)
    if len(number) == 0 or number.min() < 2 or number.min() < number.max():
        return False
    others = [name for name in table.columns if name not in {*roles.values(), *metrics}]
    columns = table.rows(others).columns.values() if others else ()
    return all(_divided(key, column).max() + 1 == len(number) for column in columns)


def _several(judges: Coded) -> bool:
    """Whether there are two judges or more, and every score has one."""
    return not np.any(judges.codes == MISSING) and 1 < judges.compact[1] < len(judges.codes)


def _joined(columns: Sequence[Coded]) -> Coded | None:
    """Return one column of repeats out of several."""
    if len(columns) < 2:
        return columns[0] if columns else None
    texts = zip(*(column.texts() for column in columns), strict=True)
    return Coded.of([None if None in parts else " ".join(parts) for parts in texts])


def _standardised(
    rows: Distinct, roles: Mapping[str, str], values: Mapping[str, FloatArray], where: str
) -> dict[str, FloatArray]:
    """Return z-scores per judge, within every data set and metric."""
    if "judge" not in roles:
        raise EvidenceError(
            f"{spelling.option('standardise')} needs judges with several scores each",
            where=where,
            remedy=f"Name their column with {spelling.option('judge')}.",
        )
    by = [rows.columns[roles[role]] for role in ("judge", "dataset", "metric") if role in roles]
    _, part = np.unique(np.stack([column.codes for column in by]), axis=1, return_inverse=True)
    lacking = by[0].codes == MISSING
    found = {}
    for metric, scores in values.items():
        there = ~np.isnan(scores)
        number = np.bincount(part.ravel()[there], minlength=part.max() + 1)
        mean = np.bincount(part.ravel()[there], scores[there], len(number)) / np.maximum(number, 1)
        gap = scores - mean[part.ravel()]
        spread = np.sqrt(np.bincount(part.ravel()[there], gap[there] ** 2, len(number)) / np.maximum(number - 1, 1))
        # A judge who always gives one score separates systems as little as a score of 0 does.
        found[metric] = np.where(lacking, np.nan, gap / np.where(spread > 0, spread, 1.0)[part.ravel()])
    return found


def _remedy(distinct_names: bool) -> str:
    """Return a remedy: how repeated scores are read."""
    if distinct_names:
        return "Remove one of them."
    return (
        "If scores are repeated by run, seed or judge, name their column to use the mean "
        f"({spelling.option('repeat')}); if they are of several metrics, name it, too ({spelling.option('metric')})."
    )


FORMAT = ScoreEntriesFormat()

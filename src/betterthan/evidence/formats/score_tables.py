"""Scores as tables: wide (one column per system) and long (instance, system, score, perhaps metric and data set)."""

from collections.abc import Mapping, Sequence

import numpy as np

from betterthan.engine.table import MISSING, Coded, FloatArray, IntArray, OnError, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.account import Account
from betterthan.evidence.check import Check
from betterthan.evidence.formats.ranks import repeats
from betterthan.evidence.formats.wide import read_wide
from betterthan.evidence.numbers import numbers
from betterthan.evidence.scores import Scores, ScoreTable

_REMEDY = "A score is a finite number; leave it empty where there is none."


def from_wide(
    table: Table, systems: Sequence[str], item: str | None, lower_is_better: bool, on_error: OnError
) -> Scores:
    """Read one instance per row, one column per system."""
    check, values = read_wide(table, systems, [item] if item else [], on_error=on_error, what="score", remedy=_REMEDY)
    labels = _instance_labels(check, item)
    account = check.settle()
    order = np.argsort(np.array(systems, dtype=object), kind="stable")
    kept = tuple(label for label, bad in zip(labels, check.bad, strict=True) if not bad)
    names = tuple(systems[place] for place in order)
    board = ScoreTable("", kept, names, _directed(values[~check.bad][:, order], lower_is_better), lower_is_better)
    return _checked(Scores((board,), account, table.name))


def from_long(
    table: Table,
    roles: Mapping[str, str],
    metrics: Sequence[str],
    lower_is_better: Sequence[str] | bool,
    on_error: OnError,
) -> Scores:
    """Read one score per row, or one column per metric when `metrics` names several."""
    keys = [roles[role] for role in ("dataset", "metric", "item", "system") if role in roles]
    distinct = table.rows([*keys, *metrics])
    check = Check(table, distinct, on_error)
    system = distinct.columns[roles["system"]]
    item = distinct.columns[roles["item"]]
    check.refuse(
        "missing name",
        system.codes == MISSING,
        "the system's name is missing",
        "Every score belongs to a system: fill it in.",
    )
    check.refuse(
        "missing instance",
        item.codes == MISSING,
        "the instance is missing",
        "Every score belongs to an instance: fill it in.",
    )
    groups = _groups(distinct.columns, [roles[role] for role in ("dataset", "metric") if role in roles])
    key = (groups.codes * (len(item.labels) + 1) + item.codes) * (len(system.labels) + 1) + system.codes
    check.refuse(
        "duplicate score", repeats(key, ~check.bad), "{0} has two scores on the instance {1}",
        "One score per instance and system: remove or average the others, or name what tells them apart (--metric).",
        [roles["system"], roles["item"]],
    )  # fmt: skip
    columns = {}
    for metric in metrics:
        given = numbers(distinct.columns[metric])
        check.refuse("bad score", given.wrong, f"the {metric} {{0}} is not a finite number", _REMEDY, [metric])
        columns[metric] = given.values
    account = check.settle()
    _refuse_unknown_metrics(lower_is_better, groups.labels, metrics, table.name)
    boards = []
    for code, group in enumerate(groups.labels):
        rows = np.flatnonzero(~check.bad & (groups.codes == code))
        for metric, values in columns.items():
            title = " ".join(part for part in (group, metric if len(metrics) > 1 else "") if part)
            lower = _is_lower(lower_is_better, title, group, metric)
            if len(rows):
                boards.append(_matrix(title, item.take(rows), system.take(rows), values[rows], lower))
    return _checked(Scores(tuple(boards), account, table.name))


def _matrix(title: str, item: Coded, system: Coded, values: FloatArray, lower: bool) -> ScoreTable:
    items, first, row = np.unique(item.codes, return_index=True, return_inverse=True)
    systems, column = np.unique(system.codes, return_inverse=True)
    matrix = np.full((len(items), len(systems)), np.nan)
    matrix[row, column] = values
    return ScoreTable(
        title,
        tuple(item.labels[code] for code in items),
        tuple(system.labels[code] for code in systems),
        _directed(matrix, lower),
        lower,
        np.argsort(first),
    )


def _groups(columns: Mapping[str, Coded], names: Sequence[str]) -> Coded:
    """Combine data set and metric into one label per board."""
    if not names:
        return Coded(np.zeros(len(next(iter(columns.values())).codes), dtype=np.int64), ("",))
    stacked = np.stack([columns[name].codes for name in names])
    combinations, codes = np.unique(stacked, axis=1, return_inverse=True)
    texts = [
        [(*columns[name].labels, "")[code] for name, code in zip(names, combination, strict=True)]
        for combination in combinations.T
    ]
    return Coded(codes.ravel().astype(np.int64), tuple(" ".join(part for part in text if part) for text in texts))


def _instance_labels(check: Check, name: str | None) -> list[str]:
    count = len(check.times)
    if name is None:
        width = len(str(count))
        return [f"{number + 1:0{width}d}" for number in range(count)]
    column = check.columns[name]
    check.refuse(
        "missing instance",
        column.codes == MISSING,
        "the instance is missing",
        "Every row is an instance: fill it in.",
    )
    check.refuse(
        "duplicate instance",
        repeats(column.codes, ~check.bad),
        "the instance {0} stands twice",
        "One row per instance: remove one of them.",
        [name],
    )
    return [str(text) for text in column.texts()]


def _refuse_unknown_metrics(
    lower: Sequence[str] | bool, groups: Sequence[str], metrics: Sequence[str], where: str
) -> None:
    known = {*groups, *(part for group in groups for part in group.split(" ")), *metrics} - {""}
    unknown = [] if isinstance(lower, bool) else [name for name in lower if name not in known]
    if unknown:
        raise EvidenceError(
            f"{where}: no metric {unknown[0]!r} to turn round; there are {', '.join(sorted(known)[:20])}."
        )


def _is_lower(lower: Sequence[str] | bool, title: str, group: str, metric: str) -> bool:
    if isinstance(lower, bool):
        return lower
    return bool({title, group, metric, *group.split(" ")} & set(lower))


def _directed(values: FloatArray, lower: bool) -> FloatArray:
    return -values if lower else values


def _checked(scores: Scores) -> Scores:
    for board in scores.tables:
        where = f"{scores.name}{f' ({board.title})' if board.title else ''}"
        scored: IntArray = np.sum(~np.isnan(board.values), axis=0)
        if np.sum(scored > 0) < 2:
            raise EvidenceError(f"{where}: a ranking needs scores of at least two systems. Check the columns chosen.")
    return scores


def from_run(table: Table, item: str, score: str, on_error: OnError) -> tuple[dict[str, float], Account]:
    """Read one system's scores by instance."""
    distinct = table.rows([item, score])
    check = Check(table, distinct, on_error)
    instance, given = distinct.columns[item], numbers(distinct.columns[score])
    check.refuse(
        "missing instance", instance.codes == MISSING, "the instance is missing",
        "Every score belongs to an instance: fill it in.",
    )  # fmt: skip
    check.refuse("bad score", given.wrong, "the score {0} is not a finite number", _REMEDY, [score])
    check.refuse(
        "duplicate score", repeats(instance.codes, ~check.bad), "the instance {0} stands twice",
        "An instance has one score per run: remove one of them.", [item],
    )  # fmt: skip
    account = check.settle()
    texts = instance.texts()
    return {str(texts[row]): float(given.values[row]) for row in np.flatnonzero(~check.bad)}, account


def from_runs(
    runs: Sequence[tuple[dict[str, float], Account]], names: tuple[str, str], *, lower_is_better: bool
) -> Scores:
    """Match runs by instance; an instance that one of them lacks has no score there."""
    instances = tuple(sorted({instance for scores, _ in runs for instance in scores}))
    values = np.array([[scores.get(instance, np.nan) for scores, _ in runs] for instance in instances])
    account = Account(
        sum(account.read for _, account in runs), tuple(refusal for _, account in runs for refusal in account.refusals)
    )
    table = ScoreTable("", instances, names, _directed(values.reshape(-1, len(runs)), lower_is_better), lower_is_better)
    return Scores((table,), account, " and ".join(names))

"""Scores as tables: wide (one column per system) and long (instance, system, score, perhaps metric and data set)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.engine.table import MISSING, Coded, OnError, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.account import Account
from betterthan.evidence.check import Check
from betterthan.evidence.formats.ranks import repeats
from betterthan.evidence.formats.wide import read_wide
from betterthan.evidence.numbers import numbers
from betterthan.evidence.scores import Scores, ScoreTable

_REMEDY = "A score is a finite number; leave it empty where there is none."


def from_wide(
    table: Table,
    systems: Sequence[str],
    item: str | None,
    lower_is_better: bool,
    on_error: OnError,
    *,
    group: str | None = None,
) -> Scores:
    """Read one instance per row, one column per system."""
    others = list(dict.fromkeys(name for name in (item, group) if name and name not in systems))
    check, values = read_wide(table, systems, others, on_error=on_error, what="score", remedy=_REMEDY)
    labels = _instance_labels(check, item)
    together = _together(check, group) if group else None
    account = check.settle()
    order = np.argsort(np.array(systems, dtype=object), kind="stable")
    kept = tuple(label for label, bad in zip(labels, check.bad, strict=True) if not bad)
    names = tuple(systems[place] for place in order)
    board = ScoreTable(
        "", kept, names, _directed(values[~check.bad][:, order], lower_is_better), lower_is_better,
        groups=together.take(~check.bad) if together else None, grouped_by=group or "",
    )  # fmt: skip
    return _checked(Scores((board,), account, table.name))


def from_long(
    table: Table,
    roles: Mapping[str, str],
    metrics: Sequence[str],
    lower_is_better: Sequence[str] | bool,
    on_error: OnError,
) -> Scores:
    """Read one score per row, or one column per metric when `metrics` names several."""
    keys = [roles[role] for role in ("dataset", "metric", "item", "system", "group") if role in roles]
    distinct = table.rows(list(dict.fromkeys([*keys, *metrics])))
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
    together = _together(check, roles["group"]) if "group" in roles else None
    titles = _titles(distinct.columns, [roles[role] for role in ("dataset", "metric") if role in roles])
    instance = titles.codes * (len(item.labels) + 1) + item.codes
    key = instance * (len(system.labels) + 1) + system.codes
    check.refuse(
        "duplicate score", repeats(key, ~check.bad), "{0} has two scores on the instance {1}",
        "One score per instance and system: remove or average the others, or name what tells them apart (--metric).",
        [roles["system"], roles["item"]],
    )  # fmt: skip
    if together:
        check.refuse(
            "two groups", _divided(instance, together.codes, check),
            "the instance {0} is in the group {1} and in another",
            "An instance belongs to one group: mend its rows, or name another column (--group).",
            [roles["item"], roles["group"]],
        )  # fmt: skip
    columns = {}
    for metric in metrics:
        given = numbers(distinct.columns[metric])
        check.refuse("bad score", given.wrong, f"the {metric} {{0}} is not a finite number", _REMEDY, [metric])
        columns[metric] = given.values
    account = check.settle()
    _refuse_unknown_metrics(lower_is_better, titles.labels, metrics, table.name)
    boards = []
    for code, part in enumerate(titles.labels):
        rows = np.flatnonzero(~check.bad & (titles.codes == code))
        for metric, values in columns.items():
            title = " ".join(word for word in (part, metric if len(metrics) > 1 else "") if word)
            lower = _is_lower(lower_is_better, title, part, metric)
            if len(rows):
                board = _matrix(title, item.take(rows), system.take(rows), values[rows], lower)
                if together:
                    first = np.unique(item.codes[rows], return_index=True)[1]
                    board = replace(board, groups=together.take(rows[first]), grouped_by=roles["group"])
                boards.append(board)
    return _checked(Scores(tuple(boards), account, table.name))


def _together(check: Check, group: str) -> Coded:
    """Return the column that says which instances hang together, every row in some group."""
    column = check.columns[group]
    check.refuse(
        "missing group", column.codes == MISSING, "the group is missing",
        f"Every instance belongs to one where the column {group!r} tells them apart: fill it in.",
    )  # fmt: skip
    return column


def _divided(instance: IntArray, group: IntArray, check: Check) -> BoolArray:
    """Mark good rows whose instance is in another group in its first good row."""
    divided = np.zeros(len(instance), dtype=bool)
    rows = np.flatnonzero(~check.bad)
    _, first, place = np.unique(instance[rows], return_index=True, return_inverse=True)
    divided[rows] = group[rows] != group[rows][first[place]]
    return divided


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


def _titles(columns: Mapping[str, Coded], names: Sequence[str]) -> Coded:
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


@dataclass(frozen=True)
class Run:
    """One system's scores by instance, and the group of each instance where the file names it."""

    scores: Mapping[str, float]
    groups: Mapping[str, str]
    account: Account


def from_run(table: Table, item: str, score: str, on_error: OnError, group: str | None = None) -> Run:
    """Read one system's scores by instance."""
    distinct = table.rows(list(dict.fromkeys([item, score, *([group] if group else [])])))
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
    together = _together(check, group) if group else None
    account = check.settle()
    good = np.flatnonzero(~check.bad)
    names = [str(name) for name in instance.take(good).texts()]
    scores = dict(zip(names, given.values[good].tolist(), strict=True))
    groups = dict(zip(names, together.take(good).texts().tolist(), strict=True)) if together else {}
    return Run(scores, groups, account)


def from_runs(
    runs: Sequence[Run], names: tuple[str, str], *, lower_is_better: bool, group: str | None = None
) -> Scores:
    """Match runs by instance; an instance that one of them lacks has no score there."""
    instances = tuple(sorted({instance for run in runs for instance in run.scores}))
    values = np.array([[run.scores.get(instance, np.nan) for run in runs] for instance in instances])
    account = Account(
        sum(run.account.read for run in runs), tuple(refusal for run in runs for refusal in run.account.refusals)
    )
    table = ScoreTable(
        "", instances, names, _directed(values.reshape(-1, len(runs)), lower_is_better), lower_is_better,
        groups=_agreed(runs, names, instances) if group else None, grouped_by=group or "",
    )  # fmt: skip
    return Scores((table,), account, " and ".join(names))


def _agreed(runs: Sequence[Run], names: tuple[str, str], instances: Sequence[str]) -> Coded:
    """Return the group of every instance, refusing runs that contradict each other."""
    one, other = (run.groups for run in runs)
    for instance in instances:
        if instance in one and instance in other and one[instance] != other[instance]:
            raise EvidenceError(
                f"the instance {instance!r} is in the group {one[instance]!r} in {names[0]} and {other[instance]!r} in "
                f"{names[1]}. An instance belongs to one group: mend one of the files."
            )
    return Coded.of([one.get(instance, other.get(instance)) for instance in instances])

"""One score per row: instance, system, score, perhaps metric, data set and repeat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.engine.table import MISSING, Coded, Table
from betterthan.errors import EvidenceError
from betterthan.evidence.building import repeats
from betterthan.evidence.check import Check
from betterthan.evidence.evidence import Kind
from betterthan.evidence.format import Recognition
from betterthan.evidence.parts import Computed, computed_columns
from betterthan.evidence.roles import Columns
from betterthan.evidence.scores import Repeats, Scores, ScoreTable
from betterthan.evidence.tables import SCORE_REMEDY, checked, directed, grouped, is_lower, refuse_unknown_metrics
from betterthan.evidence.wide import read_numbers
from betterthan.options.read import ReadOptions
from betterthan.spelling import option


@dataclass(frozen=True)
class ScoreEntriesFormat:
    """A row per system and instance; several columns of scores are several metrics."""

    name: ClassVar[str] = "scores-long"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "one score per row: instance, system, score, perhaps metric and data set"
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset(
        {"system", "item", "score", "metric", "dataset", "group", "repeat", "lower_is_better"}
    )
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for a column of systems."""
        if options.score or options.metric:
            return Recognition(1.0, "a column of scores or metrics was named")
        named = Columns(found.columns, found.name, options.group).role("system", options.system)
        return Recognition(0.6, f"column {named}") if named else None

    def read(self, found: Table, options: ReadOptions) -> Scores:
        """Read every row as a score; repeated ones are averaged where a column tells them apart."""
        columns = Columns(found.columns, found.name, options.group)
        roles, metrics = _roles(columns, options)
        rows = found.rows(list(dict.fromkeys([*roles.values(), *computed_columns(found.columns)])), metrics)
        numbers, texts = read_numbers(found, rows, metrics)
        check = Check(found, replace(rows, columns={**rows.columns, **texts}), options.on_error)
        system, item = rows.columns[roles["system"]], rows.columns[roles["item"]]
        check.refuse(
            "missing name", system.codes == MISSING, "the system's name is missing",
            "Every score belongs to a system: fill it in.",
        )  # fmt: skip
        check.refuse(
            "missing instance", item.codes == MISSING, "the instance is missing",
            "Every score belongs to an instance: fill it in.",
        )  # fmt: skip
        computed = Computed.of(check, rows.columns)
        repeat = _repeat(check, roles.get("repeat"))
        together = grouped(check, roles["group"]) if "group" in roles else None
        titles = _titles(rows.columns, [roles[role] for role in ("dataset", "metric") if role in roles])
        instance = titles.codes * (len(item.labels) + 1) + item.codes
        cell = instance * (len(system.labels) + 1) + system.codes
        once = cell if repeat is None else cell * (len(repeat.labels) + 1) + repeat.codes
        check.refuse(
            "duplicate score", repeats(once, ~check.bad), "{0} has two scores on the instance {1}",
            _remedy(columns, roles), [roles["system"], roles["item"]],
        )  # fmt: skip
        if together:
            check.refuse(
                "two groups", _divided(instance, together.codes, check),
                "the instance {0} is in the group {1} and in another",
                f"An instance belongs to one group: correct its rows, or name another column with {option('group')}.",
                [roles["item"], roles["group"]],
            )  # fmt: skip
        for metric in texts:
            wrong = numbers[metric].wrong
            check.refuse("bad score", wrong, f"the {metric} {{0}} is not a finite number", SCORE_REMEDY, [metric])
        account = check.settle()
        refuse_unknown_metrics(options.lower_is_better, titles.labels, metrics, found.name)
        boards = []
        for code, part in enumerate(titles.labels):
            kept = np.flatnonzero(~check.bad & (titles.codes == code))
            for metric in metrics if len(kept) else ():
                title = " ".join(word for word in (part, metric if len(metrics) > 1 else "") if word)
                lower = is_lower(options.lower_is_better, title, part, metric) or computed.is_lower(kept)
                scores = directed(numbers[metric].values[kept], lower)
                again = repeat.take(kept) if repeat is not None else None
                board = _matrix(title, item.take(kept), system.take(kept), scores, lower=lower, repeat=again)
                if together:
                    first = np.unique(item.codes[kept], return_index=True)[1]
                    board = replace(board, groups=together.take(kept[first]), grouped_by=roles["group"])
                if "metric" in roles and repeat is None:
                    named = rows.columns[roles["metric"]]
                    parts = computed.arranged(kept, item.codes, system.codes)
                    board = replace(board, parts=parts, metric=named.labels[named.codes[kept[0]]])
                boards.append(board)
        return checked(Scores(tuple(boards), account, found.name))

    def example(self, folder: Path) -> Any:
        """Return the scores of two systems on two instances by two metrics."""
        del folder
        return {
            "metric": ["bleu"] * 4 + ["chrf"] * 4, "instance": ["i1", "i1", "i2", "i2"] * 2,
            "system": ["owl", "yak"] * 4, "score": [0.2, 0.1, 0.4, 0.3, 0.6, 0.5, 0.7, 0.8],
        }  # fmt: skip


def _roles(columns: Columns, options: ReadOptions) -> tuple[dict[str, str], list[str]]:
    """Return which column plays which part, and the columns of scores."""
    named = ("system", "item", "metric", "dataset")
    roles = {role: found for role in named if (found := columns.role(role, getattr(options, role)))}
    roles |= {role: columns.given(name) for role in ("group", "repeat") if (name := getattr(options, role))}
    if "dataset" not in roles and (task := columns.role("task")):
        roles["dataset"] = task
    metrics = [columns.given(name) for name in options.score or ()]
    metrics = metrics or [found for found in [columns.role("score")] if found]
    lacking = [role for role in ("item", "system") if role not in roles] + ([] if metrics else ["score"])
    if lacking:
        raise EvidenceError(
            f"long scores need a column for {', '.join(lacking)}; its columns are {columns.listed()}",
            where=columns.where, remedy=f"Name it with {option(lacking[0])}.",
        )  # fmt: skip
    return roles, metrics


def _repeat(check: Check, column: str | None) -> Coded | None:
    if column is None:
        return None
    coded = check.columns[column]
    check.refuse(
        "missing repeat", coded.codes == MISSING, f"there is no value in column {column!r}",
        "It tells repeated scores apart: fill it in.",
    )  # fmt: skip
    return coded


def _remedy(columns: Columns, roles: Mapping[str, str]) -> str:
    """Say how repeated scores are read, with the column that may tell them apart."""
    likely = next((name for role in ("repeat", "judge") if (name := columns.role(role))), "COLUMN")
    if "repeat" in roles:
        return "Remove one of them."
    return (
        f"If scores are repeated by run, seed or judge, name the column with {option('repeat', likely)} to use their "
        f"mean; if they are of several metrics, name it with {option('metric', 'COLUMN')}."
    )


def _divided(instance: IntArray, group: IntArray, check: Check) -> BoolArray:
    """Mark good rows whose instance is in another group in its first good row."""
    divided = np.zeros(len(instance), dtype=bool)
    rows = np.flatnonzero(~check.bad)
    _, first, place = np.unique(instance[rows], return_index=True, return_inverse=True)
    divided[rows] = group[rows] != group[rows][first[place]]
    return divided


def _matrix(
    title: str, item: Coded, system: Coded, values: FloatArray, *, lower: bool, repeat: Coded | None
) -> ScoreTable:
    """Arrange scores as instances × systems; of repeated ones, the mean of those that are there."""
    items, first, row = np.unique(item.codes, return_index=True, return_inverse=True)
    systems, column = np.unique(system.codes, return_inverse=True)
    matrix = np.full((len(items), len(systems)), np.nan)
    matrix[row, column] = values
    if repeat is not None:
        cell, there = row * len(systems) + column, ~np.isnan(values)
        number = np.bincount(cell[there], minlength=matrix.size)
        total = np.bincount(cell[there], weights=values[there], minlength=matrix.size)
        matrix = np.divide(total, number, out=np.full(matrix.size, np.nan), where=number > 0).reshape(matrix.shape)
    return ScoreTable(
        title, tuple(item.labels[code] for code in items), tuple(system.labels[code] for code in systems),
        matrix, lower, np.argsort(first),
        repeats=None if repeat is None else Repeats(row, column, repeat, values),
    )  # fmt: skip


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


FORMAT = ScoreEntriesFormat()

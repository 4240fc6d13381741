"""From evidence to the comparisons a model is fitted to: distinct ones, with outcomes and covariates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.engine.table import Coded, FloatArray, IntArray
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.account import Account
from betterthan.evidence.judgments import Judgments, Tally
from betterthan.evidence.numbers import numbers
from betterthan.evidence.outcomes import LEFT, RIGHT
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.evidence.roles import Columns

#: Within roles, names of covariates that no role has.
_PREFIX = "covariate "


@dataclass(frozen=True)
class Comparisons:
    """Distinct comparisons: who was on which side, the outcomes counted, and what is known about each.

    `flipped` marks those whose sides were exchanged to put equal ones together. `cluster` numbers what hangs together.
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    outcomes: FloatArray  # 3 × comparisons
    columns: Mapping[str, Coded | FloatArray]
    flipped: FloatArray  # −1 where sides were exchanged, else 1
    cluster: IntArray | None
    clusters: tuple[str, ...]
    judgments: float
    account: Account
    name: str


def collect(
    evidence: Any, subject: Sequence[str], contrast: Sequence[str], by: Sequence[str], cluster: str | None,
    *, sided: bool,
) -> Comparisons:  # fmt: skip
    """Read judgments with these columns; `sided` keeps left and right apart, and missing outcomes are left out."""
    judgments = _judgments(evidence)
    names = Columns(judgments.table.columns, judgments.table.name)
    column_of = {name: _column(judgments, names, name) for name in {*subject, *contrast, *by, *filter(None, [cluster])}}
    many = tuple(sorted({column_of[name] for name in contrast}))
    plain = (
        {name for name, numeric in zip(many, judgments.table.numeric(many), strict=True) if numeric} if many else set()
    )
    coded = sorted({column for name, column in column_of.items() if name not in contrast or column not in plain})
    evidence = replace(
        judgments, roles={**judgments.roles, **{_PREFIX + column: column for column in coded}}, unanswered="skip"
    )
    tally = evidence.tally(*(_PREFIX + column for column in coded), numbers=tuple(sorted(plain)))
    return _grouped(tally, column_of, contrast, cluster, judgments.table.name, sided=sided)


def _judgments(evidence: Any) -> Judgments:
    found = as_evidence(evidence)
    if isinstance(found, Rankings):
        found = found.to_judgments()
    if not isinstance(found, Judgments):
        raise EvidenceError(
            "a log-linear model is fitted to judgments or rankings, but these are scores. Convert them first: "
            "betterthan convert FILE --to judgments -o judgments.csv."
        )
    if "dataset" in found.roles:
        parts, _ = found.parts()
        if len(parts) > 1:
            titles = ", ".join(repr(title) for title, _ in parts[:10])
            raise PlanError(f"a model is fitted to one data set, and there are: {titles}. Choose one with --where.")
        found = parts[0][1]
    return found


def _column(judgments: Judgments, names: Columns, name: str) -> str:
    """Return the column that a name in a formula means: one of the table, or the one with that role."""
    if name in names.names:
        return name
    return judgments.roles.get(name) or names.given(name)


def _grouped(
    tally: Tally, column_of: Mapping[str, str], contrast: Sequence[str], cluster: str | None, name: str, *, sided: bool
) -> Comparisons:
    """Put equal comparisons together, sides exchanged where they do not matter."""
    turned = np.zeros(len(tally.left), dtype=bool) if sided else tally.left > tally.right
    left, right = np.where(turned, tally.right, tally.left), np.where(turned, tally.left, tally.right)
    outcome = np.where(turned, (LEFT + RIGHT) - tally.outcome, tally.outcome)
    flipped = np.where(turned, -1.0, 1.0)
    units = {name.removeprefix(_PREFIX): column for name, column in tally.units.items()}
    exact: list[NDArray[Any]] = [left, right, *(column.codes for column in units.values())]
    # Contrasts belong to a side: exchanged sides see them with the other sign.
    signed = [flipped * values for values in tally.numbers.values()]
    if any(column_of[variable] in units for variable in contrast):
        exact.append(turned)
    first, group = _alike(exact, signed)
    outcomes = np.zeros((3, len(first)))
    amount = tally.times * tally.weight
    np.add.at(outcomes, (outcome, group), amount)
    columns: dict[str, Coded | FloatArray] = {}
    for variable, column in column_of.items():
        columns[variable] = (
            tally.numbers[column][first] if column in tally.numbers else typed(units[column].take(first))
        )
    hanging = units[column_of[cluster]].take(first) if cluster else None
    codes = hanging.compact[0] if hanging else None
    labels = tuple(hanging.labels[code] for code in np.unique(hanging.codes)) if hanging else ()
    return Comparisons(
        tally.systems, left[first], right[first], outcomes, columns, flipped[first], codes, labels,
        float(np.sum(tally.times)), tally.account, name,
    )  # fmt: skip


def _alike(exact: Sequence[NDArray[Any]], numbers: Sequence[FloatArray]) -> tuple[IntArray, IntArray]:
    """Return the first of each group of equal rows, and every row's group."""
    key = np.zeros(len(exact[0]), dtype=np.uint64)
    for column in exact:
        key = _mixed(key, column.astype(np.uint64))
    for values in numbers:
        key = _mixed(key, (values + 0.0).view(np.uint64))  # one zero only
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group.ravel()


def _mixed(key: Any, values: Any) -> Any:
    """Mix a column into a key of 64 bits: rows that differ get the same one with a chance that can be forgotten."""
    with np.errstate(over="ignore"):
        key = (key ^ values) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
        return key * np.uint64(0xD6E8FEB86659FD93)


def typed(column: Coded) -> Coded | FloatArray:
    """Return numbers where all labels are numbers, else categories."""
    read = numbers(Coded(np.arange(len(column.labels)), column.labels))
    if np.all(np.isfinite(read.values)) and len(column.labels):
        return read.values[column.codes]
    return column

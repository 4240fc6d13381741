"""Subsets of evidence: without some systems, judges or items, or from a period of time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Literal

import numpy as np

from betterthan.base import BoolArray, EvidenceError, PlanError, nearest, spelling
from betterthan.engine import Coded, Condition
from betterthan.engine import conditions as row_conditions
from betterthan.evidence import Judgments, Rankings, Reading, Repeats, Scores, ScoreTable
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.builders.score_tables import checked
from betterthan.readers.format import AnyEvidence

_ROLES = ("system", "judge", "item")
#: The items on which some system's score is an outlier, unless a system is called so.
OUTLYING = "outlying-items"
#: Times above this are milliseconds since 1970, not seconds.
_MILLISECONDS = 1e11


def chosen(evidence: AnyEvidence, options: ReadOptions) -> AnyEvidence:
    """Return a subset of the evidence: without the excluded names, since and until a time."""
    if options.exclude:
        outlying = OUTLYING in options.exclude and OUTLYING not in evidence.systems
        if outlying and not isinstance(evidence, Scores):
            raise EvidenceError(
                f"{spelling.option('exclude', OUTLYING)} is for scores, but this evidence is {evidence.kind}",
                where=evidence.name,
                remedy="Leave it out.",
            )
        excluded = _by_role([each for each in options.exclude if each != OUTLYING or not outlying])
        match evidence:
            case Judgments():
                evidence = _judgments(evidence, excluded)
            case Rankings():
                evidence = _rankings(evidence, excluded)
            case _:
                evidence = _scores(evidence, excluded)
                evidence = _without_outlying(evidence) if outlying else evidence
    if options.since is None and options.until is None:
        return evidence
    if not isinstance(evidence, Judgments) or "time" not in evidence.roles:
        given = "since" if options.since is not None else "until"
        raise EvidenceError(
            f"{spelling.option(given)} needs judgments with a time",
            where=evidence.name,
            remedy=f"Name the column with {spelling.option('time')}.",
        )
    return _timed(evidence, options)


def _by_role(exclude: Sequence[str]) -> dict[str, list[str]]:
    """Take names apart from what they name: 'judge=ann', or a system's name alone."""
    found: dict[str, list[str]] = {role: [] for role in _ROLES}
    for entry in exclude:
        role, equals, name = entry.partition("=")
        known = equals and role in found
        found[role if known else "system"].append(name if known else entry)
    return found


def _refuse_unknown(names: Sequence[str], known: Sequence[str], what: str, where: str) -> None:
    if unknown := [name for name in names if name not in set(known)]:
        entry = unknown[0] if what == "system" else f"{what}={unknown[0]}"
        raise PlanError(
            f"{where}: {spelling.option('exclude', entry)} names no {what} of this evidence. "
            f"{nearest(unknown[0], list(known))}"
        )


def _judgments(evidence: Judgments, excluded: Mapping[str, Sequence[str]]) -> Judgments:
    conditions = []
    for what, names in excluded.items():
        columns = [evidence.roles[role] for role in _columns(what) if role in evidence.roles]
        if not names:
            continue
        if not columns:
            raise EvidenceError(
                f"there is no column of {what}s to exclude any",
                where=evidence.name,
                remedy=f"Name it with {spelling.option(what)}.",
            )
        known = {label for column in columns for label in evidence.table.distinct([column]).columns[column].labels}
        _refuse_unknown(names, sorted(known), what, evidence.name)
        conditions += [Condition(column, "not in", tuple(names)) for column in columns]
    return replace(evidence, table=evidence.table.where(conditions))


def _columns(what: str) -> tuple[str, ...]:
    return ("left", "right") if what == "system" else (what,)


def _rankings(evidence: Rankings, excluded: Mapping[str, Sequence[str]]) -> Rankings:
    _refuse_unknown(excluded["system"], evidence.systems, "system", evidence.name)
    whole: BoolArray = np.ones(len(evidence.weight), dtype=bool)
    for what in ("judge", "item"):
        if excluded[what]:
            column = evidence.about.get(what, Coded(np.empty(0, dtype=np.int64), ()))
            _refuse_unknown(excluded[what], column.labels, what, evidence.name)
            whole &= ~np.isin(column.codes, [column.labels.index(name) for name in excluded[what]])
    out = [evidence.systems.index(name) for name in excluded["system"]]
    entries = np.flatnonzero(whole[evidence.ranking] & ~np.isin(evidence.system, out))
    used, ranking = np.unique(evidence.ranking[entries], return_inverse=True)
    systems, system = np.unique(evidence.system[entries], return_inverse=True)
    if len(systems) < 2:
        raise EvidenceError(
            f"{spelling.option('exclude')} leaves fewer than two systems", where=evidence.name, remedy="Exclude fewer."
        )
    place = np.full(len(evidence.weight), -1)
    place[used] = np.arange(len(used))
    return replace(
        evidence,
        systems=tuple(evidence.systems[code] for code in systems),
        ranking=ranking.ravel(),
        system=system.ravel(),
        rank=evidence.rank[entries],
        weight=evidence.weight[used],
        about={role: column.take(used) for role, column in evidence.about.items()},
        source=None if evidence.source is None else evidence.source.kept(place),
    )


def _scores(evidence: Scores, excluded: Mapping[str, Sequence[str]]) -> Scores:
    _refuse_unknown(excluded["system"], evidence.systems, "system", evidence.name)
    items = sorted({item for table in evidence.tables for item in table.items})
    _refuse_unknown(excluded["item"], items, "item", evidence.name)
    judges = sorted({name for table in evidence.tables if table.repeats for name in _judge(table.repeats).labels})
    if excluded["judge"] and not judges:
        raise EvidenceError(
            "there is no column of judges to exclude any",
            where=evidence.name,
            remedy=f"Name it with {spelling.option('judge')}.",
        )
    _refuse_unknown(excluded["judge"], judges, "judge", evidence.name)
    return checked(replace(evidence, tables=tuple(_score_table(table, excluded) for table in evidence.tables)))


def _without_outlying(evidence: Scores) -> Scores:
    """Leave out the items on which some system's score is an outlier, table by table, and name them."""
    tables, left_out = [], dict[str, None]()
    for table in evidence.tables:
        names = [name for name, out in zip(table.items, np.any(table.outlying, axis=1).tolist(), strict=True) if out]
        left_out |= dict.fromkeys(names)
        tables.append(_score_table(table, {"system": [], "judge": [], "item": names}))
    reading = evidence.reading or Reading("", {})
    found = kinds.reading.OUTLYING_ITEMS_LEFT_OUT.found(number=len(left_out), items=tuple(left_out))
    findings = (*reading.findings, *([found] if left_out else []))
    return checked(replace(evidence, tables=tuple(tables), reading=replace(reading, findings=findings)))


def _score_table(table: ScoreTable, excluded: Mapping[str, Sequence[str]]) -> ScoreTable:
    items = np.flatnonzero([name not in excluded["item"] for name in table.items])
    systems = np.flatnonzero([name not in excluded["system"] for name in table.systems])
    return _without_judges(table, excluded["judge"]).take(items, systems)


def _without_judges(table: ScoreTable, judges: Sequence[str]) -> ScoreTable:
    """Average repeated scores again, without those of some judges."""
    if not judges or table.repeats is None:
        return table
    repeats, judge = table.repeats, _judge(table.repeats)
    out = [judge.labels.index(name) for name in judges if name in judge.labels]
    left = np.flatnonzero(~np.isin(judge.codes, out))
    cell = repeats.item[left] * len(table.systems) + repeats.system[left]
    there = ~np.isnan(repeats.value[left])
    counts = np.bincount(cell[there], minlength=table.values.size)
    total = np.bincount(cell[there], repeats.value[left][there], table.values.size)
    values = np.divide(total, counts, out=np.full(table.values.size, np.nan), where=counts > 0)
    return replace(table, values=values.reshape(table.values.shape), repeats=repeats.take(left))


def _judge(repeats: Repeats) -> Coded:
    """Return the judge of every score, or the column that distinguishes repeats."""
    return repeats.repeat if repeats.judge is None else repeats.judge


def _timed(evidence: Judgments, options: ReadOptions) -> Judgments:
    column = evidence.roles["time"]
    conditions = []
    bounds: tuple[tuple[str, Literal[">=", "<="]], ...] = (("since", ">="), ("until", "<="))
    for name, operator in bounds:
        if (value := getattr(options, name)) is None:
            continue
        if row_conditions.as_number(value) is None and row_conditions.as_moment(value) is None:
            raise PlanError(f"{spelling.option(name)} must be a date such as 2026-05-31, or a number, got {value!r}.")
        conditions.append(_condition(evidence, column, operator, value))
    return replace(evidence, table=evidence.table.where(conditions))


def _condition(evidence: Judgments, column: str, operator: Literal[">=", "<="], value: str) -> Condition:
    """Compare times with a date: as seconds or milliseconds since 1970 where they are numbers."""
    when = row_conditions.as_moment(value)
    if when is None or not evidence.table.numeric([column])[0]:
        return Condition(column, operator, (value,))
    labels = evidence.table.distinct([column]).columns[column].labels
    unit = 1000 if max((float(label) for label in labels), default=0.0) > _MILLISECONDS else 1
    if operator == "<=" and row_conditions.is_day(value):  # a day lasts until the next one begins
        return Condition(column, "<", (repr((when + timedelta(days=1)).replace(tzinfo=UTC).timestamp() * unit),))
    return Condition(column, operator, (repr(when.replace(tzinfo=UTC).timestamp() * unit),))

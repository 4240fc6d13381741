"""People's labels of what a judge scored: a column, another file, or one of the judges."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, PlanError, nearest, spelling
from betterthan.engine import MISSING, Table
from betterthan.evidence import GoldLabels, Repeats, Scores, ScoreTable, outcomes
from betterthan.findings import Finding, Kind, kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns, is_called_people
from betterthan.readers.format import AnyEvidence

#: From that share of labels on there is little left for a judge to add.
_ALL = 0.9


def label_columns(columns: Columns, options: ReadOptions) -> list[str]:
    """Return the column of labels, and that of their probabilities; none where no labels are in the table."""
    if options.gold is None:
        if options.propensity is not None:
            raise PlanError(
                f"{spelling.option('propensity')} of scores is the probability of a label by people",
                remedy=f"Name the labels with {spelling.option('gold')}, or leave it out.",
            )
        return []
    if options.gold in (options.score or ()):
        raise PlanError(
            f"{options.gold!r} is named as the score and as its labels",
            remedy=f"Name two columns with {spelling.option('score')} and {spelling.option('gold')}.",
        )
    named = [options.gold] if options.propensity is None else [options.gold, options.propensity]
    return [columns.given(name) for name in named]


def with_columns_of_labels(scores: Scores, names: Sequence[str]) -> Scores:
    """Return scores with their labels, which were read as further metrics, and the probabilities of these."""
    labels = {table.dataset: table for table in scores.tables if table.metric == names[0]}
    chances = {table.dataset: table for table in scores.tables if len(names) > 1 and table.metric == names[1]}
    judged = [table for table in scores.tables if table.metric not in names]
    one = len({table.metric for table in judged}) == 1
    tables = []
    for table in judged:
        chance = chances[table.dataset].as_given if chances else None
        _need_one_direction(table, labels[table.dataset], scores.name)
        found = _labelled(table, labels[table.dataset].as_given, names[0], chance, scores.name)
        tables.append(replace(found, title=table.dataset) if one else found)
    reading = scores.reading
    if reading is not None:
        used = {**reading.used, "score": ", ".join(dict.fromkeys(table.metric for table in judged))}
        reading = replace(reading, used=used | dict(zip(("gold", "propensity"), names, strict=False)))
    return replace(scores, tables=tuple(tables), reading=reading)


def unused_labels(tables: Sequence[ScoreTable]) -> list[Finding]:
    """Report labels by people of some scores, as a metric of their own or by one of the judges, that are not used."""
    for table in tables:
        found = _unused_metric(table, tables) or _unused_judge(table)
        if found is not None:
            return [found]
    return []


def _unused_metric(table: ScoreTable, tables: Sequence[ScoreTable]) -> Finding | None:
    if not is_called_people(table.metric):
        return None
    others = [each for each in tables if each.dataset == table.dataset and each is not table]
    judged = next((each for each in others if not is_called_people(each.metric)), None)
    if judged is None or (judged.items, judged.systems) != (table.items, table.systems):
        return None
    hint = f"Correct the judge's scores by them: {spelling.option('gold', table.metric)}."
    return _partly(table.values, judged.values, table.metric, judged.metric, hint)


def unused_outcomes(table: Table, used: Collection[str], judge: str) -> list[Finding]:
    """Report a column of people's outcomes of some judgments that is not used."""
    for name in table.columns:
        if name in used or not is_called_people(name):
            continue
        found = table.distinct([name])
        column, known = found.columns[name], found.columns[name].codes != MISSING
        labels, rows = int(found.times[known].sum()), int(found.times.sum())
        words = [label for label in column.labels if label]
        if 0 < labels <= _ALL * rows and all(outcomes.is_outcome(word) for word in words):
            hint = f"Correct the judge's judgments by them: {spelling.option('gold', name)}."
            return [kinds.gold.LABELS_UNUSED.found(hint=hint, name=name, judge=judge, labels=labels, scores=rows)]
    return []


def _unused_judge(table: ScoreTable) -> Finding | None:
    repeats = table.repeats
    if repeats is None or repeats.judge is None:
        return None
    judges = repeats.judge.labels
    people = [code for code, name in enumerate(judges) if is_called_people(name)]
    others = [code for code in np.unique(repeats.judge.codes) if code >= 0 and code not in people]
    if len(people) != 1 or not others:
        return None
    labels, judged = (_means(repeats, int(code), table.values.shape) for code in (people[0], others[0]))
    name = judges[people[0]]
    hint = f"Correct the judge's scores by them: {spelling.option('gold_judge', name)}."
    return _partly(labels, judged, name, judges[others[0]], hint)


def _partly(labels: FloatArray, judged: FloatArray, name: str, judge: str, hint: str) -> Finding | None:
    """Report labels of some of the judge's scores, unless they are nearly of all, or of others."""
    known, scored = ~np.isnan(labels), ~np.isnan(judged)
    both = int(np.sum(known & scored))
    least = kinds.gold.FEW_LABELS.thresholds["least"]
    if both < known.sum() or np.any(known.sum(axis=0) < least) or both > _ALL * scored.sum():
        return None
    return kinds.gold.LABELS_UNUSED.found(hint=hint, name=name, judge=judge, labels=both, scores=int(scored.sum()))


def read_with_labels(source: Any, options: ReadOptions, read: Callable[[Any, ReadOptions], AnyEvidence]) -> Scores:
    """Read scores whose labels are in another file, or are those of one judge."""
    if options.gold is not None and options.gold_judge is not None:
        raise PlanError(
            f"{spelling.option('gold')} and {spelling.option('gold_judge')} both name labels",
            remedy="Leave one of them out.",
        )
    if options.propensity is not None:
        raise PlanError(
            f"{spelling.option('propensity')} is a column beside the labels",
            remedy=f"Put labels and probabilities into columns of one file, and name them with "
            f"{spelling.option('gold')} and {spelling.option('propensity')}.",
        )
    judged = _scores(read(source, replace(options, gold=None, gold_judge=None)))
    if options.gold_judge is not None:
        tables = [part for table in judged.tables for part in _by_judge(table, options.gold_judge, judged.name)]
        return _without(kinds.reading.JUDGES_AVERAGED, _with_source(judged, tables, f"judge {options.gold_judge}"))
    labels = _scores(read(options.gold, ReadOptions(kind="scores")))
    return _with_source(judged, [_joined(table, labels, judged.name) for table in judged.tables], str(options.gold))


def _with_source(scores: Scores, tables: Sequence[ScoreTable], name: str) -> Scores:
    """Return scores by other tables, whose reading report says where labels come from."""
    reading = scores.reading
    shown = None if reading is None else replace(reading, used={**reading.used, "gold": name})
    return replace(scores, tables=tuple(tables), reading=shown)


def _without(kind: Kind, scores: Scores) -> Scores:
    """Leave a finding out: judges are separated here."""
    if scores.reading is None:
        return scores
    findings = tuple(each for each in scores.reading.findings if each.code != kind.code)
    return replace(scores, reading=replace(scores.reading, findings=findings))


def _scores(evidence: AnyEvidence) -> Scores:
    if not isinstance(evidence, Scores):
        raise EvidenceError(
            f"labels by people correct scores, but these are {evidence.kind}",
            where=evidence.name,
            remedy=f"Leave out {spelling.option('gold')}.",
        )
    return evidence


def _joined(table: ScoreTable, labels: Scores, where: str) -> ScoreTable:
    """Return scores with the labels of another file, by the names of items and systems."""
    same = [each for each in labels.tables if (each.dataset, each.metric) == (table.dataset, table.metric)]
    same = same or [each for each in labels.tables if each.dataset == table.dataset]
    if not same and not table.dataset:
        same = list(labels.tables)
    if not same:
        raise EvidenceError(
            f"labels do not say which are of the data set {table.dataset!r}",
            where=labels.name,
            remedy=f"Add its column to the file of labels, or rank one data set with {spelling.option('where')}.",
        )
    if len(same) > 1:
        titles = ", ".join(repr(each.title) for each in same)
        raise EvidenceError(f"labels are of one metric, and there are {len(same)}: {titles}", where=labels.name)
    found = same[0]
    _need_one_direction(table, found, labels.name)
    rows, columns = ({name: place for place, name in enumerate(names)} for names in (found.items, found.systems))
    values = np.full(table.values.shape, np.nan)
    given = found.as_given
    item = np.array([rows.get(name, -1) for name in table.items])
    system = np.array([columns.get(name, -1) for name in table.systems])
    values[np.ix_(item >= 0, system >= 0)] = given[np.ix_(item[item >= 0], system[system >= 0])]
    if np.all(np.isnan(values)):
        raise EvidenceError(
            f"no label is of an item and a system of {where}",
            where=labels.name,
            remedy="Check the names of items and systems: they must be the same in both files.",
        )
    unmatched = int(np.sum(~np.isnan(given))) - int(np.sum(~np.isnan(values)))
    joined = _labelled(table, values, labels.name, None, where)
    assert joined.gold is not None
    return replace(joined, gold=replace(joined.gold, unmatched=unmatched))


def _need_one_direction(judged: ScoreTable, labels: ScoreTable, where: str) -> None:
    """Refuse labels of which less is better where more is better of the scores, or the other way round."""
    if judged.negated == labels.negated:
        return
    less, more = (labels, judged) if labels.negated else (judged, labels)
    raise EvidenceError(
        f"less is better for {less.metric or less.title!r}, and more for {more.metric or more.title!r}: labels and "
        "scores need one direction",
        where=where,
        remedy=f"Say it of both with {spelling.option('lower_is_better', 'all')} or "
        f"{spelling.option('lower_is_better', 'none')}.",
    )


def _labelled(table: ScoreTable, labels: FloatArray, name: str, chance: FloatArray | None, where: str) -> ScoreTable:
    """Return scores with labels, as they were given, and their weights."""
    known = ~np.isnan(labels)
    if not np.any(known):
        raise EvidenceError(f"column {name!r} has no labels", where=where)
    weight = np.ones_like(labels)
    if chance is not None:
        wrong = known & ~((chance > 0) & (chance <= 1))
        if np.any(wrong):
            item = table.items[int(np.argwhere(wrong)[0][0])]
            raise EvidenceError(
                f"the label of item {item!r} has no probability above 0 and up to 1",
                where=where,
                remedy="Every label needs the probability with which it was drawn.",
            )
        weight = np.where(known, 1 / np.where(known, chance, 1.0), 1.0)
    return replace(table, gold=GoldLabels(-labels if table.negated else labels, weight, name))


def _by_judge(table: ScoreTable, name: str, where: str) -> list[ScoreTable]:
    """Return the scores of every other judge, with those of one as labels."""
    repeats = table.repeats
    if repeats is None or repeats.judge is None:
        raise EvidenceError(
            f"{spelling.option('gold_judge', name)} needs scores by several judges",
            where=where,
            remedy=f"Name their column with {spelling.option('judge')}.",
        )
    judges = repeats.judge.labels
    if name not in judges:
        raise EvidenceError(f"there is no judge {name!r}", where=where, remedy=nearest(name, judges))
    shape = table.values.shape
    labels = _means(repeats, judges.index(name), shape)
    others = [code for code in np.unique(repeats.judge.codes) if code >= 0 and judges[code] != name]
    tables = []
    for code in others:
        title = " ".join(filter(None, [table.title, judges[code] if len(others) > 1 else ""]))
        judged = replace(table, values=_means(repeats, int(code), shape), repeats=None, title=title)
        tables.append(replace(judged, gold=GoldLabels(labels, np.ones(shape), name)))
    return tables


def _means(repeats: Repeats, judge: int, shape: tuple[int, ...]) -> FloatArray:
    """Return the mean scores by one judge (items × systems), NaN where there is none."""
    assert repeats.judge is not None
    own = (repeats.judge.codes == judge) & ~np.isnan(repeats.value)
    cell = repeats.item[own] * shape[1] + repeats.system[own]
    number = np.bincount(cell, minlength=shape[0] * shape[1])
    total = np.bincount(cell, repeats.value[own], shape[0] * shape[1])
    found: FloatArray = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0).reshape(shape)
    return found

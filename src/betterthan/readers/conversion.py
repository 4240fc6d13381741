"""Convert evidence to columns, and between kinds of evidence without loss."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, spelling
from betterthan.evidence import LEFT, RIGHT, TIE, Judgments, Rankings, Scores, ScoreTable
from betterthan.readers.builders.score_parts import DIRECTIONS
from betterthan.readers.columns.direction import less_is_better
from betterthan.readers.columns.metric_names import is_ambiguous
from betterthan.readers.columns.roles import NAMES
from betterthan.readers.format import AnyEvidence

_OUTCOME = {LEFT: "left", TIE: "tie", RIGHT: "right"}


def convert(evidence: AnyEvidence, to: str, *, layout: str = "long", tolerance: float = 0.0) -> dict[str, Any]:
    """Return evidence as columns of another kind or layout.

    Scores become judgments (all pairs per item) or rankings (one per item); rankings become judgments (all pairs within
    each). Judgments stay judgments: nothing more can be said from them.
    """
    if isinstance(evidence, Scores) and any(table.gold is not None for table in evidence.tables):
        raise EvidenceError(
            "labels by people are lost on conversion",
            remedy=f"Leave out {spelling.option('gold')}.",
        )
    if evidence.kind == to:
        return _same(evidence, layout)
    if to == "judgments" and isinstance(evidence, Rankings):
        return _judgments(evidence.to_judgments())
    if isinstance(evidence, Scores):
        return _stack([_score_part(table, to, tolerance) for table in evidence.tables], evidence.tables)
    raise EvidenceError(
        f"{evidence.kind} cannot be converted to {to}; scores convert to rankings and judgments, rankings to judgments."
    )


def _same(evidence: AnyEvidence, layout: str) -> dict[str, Any]:
    if isinstance(evidence, Judgments):
        return _judgments(evidence)
    if isinstance(evidence, Rankings):
        return _rankings_wide(evidence) if layout == "wide" else _rankings_long(evidence)
    if layout == "wide":
        if len(evidence.tables) > 1:
            raise EvidenceError(
                "a wide table holds one metric",
                remedy=f"Choose one with {spelling.option('where')}, or use {spelling.option('layout', 'long')}.",
            )
        table = evidence.tables[0]
        if table.negated:
            raise EvidenceError(
                "a wide table cannot say that less is better", remedy=f"Use {spelling.option('layout', 'long')}."
            )
        groups = {} if table.groups is None else {table.grouped_by: table.groups.texts()}
        return _wide({"instance": list(table.items), **groups}, table.systems, table.as_given)
    parts = [_scores_long(table) for table in evidence.tables]
    # A name that says the opposite, or may mean it, would reverse the scores when they are read again.
    if any(table.negated or less_is_better(table.metric) or is_ambiguous(table.metric) for table in evidence.tables):
        for part, table in zip(parts, evidence.tables, strict=True):
            part["direction"] = np.full(len(part["score"]), DIRECTIONS[table.negated], dtype=object)
    return _stack(parts, evidence.tables)


def _judgments(evidence: Judgments) -> dict[str, Any]:
    kept = (*(role for role in ("dataset", "time") if role in evidence.roles), *evidence.units)
    tally = evidence.tally(*kept).in_fixed_order()
    names = np.array(tally.systems, dtype=object)
    columns: dict[str, Any] = {role: tally.units[role].texts() for role in kept}
    columns |= {"left": names[tally.left], "right": names[tally.right]}
    columns["outcome"] = np.array([_OUTCOME[code] for code in (LEFT, TIE, RIGHT)], dtype=object)[tally.outcome]
    if np.any(tally.weight != 1.0):
        columns["weight"] = tally.weight
    if np.any(tally.times != 1.0):
        columns["count"] = tally.times
    return columns


def _rankings_long(evidence: Rankings) -> dict[str, Any]:
    about = {role: column.texts()[evidence.ranking] for role, column in evidence.about.items()}
    names = np.array(evidence.systems, dtype=object)
    columns: dict[str, Any] = {**about, "system": names[evidence.system], "rank": _whole(evidence.rank)}
    if np.any(evidence.weight != 1.0):
        columns["weight"] = evidence.weight[evidence.ranking]
    return columns


def _whole(ranks: FloatArray) -> Any:
    """Write 1 rather than 1.0, where no rank is a fraction."""
    return ranks.astype(np.int64) if np.all(ranks == np.round(ranks)) else ranks


def _rankings_wide(evidence: Rankings) -> dict[str, Any]:
    ranks = np.full((len(evidence.weight), len(evidence.systems)), np.nan)
    ranks[evidence.ranking, evidence.system] = evidence.rank
    columns: dict[str, Any] = {role: column.texts() for role, column in evidence.about.items()}
    if np.any(evidence.weight != 1.0):
        columns["weight"] = evidence.weight
    return _wide(columns, evidence.systems, ranks)


def _wide(about: dict[str, Any], systems: tuple[str, ...], values: FloatArray) -> dict[str, Any]:
    """Give every system a column, unless two columns would then have the same name for some reader."""
    names = [name.casefold() for name in (*about, *systems)]
    doubled = [name for name in (*about, *systems) if names.count(name.casefold()) > 1]
    if doubled:
        raise EvidenceError(
            f"a wide table would have the column {doubled[0]!r} twice",
            remedy=f"Use {spelling.option('layout', 'long')}.",
        )
    return {**about, **{name: values[:, place] for place, name in enumerate(systems)}}


def _score_part(table: ScoreTable, to: str, tolerance: float) -> dict[str, Any]:
    if to == "judgments":
        return _judgments(table.to_judgments(tolerance))
    return _rankings_long(table.to_rankings())


def _scores_long(table: ScoreTable) -> dict[str, Any]:
    items, names = np.array(table.items, dtype=object), np.array(table.systems, dtype=object)
    if (repeats := table.repeats) is not None:
        scores = -repeats.value if table.negated else repeats.value
        # Judges keep their name, so that reading the file again allows for their dependence.
        repeated = {"repeat": repeats.repeat} if repeats.judge is None else {"judge": repeats.judge}
        if repeats.judge is not None and not np.array_equal(repeats.judge.codes, repeats.repeat.codes):
            repeated["repeat"] = repeats.repeat
        return {
            "instance": items[repeats.item],
            **_groups(table, repeats.item),
            "system": names[repeats.system],
            **{role: column.texts() for role, column in repeated.items()},
            "score": scores,
        }
    row, column = np.nonzero(~np.isnan(table.values))
    return {
        "instance": items[row],
        **_groups(table, row),
        "system": names[column],
        "score": table.as_given[row, column],
    }


def _groups(table: ScoreTable, item: IntArray) -> dict[str, Any]:
    """Return the column that says which items are dependent, under its own name."""
    return {} if table.groups is None else {table.grouped_by: table.groups.texts()[item]}


def _stack(parts: list[dict[str, Any]], tables: Sequence[ScoreTable]) -> dict[str, Any]:
    """Stack the parts, with columns for data set and metric; a ranking's id then includes both."""
    if len(parts) > 1 and "ranking" in parts[0]:
        for part, table in zip(parts, tables, strict=True):
            part["ranking"] = np.array([f"{table.title}/{ranking}" for ranking in part["ranking"]], dtype=object)
    stacked: dict[str, Any] = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    sizes = [len(next(iter(part.values()))) for part in parts]
    told = {
        "dataset": [table.dataset for table in tables],
        "metric": [table.metric if table.metric not in NAMES["score"] else "" for table in tables],
    }
    if "score" not in stacked:  # judgments and rankings are divided by one column
        told = {"dataset": [table.title for table in tables]}
    about = {role: np.repeat(np.array(words, dtype=object), sizes) for role, words in told.items() if any(words)}
    return {**about, **stacked}

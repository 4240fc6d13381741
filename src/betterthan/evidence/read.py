"""From what people have to evidence: which kind it is, and which column plays which part."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from betterthan.engine.memory import MemoryTable
from betterthan.engine.scan import open_files
from betterthan.engine.table import Table
from betterthan.errors import EvidenceError
from betterthan.evidence.account import check_on_error
from betterthan.evidence.formats import ranks, score_tables, wmt
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.numbers import numbers
from betterthan.evidence.outcomes import parse_map
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.roles import Columns
from betterthan.evidence.scores import Scores

Kind = Literal["judgments", "rankings", "scores"]
Evidence = Judgments | Rankings | Scores
#: A path or several, `-`, a data frame of any engine, a mapping of columns, or a list of rows.
Source = Any

_UNNAMED = {"", "id", "index", "column_0", "unnamed_0"}


def open_table(
    source: Source,
    *,
    where: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    on_error: str = "refuse",
) -> Table:
    """Open whatever was given as a table; `where` keeps the rows whose columns have these values."""
    table: Table
    if isinstance(source, Table):
        table = source
    elif isinstance(source, (str, os.PathLike)):
        table = open_files([source], encoding=encoding, on_error=check_on_error(on_error))
    elif isinstance(source, Mapping):
        table = MemoryTable.of(source)
    elif isinstance(source, (list, tuple)):
        table = _from_list(source, encoding, on_error)
    elif isinstance(source, np.ndarray):
        raise EvidenceError(
            "a bare array has no column names; give a mapping such as {'left': …, 'right': …, 'winner': …}."
        )
    elif type(source).__name__ == "DuckDBPyRelation":
        from betterthan.engine.relation import RelationTable  # noqa: PLC0415 (seldom needed)

        table = RelationTable.of(source)
    else:
        from betterthan.engine.frame import FrameTable  # noqa: PLC0415 (files need no Narwhals)

        table = FrameTable.of(source)
    if where:
        columns = Columns(table.columns, table.name)
        table = table.where({columns.given(name): str(value) for name, value in where.items()})
    return table


def _from_list(source: Sequence[Any], encoding: str, on_error: str) -> Table:
    if not source:
        raise EvidenceError("the given list is empty; give at least one path or row.")
    if all(isinstance(entry, (str, os.PathLike)) for entry in source):
        return open_files(source, encoding=encoding, on_error=check_on_error(on_error))
    if all(isinstance(entry, Mapping) for entry in source):
        names = list(dict.fromkeys(name for entry in source for name in entry))
        return MemoryTable.of({name: [entry.get(name) for entry in source] for name in names}, "the given rows")
    if all(isinstance(entry, Sequence) and len(entry) == 3 for entry in source):
        left, right, outcome = zip(*source, strict=True)
        return MemoryTable.of({"left": left, "right": right, "outcome": outcome}, "the given rows")
    raise EvidenceError("a list must hold paths, mappings, or rows of (left, right, outcome).")


def read_judgments(
    source: Source,
    *,
    left: str | None = None,
    right: str | None = None,
    outcome: str | None = None,
    item: str | None = None,
    judge: str | None = None,
    ranking: str | None = None,
    weight: str | None = None,
    time: str | None = None,
    dataset: str | None = None,
    counts: Sequence[str] | None = None,
    outcomes: Mapping[str, str] | None = None,
    where: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    on_error: str = "refuse",
) -> Judgments:
    """Read pairwise judgments: one row per judgment, or counted rows.

    Columns are recognised by name (model_a/model_b/winner, left/right, system1/system2, item_x …) and can always
    be given. `counts` names one column (how often the row occurred), two (left wins, right wins) or three (left
    wins, ties, right wins); `outcomes` maps your own words to left, tie or right. `time` says when a judgment was
    made, for models in which the order matters. Several data sets in one table (`dataset`) give one leaderboard each.

    >>> print(read_judgments([("owl", "yak", "left"), ("yak", "elk", "tie")]))
    2 judgments · 3 systems · 50 % ties · 0 refused
    """
    table = open_table(source, where=where, encoding=encoding, on_error=on_error)
    columns = Columns(table.columns, table.name)
    sides = columns.sides(left, right)
    counted = columns.counts(counts)
    roles: dict[str, str] = {}
    winner_loser = columns.winner_loser() if sides is None and outcome is None else None
    if sides is None and winner_loser is None:
        raise EvidenceError(
            f"{table.name}: cannot tell which columns name the two systems; its columns are {columns.listed()}. "
            "Name them with --left and --right (left=, right=)."
        )
    roles["left"], roles["right"] = sides or winner_loser  # type: ignore[misc]
    taken = set(roles.values())
    found = columns.role("outcome", outcome)
    if found and found not in taken and not (counted and len(counted) > 1 and outcome is None):
        roles["outcome"] = found
    elif not winner_loser and not (counted and len(counted) > 1):
        raise EvidenceError(
            f"{table.name}: cannot tell which column says who won; its columns are {columns.listed()}. "
            "Name it with --outcome (outcome=), or counted columns with --counts n_a,n_tie,n_b (counts=)."
        )
    given = {
        "item": item, "judge": judge, "ranking": ranking, "weight": weight, "time": time, "dataset": dataset,
    }  # fmt: skip
    if counted is None and (single := columns.role("count")) and single not in {*roles.values(), *given.values()}:
        counted = (single,)
    for role, name in given.items():
        column = columns.role(role, name)
        if column and (name is not None or column not in {*roles.values(), *(counted or ())}):
            roles[role] = column
    return Judgments(table, roles, counted or (), parse_map(outcomes), check_on_error(on_error))


def read_rankings(
    source: Source,
    *,
    ranking: str | None = None,
    system: str | None = None,
    rank: str | None = None,
    item: str | None = None,
    judge: str | None = None,
    weight: str | None = None,
    systems: Sequence[str] | None = None,
    layout: Literal["wide", "long", "wmt"] | None = None,
    where: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    on_error: str = "refuse",
) -> Rankings:
    """Read rankings: wide (a column per system), long (ranking, system, rank) or WMT's own layout; rank 1 is best.

    >>> print(read_rankings({"owl": [1, 1], "yak": [2, 2], "elk": [3, None]}, layout="wide"))
    2 rankings · 3 systems · 0 refused
    """
    table = open_table(source, where=where, encoding=encoding, on_error=on_error)
    columns = Columns(table.columns, table.name)
    errors = check_on_error(on_error)
    chosen = layout or _ranking_layout(table, columns, ranking, system, rank)
    if chosen == "wmt":
        about = wmt.about_columns(table.columns)
        about |= {role: columns.given(name) for role, name in (("item", item), ("judge", judge)) if name}
        return wmt.from_wmt(table, about, errors)
    given = {"ranking": ranking, "item": item, "judge": judge, "weight": weight}
    about = {role: found for role, name in given.items() if (found := columns.role(role, name))}
    if chosen == "long":
        roles = {role: columns.role(role, name) for role, name in (("system", system), ("rank", rank))}
        lacking = [role for role in ("ranking", "system", "rank") if not (about | roles).get(role)]
        if lacking:
            raise EvidenceError(
                f"{table.name}: long rankings need a column for {', '.join(lacking)}; there are {columns.listed()}. "
                f"Name it with --{lacking[0]} ({lacking[0]}=)."
            )
        return ranks.from_long(table, {**about, **{role: name for role, name in roles.items() if name}}, errors)
    weighted = about.pop("weight", None)
    names = _chosen(columns, systems) or _system_columns(table, {*about.values(), *_about(columns)})
    return ranks.from_wide(table, names, about, weighted, errors)


def read_scores(
    source: Source,
    *,
    system: str | None = None,
    item: str | None = None,
    score: str | Sequence[str] | None = None,
    metric: str | None = None,
    dataset: str | None = None,
    group: str | None = None,
    systems: Sequence[str] | None = None,
    lower_is_better: bool | Sequence[str] = False,
    layout: Literal["wide", "long"] | None = None,
    where: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    on_error: str = "refuse",
) -> Scores:
    """Read instance-level scores: wide (a column per system) or long (instance, system, score, perhaps metric).

    `score` may name several columns, one per metric; `lower_is_better` is True or names the metrics it holds for.
    `group` names the column that says which instances hang together (documents, prompts), for `compare` and `power`.

    >>> print(read_scores({"owl": [0.5, 0.7], "yak": [0.4, None]}, layout="wide"))
    3 scores · 2 systems · 2 instances · 1 missing · 0 refused
    """
    table = open_table(source, where=where, encoding=encoding, on_error=on_error)
    columns = Columns(table.columns, table.name, group)
    if group is not None:
        columns.given(group)
    errors = check_on_error(on_error)
    if layout == "wide" or (layout is None and not (score or columns.role("system", system))):
        labels = columns.role("item", item) or next((name for name in table.columns if _is_index(name)), None)
        names = _chosen(columns, systems) or _system_columns(table, {labels or "", group or "", *_about(columns)})
        if not isinstance(lower_is_better, bool):
            raise EvidenceError(
                f"{table.name}: a wide table has one metric; say --lower-is-better all (lower_is_better=True)."
            )
        return score_tables.from_wide(table, names, labels, lower_is_better, errors, group=group)
    given = {"system": system, "item": item, "metric": metric, "dataset": dataset}
    roles = {role: found for role, name in given.items() if (found := columns.role(role, name))}
    if group is not None:
        roles["group"] = group
    if "dataset" not in roles and (task := columns.role("task")):
        roles["dataset"] = task
    metrics = [score] if isinstance(score, str) else list(score or [])
    values = [columns.given(name) for name in metrics] or [found for found in [columns.role("score")] if found]
    lacking = [role for role in ("item", "system") if role not in roles] + ([] if values else ["score"])
    if lacking:
        raise EvidenceError(
            f"{table.name}: long scores need a column for {', '.join(lacking)}; its columns are {columns.listed()}. "
            f"Name it with --{lacking[0]} ({lacking[0]}=)."
        )
    return score_tables.from_long(table, roles, values, lower_is_better, errors)


def read_runs(a: Source, b: Source, *, names: tuple[str, str] | None = None, **choices: Any) -> Scores:
    """Read two runs of an evaluation, each with an instance and a score per row, matched by instance.

    Choices are `item`, `score`, `group`, `lower_is_better`, `where`, `encoding` and `on_error`; systems are called like
    files. `group` names a column that says which instances hang together, in both runs or in one.

    >>> runs = read_runs({"id": [1, 2], "score": [3, 4]}, {"id": [2, 1], "score": [5, 1]}, names=("new", "old"))
    >>> runs.tables[0].values.tolist()
    [[3.0, 1.0], [4.0, 5.0]]
    """
    names = names or _run_names(a, b)
    given = {name: choices.pop(name, None) for name in ("item", "score", "group", "lower_is_better")}
    group = given["group"]
    tables = [open_table(source, **choices) for source in (a, b)]
    if group is not None and not any(group in table.columns for table in tables):
        Columns(tables[0].columns, tables[0].name).given(group)
    parts = []
    for table in tables:
        columns = Columns(table.columns, table.name, group)
        item = columns.role("item", given["item"]) or next((name for name in table.columns if _is_index(name)), None)
        score = columns.role("score", given["score"])
        if item is None or score is None:
            lacking = "instance (--item)" if item is None else "score (--score)"
            raise EvidenceError(f"{table.name}: a run needs a column for the {lacking}; there are {columns.listed()}.")
        errors = check_on_error(choices.get("on_error", "refuse"))
        parts.append(score_tables.from_run(table, item, score, errors, group if group in table.columns else None))
    return score_tables.from_runs(parts, names, lower_is_better=bool(given["lower_is_better"]), group=group)


def _run_names(a: Source, b: Source) -> tuple[str, str]:
    """Call the runs like their files, with folders where the files are called alike."""
    if not all(isinstance(source, (str, os.PathLike)) for source in (a, b)):
        return "a", "b"
    first, second = (os.fspath(source) for source in (a, b))
    if first == second:
        raise EvidenceError(f"{first}: a run cannot be compared with itself. Give two files.")
    stems = tuple(os.path.basename(name).split(".")[0] for name in (first, second))
    return (stems[0], stems[1]) if stems[0] != stems[1] else (first, second)


def read(source: Source, kind: Kind | None = None, **choices: Any) -> Evidence:
    """Read evidence of any kind; without `kind`, the columns and values must make it clear.

    Further choices are those of `read_judgments`, `read_rankings` and `read_scores`.

    >>> read({"model_a": ["owl"], "model_b": ["yak"], "winner": ["tie"]}).kind
    'judgments'
    """
    if kind is None:
        opening = {name: choices[name] for name in ("where", "encoding", "on_error") if name in choices}
        source = open_table(source, **opening)
        kind = recognise(source, choices)
        choices.pop("where", None)  # done
    readers: dict[str, Any] = {"judgments": read_judgments, "rankings": read_rankings, "scores": read_scores}
    if kind not in readers:
        raise EvidenceError(f"unknown kind of evidence {kind!r}; allowed: {', '.join(readers)}.")
    allowed = readers[kind].__kwdefaults__
    for name in choices:
        if name not in allowed:
            raise EvidenceError(f"{kind} have no choice {name!r}; allowed: {', '.join(allowed)}.")
    evidence: Evidence = readers[kind](source, **choices)
    return evidence


def as_evidence(source: Source) -> Evidence:
    """Return evidence as it is, and read anything else."""
    return source if isinstance(source, (Judgments, Rankings, Scores)) else read(source)


def recognise(table: Table, choices: Mapping[str, Any]) -> Kind:
    """Tell from the columns given and found, and if need be from the values, which kind of evidence a table holds."""
    columns = Columns(table.columns, table.name, choices.get("group"))
    if choices.get("left") or choices.get("right") or choices.get("outcome") or choices.get("counts"):
        return "judgments"
    if choices.get("rank"):
        return "rankings"
    if choices.get("score") or choices.get("metric"):
        return "scores"
    if wmt.slots(table.columns):
        return "rankings"
    if (columns.sides() and (columns.role("outcome") or columns.counts())) or columns.winner_loser():
        return "judgments"
    if columns.role("system") and columns.role("rank") and columns.role("ranking"):
        return "rankings"
    if columns.role("system"):
        return "scores"
    return _ranks_or_scores(table, _system_columns(table, {choices.get("group") or "", *_about(columns)}))


def _ranking_layout(
    table: Table, columns: Columns, ranking: str | None, system: str | None, rank: str | None
) -> Literal["wide", "long", "wmt"]:
    if wmt.slots(table.columns):
        return "wmt"
    return "long" if columns.role("system", system) and columns.role("rank", rank) else "wide"


def _about(columns: Columns) -> set[str]:
    """Return the columns that describe a row of a wide table and so name no system."""
    roles = ("item", "judge", "ranking", "weight", "dataset", "task", "metric")
    return {found for role in roles if (found := columns.role(role))}


def _is_index(name: str) -> bool:
    return name.strip().lower().replace(" ", "_").replace(":", "") in _UNNAMED or name == "column0"


def _chosen(columns: Columns, systems: Sequence[str] | None) -> list[str]:
    names = [columns.given(name) for name in systems or []]
    if len(set(names)) < len(names):
        raise EvidenceError(f"{columns.where}: a system's column was given twice: {', '.join(names)}. Give each once.")
    return names


def _system_columns(table: Table, others: set[str]) -> list[str]:
    """Return the columns of a wide table that hold any number, in order; the rest describes the rows."""
    candidates = [name for name in table.columns if name not in others and not _is_index(name)]
    sample = table.rows(candidates).columns if candidates else {}
    # One good cell makes a column numeric: its bad cells are mistakes to report, not a reason to lose it.
    numeric = [name for name in candidates if np.any(np.isfinite(numbers(sample[name]).values))]
    if len(numeric) < 2:
        raise EvidenceError(
            f"{table.name}: cannot tell what kind of evidence this is; its columns are "
            f"{Columns(table.columns, '').listed()}. Name what there is, for example --left A --right B --outcome "
            "WINNER for judgments, --system S --item I --score X for scores, or --systems A,B for a column each."
        )
    return numeric


def _ranks_or_scores(table: Table, names: list[str]) -> Kind:
    """Tell a wide table of ranks from one of scores: read as the other kind, either would be upside down."""
    sample = table.rows(names).columns
    values = np.stack([numbers(sample[name]).values for name in names], axis=1)
    if len(values) == 0 or np.any(np.isnan(values).all(axis=1)):
        return "scores"
    highest = len(names)
    like_ranks = bool(np.all(np.isnan(values) | ((values == np.round(values)) & (values >= 1) & (values <= highest))))
    if not like_ranks or np.any(np.nanmin(values, axis=1) != 1):
        return "scores"
    if highest > 2 and np.all(np.sort(values, axis=1) == np.arange(1, highest + 1)):
        return "rankings"
    raise EvidenceError(
        f"{table.name}: the numbers 1 to {highest} may be ranks (1 is best) or scores (more is better). "
        "Say which: --as rankings or --as scores (kind=)."
    )

"""Two runs of an evaluation, each with an item and a score per row, matched by item."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import MISSING, Coded, FileTable, OnError, Places, Table, Where
from betterthan.evidence import Account, Check, Reading, Scores, ScoreTable, check_on_error
from betterthan.options import ReadOptions
from betterthan.readers.builders.ranking_builder import repeats
from betterthan.readers.builders.score_tables import SCORE_REMEDY, directed, grouped
from betterthan.readers.columns.direction import Directions, as_asked
from betterthan.readers.columns.plausible_scores import plausible
from betterthan.readers.columns.roles import Columns
from betterthan.readers.columns.wide_tables import index_column, read_numbers
from betterthan.readers.folder_tables import tables_and_others
from betterthan.readers.formats import scores_by_file
from betterthan.readers.open_tables import Source, open_table, opened


def read_runs(
    a: Source,
    b: Source,
    *,
    names: tuple[str, str] | None = None,
    item: str | None = None,
    score: str | Sequence[str] | None = None,
    dataset: str | None = None,
    group: str | None = None,
    repeat: str | None = None,
    reduce: str | None = None,
    lower_is_better: bool | str | Sequence[str] | None = None,
    where: Where | None = None,
    encoding: str = "utf-8",
    on_error: str = "refuse",
) -> Scores:
    """Read two runs of an evaluation, each with an item and a score per row, matched by item.

    Systems are called like files unless `names` says otherwise. `score` names the column of scores, or one for each
    run (`["new.csv:passed", "old.csv:correct"]`), or several metrics. `group` names a column that says which items are
    dependent, in both runs or in one. `dataset` names one that divides items, such as the task, and `repeat` one that
    distinguishes repeated scores of an item. Several runs of a version are files that a pattern matches, or a folder.

    Parameters
    ----------
    a : path, pattern, folder, data frame, list or dict
        First run, or the runs of a first version.
    b : path, pattern, folder, data frame, list or dict
        Second run, or the runs of a second version.
    names : tuple of str, optional
        Names of the two systems; by default those of the files.
    item : str, optional
        Column of the item.
    score : str or list of str, optional
        Column of the score, or one per run, or one per metric.
    dataset : str, optional
        Column of the data set.
    group : str, optional
        Column of the group; items of a group are dependent.
    repeat : str, optional
        Column that distinguishes repeated scores, such as run, seed or epoch.
    reduce : str, optional
        How repeated scores of an item become one: mean, majority, best, pass@k or pass^k.
    lower_is_better : bool, str or list of str, optional
        Whether less is better, or the metrics for which it is; by default the metric's name decides.
    where : str, list of str or dict, optional
        Conditions on the rows to keep.
    encoding : str, default 'utf-8'
        Encoding of text files.
    on_error : {'refuse', 'skip', 'skip-most'}, default 'refuse'
        Stop at the first bad row, or skip bad rows and count them: up to half of all rows, or most of them.

    Returns
    -------
    Scores
        Scores of the two systems on their common items.

    Examples
    --------
    >>> runs = read_runs({"id": [1, 2], "score": [3, 4]}, {"id": [2, 1], "score": [5, 1]}, names=("new", "old"))
    >>> runs.tables[0].values.tolist()
    [[3.0, 1.0], [4.0, 5.0]]
    """
    names = names or _run_names(a, b)
    if names[0] == names[1]:
        raise EvidenceError(f"both runs are called {names[0]!r}", remedy="Give them different names.")
    given = [score] if isinstance(score, str) else list(score or [])
    if dataset or repeat or reduce or _several(given, (a, b), names):
        options = ReadOptions(
            item=item,
            score=given or None,
            dataset=dataset,
            group=group,
            repeat=repeat,
            reduce=reduce,
            lower_is_better=as_asked(lower_is_better),
            where=where,
            encoding=encoding,
            on_error=check_on_error(on_error),
        )
        return _by_file((a, b), names, options)
    lower = as_asked(lower_is_better)
    if not isinstance(lower, bool | None):
        raise EvidenceError(
            f"two runs have one score, got {spelling.option('lower_is_better')} {lower_is_better!r}",
            remedy=f"Use {spelling.option('lower_is_better', True)}.",
        )
    scores = _scores_of(given, (a, b), names)
    errors = check_on_error(on_error)
    tables = [open_table(source, where=where, encoding=encoding, on_error=on_error) for source in (a, b)]
    try:
        if group is not None and not any(group in table.columns for table in tables):
            Columns(tables[0].columns, tables[0].name).given(group)
        runs = [
            _run(table, item, scored, group if group in table.columns else None, errors)
            for table, scored in zip(tables, scores, strict=True)
        ]
    finally:
        for table, source in zip(tables, (a, b), strict=True):
            if not isinstance(source, Table):
                table.close()
    return _matched(runs, names, Directions(lower), group)


def _several(given: Sequence[str], sources: tuple[Source, Source], names: tuple[str, str]) -> bool:
    """Return whether runs are several files each, or have several metrics: named for both, or found in both."""
    if (files := _files(sources)) is not None:
        if any(len(each) > 1 for each in files):
            return True
        if not given:
            return scores_by_file.files_of_metrics(files[0][0], files[1][0])
    return sum(not _whose(entry, sources, names) for entry in given) > 1


def _by_file(sources: tuple[Source, Source], names: tuple[str, str], options: ReadOptions) -> Scores:
    """Read two versions in files with several metrics, data sets or repeated scores, or in several files each."""
    files = _files(sources)
    if files is None:
        raise EvidenceError(
            "two runs in memory have one score for each item",
            remedy="Put them into one table with a column of systems, or into files.",
        )
    if options.repeat is not None and any(len(each) > 1 for each in files):
        raise EvidenceError(
            "several files are runs of one system, so no column can distinguish runs, too",
            remedy=f"Leave out {spelling.option('repeat', options.repeat)}, or give one file of each system.",
        )
    called = {file: name for name, each in zip(names, files, strict=True) for file in each}
    with opened(list(called), options) as table:
        scores = scores_by_file.FORMAT.read_called(table, options, called)
    reading = scores.reading and replace(scores.reading, from_files=True)
    return replace(scores, tables=tuple(_renamed(table, names) for table in scores), reading=reading)


def _files(sources: tuple[Source, Source]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the files of both versions: those that are named, that a pattern matches or that a folder holds."""
    if not all(isinstance(source, (str, os.PathLike)) for source in sources):
        return None
    one, other = (_files_of(os.fspath(source)) for source in sources)
    return one, other


def _files_of(source: str) -> tuple[str, ...]:
    if os.path.isfile(source):
        return (source,)
    places = Places([source])
    try:
        tables, _ = tables_and_others(places)  # of a folder, or of what a pattern matches
    finally:
        places.close()
    if not tables:
        raise EvidenceError(
            "holds no table", where=source, remedy="Give a folder of files with a score for every item."
        )
    return tuple(file.name for file in tables)


def _renamed(table: ScoreTable, names: tuple[str, str]) -> ScoreTable:
    """Return the scores of two versions in their order; one of them may have none."""
    values = np.full((len(table.items), 2), np.nan)
    places = np.array([names.index(name) for name in table.systems])
    values[:, places] = table.values
    repeats = table.repeats
    if repeats is not None:
        repeats = replace(repeats, system=places[repeats.system])
    return replace(table, systems=names, values=values, repeats=repeats)


def _scores_of(
    given: Sequence[str], sources: tuple[Source, Source], names: tuple[str, str]
) -> tuple[str | None, str | None]:
    """Return the column of scores of each run: one for both, or one that is named with its file each."""
    found: dict[int, str] = {}
    for entry in given:
        of, column = _whose(entry, sources, names), entry.rpartition(":")[2]
        for place in of or (0, 1):
            if found.setdefault(place, column if of else entry) != (column if of else entry):
                raise EvidenceError(
                    f"runs are matched on one score, got {', '.join(given)}",
                    remedy=f"Give one with {spelling.option('score')}.",
                )
    return found.get(0), found.get(1)


def _whose(entry: str, sources: tuple[Source, Source], names: tuple[str, str]) -> list[int]:
    """Return which of the runs a column is named for: 'new.csv:passed' is for one, 'passed' for neither alone."""
    file, colon, _ = entry.rpartition(":")
    return [
        place
        for place, (source, name) in enumerate(zip(sources, names, strict=True))
        if colon and file in {str(source), os.path.basename(str(source)), name}
    ]


def _run_names(a: Source, b: Source) -> tuple[str, str]:
    """Call the runs like their files, with folders where the files are called alike."""
    if not all(isinstance(source, (str, os.PathLike)) for source in (a, b)):
        return "a", "b"
    first, second = (os.fspath(source) for source in (a, b))
    if first == second:
        raise EvidenceError("a run cannot be compared with itself", where=first, remedy="Give two files.")
    stems = tuple(os.path.basename(name.rstrip(os.sep)).split(".")[0].rstrip("*?[]_- ") for name in (first, second))
    return (stems[0], stems[1]) if stems[0] != stems[1] and all(stems) else (first, second)


@dataclass(frozen=True)
class Run:
    """One system's scores by item, and the group of each item where the file names it."""

    scores: Mapping[str, float]
    groups: Mapping[str, str]
    account: Account
    named: str
    scored: str
    columns: tuple[str, ...]
    file: bool


def _run(table: Table, item: str | None, score: str | None, group: str | None, on_error: OnError) -> Run:
    """Read one system's scores by item."""
    columns = Columns(table.columns, table.name, [name for name in (item, score, group) if name])
    named, scored = columns.role("item", item) or index_column(table), columns.role("score", score)
    if named is None or scored is None:
        lacking = "item" if named is None else "score"
        raise EvidenceError(
            f"a run needs a column for the {lacking}; its columns are {columns.listed()}",
            where=table.name,
            remedy=f"Name it with {spelling.option(lacking)}.",
        )
    rows = table.rows(list(dict.fromkeys([named, *([group] if group else [])])), [scored])
    found, texts = read_numbers(table, rows, [scored])
    check = Check(table, replace(rows, columns={**rows.columns, **texts}), on_error)
    column, given = rows.columns[named], found[scored]
    check.refuse(
        "missing item",
        column.codes == MISSING,
        "the item is missing",
        "Every score belongs to an item: fill it in.",
    )
    check.refuse("bad score", given.wrong, "the score {0} is not a finite number", SCORE_REMEDY, [scored])
    check.refuse(
        "duplicate score",
        repeats(column.codes, ~check.bad),
        "the item {0} occurs twice",
        "An item has one score per run: remove one of them.",
        [named],
    )
    together = grouped(check, group) if group else None
    account = check.settle()
    good = np.flatnonzero(~check.bad)
    items = [str(name) for name in column.take(good).texts()]
    scores = dict(zip(items, given.values[good].tolist(), strict=True))
    groups = dict(zip(items, together.take(good).texts().tolist(), strict=True)) if together else {}
    return Run(scores, groups, account, named, scored, table.columns, isinstance(table, FileTable))


def _matched(runs: Sequence[Run], names: tuple[str, str], directions: Directions, group: str | None) -> Scores:
    """Match runs by item; an item that one of them lacks has no score there."""
    lower = [directions.lower("", run.scored) for run in runs]
    if lower[0] != lower[1]:
        raise EvidenceError(
            f"less is better for {runs[lower.index(True)].scored!r}, and more for {runs[lower.index(False)].scored!r}",
            remedy=f"Give one score with {spelling.option('score')}, or say it with "
            f"{spelling.option('lower_is_better')}.",
        )
    items = tuple(sorted({item for run in runs for item in run.scores}))
    values = np.array([[run.scores.get(item, np.nan) for run in runs] for item in items])
    account = Account(
        sum(run.account.read for run in runs), tuple(refusal for run in runs for refusal in run.account.refusals)
    )
    table = ScoreTable(
        "",
        items,
        names,
        directed(values.reshape(-1, len(runs)), lower[0]),
        lower[0],
        groups=_agreed(runs, names, items) if group else None,
        grouped_by=group or "",
        metric=runs[0].scored,
    )
    used: dict[str, str | Sequence[str]] = {
        "system": "the file's name",
        "item": tuple(dict.fromkeys(run.named for run in runs)),
        "score": tuple(dict.fromkeys(run.scored for run in runs)),
        "group": group or "",
    }
    columns = dict.fromkeys(name for run in runs for name in run.columns)
    reading = Reading.of("two runs", used, columns, directions.check([table], " and ".join(names)))
    reading = replace(reading, from_files=all(run.file for run in runs))
    return plausible(Scores((table,), account, " and ".join(names), reading))


def _agreed(runs: Sequence[Run], names: tuple[str, str], items: Sequence[str]) -> Coded:
    """Return the group of every item, refusing runs that contradict each other."""
    one, other = (run.groups for run in runs)
    for item in items:
        if item in one and item in other and one[item] != other[item]:
            raise EvidenceError(
                f"the item {item!r} is in the group {one[item]!r} in {names[0]} and {other[item]!r} in "
                f"{names[1]}. An item belongs to one group: correct one of the files."
            )
    return Coded.of([one.get(item, other.get(item)) for item in items])

"""Wide tables: one numeric column per system, read in one scan for recognition and reading."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, UnclearError, spelling
from betterthan.engine import MISSING, Coded, Distinct, MemoryTable, Table
from betterthan.evidence import Check, Kind, text_numbers
from betterthan.options import ReadOptions
from betterthan.readers.columns.known_names import is_system
from betterthan.readers.columns.plausible_scores import missing_codes, without_codes
from betterthan.readers.columns.roles import NAMES, Columns, normal
from betterthan.readers.columns.suspicious_columns import (
    SCALES,
    describes,
    holds_values,
    is_target,
    may_be_target,
    problem,
    unlikely,
)
from betterthan.readers.format import Recognition

_UNNAMED = {"", "id", "index", "column_0", "unnamed_0", "rownames", "row_names", "row.names"}
#: Of what columns are called so, more is better: their numbers are no ranks.
_MORE = re.compile(r"(^|_)(points?|pts|ratings?|votes|grades?|scores?|wins)(_|$)")
#: Of a training, every row is a step.
_STEPS = frozenset({"epoch", "epochs", "step", "steps", "iteration", "iterations"})
_ABOUT = ("item", "judge", "ranking", "weight", "dataset", "task", "metric")


@dataclass(frozen=True)
class Wide:
    """A table with a column per system: the columns, their numbers, and reasons why they may not be systems."""

    systems: tuple[str, ...]
    rows: Distinct
    problem: str | None = None
    unlikely: str | None = None  # the reason to ask before numbers are read as scores

    def checked(self, table: Table, options: ReadOptions, what: str, remedy: str) -> tuple[Check, FloatArray]:
        """Return the numbers (NaN where missing) and the check that refused other values."""
        found, texts = read_numbers(table, self.rows, self.systems)
        check = Check(table, replace(self.rows, columns={**self.rows.columns, **texts}), options.on_error)
        for system in texts:
            message = f"the {what} {{0}} of {system!r} is not a finite number"
            check.refuse(f"bad {what}", found[system].wrong, message, remedy, [system])
        return check, np.stack([found[system].values for system in self.systems], axis=1)


def look(table: Table, options: ReadOptions) -> Wide:
    """Read a table as a wide one; it has fewer than two systems where it is none."""
    columns = Columns.of(table, options)
    about = _described(table, columns, options)
    named = _named(columns, options.systems)
    # Columns that are written out in a call, or read with an option of scores, are systems; others may be anything.
    scores = options.group is not None or options.lower_is_better is not None
    given = scores or options.kind is not None or isinstance(table, MemoryTable)
    candidates = named or [
        name
        for name in table.columns
        if name not in about and not _is_index(name) and (not describes(name) or _is_numeric_target(table, name))
    ]
    wide = table.once(
        ("wide", tuple(about), tuple(candidates), options.kind, tuple(options.missing_codes or ())),
        lambda: _read(table, [name for name in about if name not in named], candidates, bool(named), options),
    )
    return (
        wide
        if named or given
        else replace(wide, unlikely=unlikely(wide.systems, items=_names_items(wide, columns, options)))
    )


def _is_numeric_target(table: Table, name: str) -> bool:
    """Whether a column holds the right values as numbers; texts of references describe their row."""
    return is_target(name) and table.once(("numeric", (name,)), lambda: table.numeric([name]))[0]


def _names_items(wide: Wide, columns: Columns, options: ReadOptions) -> bool:
    """Return whether a column names the items: one called so, or one of data sets or tasks with one row each."""
    if options.item or columns.role("item"):
        return True
    called = [wide.rows.columns[name] for name in columns.called([*NAMES["dataset"], *NAMES["task"]])]
    return any(len(np.unique(column.codes)) == len(column.codes) > 1 for column in called)


def _read(table: Table, about: Sequence[str], candidates: Sequence[str], asked: bool, options: ReadOptions) -> Wide:
    if not candidates:
        return Wide((), Distinct({}, np.empty(0, dtype=np.int64)))
    rows = without_codes(table.rows(about, candidates), options.missing_codes)
    # One good cell makes a column numeric: its bad cells are mistakes to report, not a reason to lose it.
    odd = [] if asked else [name for name in candidates if not np.any(np.isfinite(rows.numbers[name]))]
    # Words such as yes and no stand for numbers, too.
    words = table.rows(odd).columns if odd and len(rows.times) else {}
    plain = [name for name in candidates if name not in odd]
    # Next to other numbers, yes and ok are remarks.
    if all(np.all(np.isnan(rows.numbers[name]) | np.isin(rows.numbers[name], (0, 1))) for name in plain):
        odd = [name for name in odd if name not in words or text_numbers.numbers(words[name], words=True).none]
    # A comma at the end of every line makes a last column without a name, which holds nothing.
    texts = [name for name in odd if not (name in words and _is_unnamed(table, name) and _is_empty(words[name]))]
    systems = [name for name in candidates if name not in odd]
    layout = None
    if not asked and not isinstance(table, MemoryTable):  # nobody writes the numbers of rows in a call
        layout = _other_layout(rows, about, systems, table.columns[0])
        numbering = [name for name in systems if _numbers_rows(rows.numbers[name], len(systems))]
        systems = [name for name in systems if name not in numbering]
    why = (
        layout
        if asked or layout is not None
        else problem(
            _without_likely_codes({name: rows.numbers[name] for name in systems}),
            texts,
            scales=SCALES if options.kind is None else None,
            empty=[name for name in texts if name in words and _is_empty(words[name])],
        )
    )
    return Wide(tuple(systems), rows, why)


def _other_layout(rows: Distinct, about: Sequence[str], systems: Sequence[str], first: str) -> str | None:
    """Return what shows that rows are no items: they are systems, values, or steps of a setting."""
    for name in about:
        column = rows.columns[name]
        named = {column.labels[code].strip() for code in np.unique(column.codes) if code != MISSING}
        shared = [system for system in systems if system in named]
        if len(shared) > 1 and 2 * len(shared) > len(systems):
            return f"rows have the same names as columns ({', '.join(map(repr, shared[:3]))})"
    if first not in systems or len(systems) < 2:
        return None
    values = rows.numbers[first]
    if len(values) < 3 or not np.all(values[1:] > values[:-1]):
        return None
    if holds_values(first):
        return f"{first!r} has one row for each value, so the others seem to count how often it occurred"
    if about or is_system(first) or (_numbers_rows(values, len(systems)) and normal(first) not in _STEPS):
        return None
    return f"{first!r} grows from row to row, as a setting does"


def _without_likely_codes(numbers: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Return columns without what seems to stand for missing values: whether it does is asked when they are read."""
    codes = [float(code) for code in missing_codes(np.concatenate([*numbers.values()] or [np.empty(0)]))]
    if not codes:
        return dict(numbers)
    return {name: np.where(np.isin(values, codes), np.nan, values) for name, values in numbers.items()}


def _numbers_rows(values: FloatArray, columns: int) -> bool:
    """Whether a column is 1, 2, 3 … or 0, 1, 2 …: in more rows than columns, these are no ranks either."""
    many = len(values) > max(columns, 4) and values[0] in {0.0, 1.0}
    return many and np.array_equal(values, np.arange(len(values)) + values[0])


def look_for_systems(table: Table, options: ReadOptions) -> Wide:
    """Read a wide table, refusing one without at least two columns of numbers."""
    wide = look(table, options)
    if len(wide.systems) < 2:
        columns = Columns(table.columns, "")
        raise UnclearError(
            f"a wide table needs a column of numbers for at least two systems; its columns are {columns.listed()}",
            where=table.name,
            remedy=f"Name the columns with {spelling.option('systems')}.",
        )
    if wide.problem:
        raise unclear_systems(wide, table.name, "cannot tell which columns are systems: ")
    return wide


def unclear_systems(wide: Wide, where: str, what: str) -> EvidenceError:
    """Return the refusal of columns of numbers that may be no systems; predictions need to be scored first."""
    targets = [name for name in wide.systems if is_target(name) or may_be_target(name)]
    others = [name for name in wide.systems if name not in targets]
    if not targets or len(others) < 2:
        return UnclearError(f"{what}{wide.problem or wide.unlikely}", where=where, remedy=remedy())
    shown, predictions = " and ".join(map(repr, targets)), ", ".join(map(repr, others))
    if not any(map(is_target, targets)):
        return UnclearError(
            f"{shown} may be a system, or what {predictions} are compared with",
            where=where,
            remedy=remedy(),
            choices=[
                ({"systems": list(wide.systems)}, f"{shown} is a system"),
                ({"systems": others}, f"{shown} is no system, and the others have scores"),
            ],
        )
    return EvidenceError(
        f"{shown} is called like the right values, so {predictions} may be predictions, which are no scores",
        where=where,
        remedy=f"Score predictions with {spelling.verb('score')}, {spelling.option('reference', targets[0])} and "
        f"{spelling.option('systems', others)}. If they are scores already, name them with "
        f"{spelling.option('systems', others)}.",
    )


def remedy() -> str:
    """Return a remedy: how to name systems, or metrics."""
    return (
        f"If columns are systems, name them with {spelling.option('systems')}. If they are metrics of one system per "
        f"file, name them with {spelling.option('score')}."
    )


def ranks_or_scores(table: Table, options: ReadOptions) -> dict[Kind, Recognition | None]:
    """Distinguish wide tables of ranks from those of scores: read as the other kind, either would be reversed."""
    wide = look(table, options)
    found = table.once(("ranks or scores", wide.systems), lambda: _ranks_or_scores(wide))
    return found if wide.unlikely is None or found["rankings"] else {"rankings": None, "scores": None}


def _ranks_or_scores(wide: Wide) -> dict[Kind, Recognition | None]:
    highest = len(wide.systems)
    if highest < 2 or wide.problem:
        return {"rankings": None, "scores": None}
    scores: dict[Kind, Recognition | None] = {"rankings": None, "scores": Recognition(0.5, "columns of numbers")}
    if highest > 2 and _orders_from_0(wide):
        told = f"every row holds the numbers 0 to {highest - 1}"
        return {
            "rankings": Recognition(0.5, f"{told}, where 0 may be best"),
            "scores": Recognition(0.5, f"{told}, where more may be better"),
        }
    if any(map(says_more, wide.systems)):
        return scores
    if not all(_whole(wide.rows.numbers[name], 1, highest) for name in wide.systems):
        return scores
    values = np.stack([wide.rows.numbers[name] for name in wide.systems], axis=1)
    if len(values) == 0 or np.any(np.isnan(values).all(axis=1)) or np.any(np.nanmin(values, axis=1) != 1):
        return scores
    if np.all(values == 1):  # systems that are perfect on every item; rankings would say nothing
        return scores
    if highest > 2 and np.all(np.sort(values, axis=1) == np.arange(1, highest + 1)):
        return {"rankings": Recognition(0.5, f"every row holds the ranks 1 to {highest}"), "scores": None}
    told = f"the numbers 1 to {highest}"
    return {
        "rankings": Recognition(0.5, f"{told}, where 1 is best"),
        "scores": Recognition(0.5, f"{told}, where more is better"),
    }


def says_more(name: str) -> bool:
    """Whether a column is called like points, of which more is better."""
    return bool(_MORE.search(normal(name)))


def _orders_from_0(wide: Wide) -> bool:
    """Whether every row is an order counted from 0."""
    if not all(_whole(wide.rows.numbers[name], 0, len(wide.systems) - 1) for name in wide.systems):
        return False
    values = np.stack([wide.rows.numbers[name] for name in wide.systems], axis=1)
    return len(values) > 0 and bool(np.all(np.sort(values, axis=1) == np.arange(len(wide.systems))))


def _whole(column: FloatArray, lowest: int, highest: int) -> bool:
    """Whether a column holds only whole numbers within two bounds."""
    whole = (column == np.round(column)) & (column >= lowest) & (column <= highest)
    return bool(np.all(np.isnan(column) | whole))


def index_column(table: Table) -> str | None:
    """Return the column that numbers the rows, as data frames write it."""
    return next((name for name in table.columns if _is_index(name)), None)


def _described(table: Table, columns: Columns, options: ReadOptions) -> list[str]:
    """Return the columns that describe a row and so name no system."""
    found = [columns.role(role, getattr(options, role, None)) for role in _ABOUT]
    found += [likely_item(table, columns, options)] if found[0] is None else []
    found += [columns.given(options.group) if options.group else None, index_column(table)]
    return list(dict.fromkeys(name for name in found if name))


def likely_item(table: Table, columns: Columns, options: ReadOptions) -> str | None:
    """Return a column that is not called like items, but whose texts differ in every row, as names of items do."""
    if options.item is not None or isinstance(table, MemoryTable):
        return None
    likely = [name for name in columns.likely_items() if not _is_index(name) and name not in (options.systems or ())]
    numeric = (
        dict(zip(likely, table.once(("numeric", tuple(likely)), lambda: table.numeric(likely)), strict=True))
        if likely
        else {}
    )
    for name in likely:
        rows, distinct = table.unique([name])
        # Numbers are names only where the column is called like a number: problem_id, not trial.
        called = normal(name).rpartition("_")[2] in {"id", "idx", "index", "no", "nr"}
        if distinct == rows > 1 and (called or not numeric[name]):
            return name
    return None


def _named(columns: Columns, systems: Sequence[str] | None) -> list[str]:
    names = [columns.given(name) for name in systems or []]
    if len(set(names)) < len(names):
        raise EvidenceError(
            f"a system's column was given twice: {', '.join(names)}", where=columns.where, remedy="Give each once."
        )
    return names


def _is_index(name: str) -> bool:
    return name.strip().lower().replace(" ", "_").replace(":", "") in _UNNAMED or name == "column0"


def _is_unnamed(table: Table, name: str) -> bool:
    """Whether this is a column after the first with an empty header, which files name by its position."""
    place = table.columns.index(name)
    return place > 0 and name == f"column{place}"


def _is_empty(column: Coded) -> bool:
    return bool(np.all(column.codes == MISSING))


def read_numbers(
    table: Table, rows: Distinct, names: Sequence[str]
) -> tuple[dict[str, text_numbers.Numbers], dict[str, Coded]]:
    """Return columns of numbers, and as texts those in which there is something else: only they are read again."""
    odd = [name for name in names if np.any(np.abs(rows.numbers[name]) > text_numbers.LARGEST)]
    texts = dict(table.rows(odd).columns) if odd else {}
    none_wrong: BoolArray = np.zeros(len(rows.times), dtype=bool)
    found = {}
    for name in names:
        values = rows.numbers[name]
        column = (
            text_numbers.numbers(texts[name], words=True)
            if name in texts
            else text_numbers.Numbers(values, np.isnan(values), none_wrong)
        )
        found[name] = replace(column, values=np.where(column.wrong, np.nan, column.values)) if name in texts else column
    return found, texts

"""What `control` names: features of both outputs, the first position, matches of categories, or a formula."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, registry, spelling
from betterthan.datasets import JudgedSet, controlled_judgments
from betterthan.engine import Coded, Table
from betterthan.evidence import COVARIATE, Judgments, Tally
from betterthan.models.covariates.formulas import evaluate, variables
from betterthan.readers import Columns, style_columns, with_columns

ControlledJudgments = controlled_judgments.ControlledJudgments
Covariate = controlled_judgments.Covariate
SidedColumns = style_columns.SidedColumns
#: The word for what the first position gains.
POSITION = "position"
#: What is counted in texts.
_COUNTED: Mapping[str, Callable[[str], float]] = {
    "length": len,
    "words": lambda text: len(text.split()),
    "headers": lambda text: len(re.findall(r"^#{1,6}\s", text, re.MULTILINE)),
    "lists": lambda text: len(re.findall(r"^\s*(?:[-*+]|\d+[.)])\s", text, re.MULTILINE)),
    "bold": lambda text: len(re.findall(r"\*\*[^*\n]+\*\*|__[^_\n]+__", text)),
}


@dataclass(frozen=True)
class Named:
    """One part of `control`, with the columns it needs: as numbers, or as texts."""

    name: str
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    #: From the judgments to columns of values with their descriptions.
    make: "Callable[[Named, Read], list[tuple[Covariate, FloatArray]]]" = lambda named, read: []
    sides: SidedColumns | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns."""
        return self.numbers + self.texts


@dataclass(frozen=True)
class Read:
    """Judgments that were read, with columns as numbers and as texts."""

    tally: Tally
    numbers: Mapping[str, FloatArray]
    texts: Mapping[str, Coded]

    @property
    def rows(self) -> int:
        """The number of judgments."""
        return len(self.tally.left)

    def mean(self, values: FloatArray) -> float:
        """Return the mean over judgments."""
        return float(np.average(values, weights=self.tally.times)) if len(values) else 0.0


def columns_used(judgments: Judgments, control: str) -> tuple[str, ...]:
    """Return the columns that `control` uses, but for those that have a role anyway."""
    named = _named(judgments, control)
    known = {*judgments.roles.values()}
    return tuple(dict.fromkeys(column for each in named for column in each.columns if column not in known))


def judgments_with(data: JudgedSet, control: str, *, units: bool) -> ControlledJudgments:
    """Read the judgments of a data set with the covariates that `control` names."""
    judgments = data.judgments
    named = _named(judgments, control)
    numbers = sorted({column for each in named for column in each.numbers})
    coded = sorted({column for each in named for column in each.texts})
    table = with_columns(judgments.table, [*numbers, *coded])
    roles = {**judgments.roles, **{COVARIATE + column: column for column in coded}}
    by = data.by if units else ()
    hashes: dict[str, str] = {}
    if by and data.hashed and numbers:
        table, hashes = _hashed(table, {unit: roles[unit] for unit in by})
    wanted = replace(judgments, table=table, roles=roles)
    tally = wanted.tally(
        *(unit for unit in by if unit not in hashes),
        *(COVARIATE + column for column in coded),
        numbers=(*numbers, *hashes.values()),
    )
    levels = {unit: _levels(tally, unit, hashes.get(unit)) for unit in by}
    read = Read(tally, tally.numbers, {column: tally.units[COVARIATE + column] for column in coded})
    made = [found for each in named for found in each.make(each, read)]
    names = [covariate.name for covariate, _ in made]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise PlanError(
                f"{spelling.option('control', control)} means {name!r} twice", remedy="Name every effect once."
            )
    values = np.stack([value for _, value in made], axis=1) if made else np.empty((read.rows, 0))
    return ControlledJudgments.of(tally, values, [each for each, _ in made], levels)


def _hashed(table: Table, columns: Mapping[str, str]) -> tuple[Table, dict[str, str]]:
    """Return a table with numbers for units, which are many: their names would be as many texts in memory."""
    found = {}
    for unit, column in columns.items():
        name = f"digest of {column}"
        wider = table.hashed(name, column)
        if wider is None:
            return table, {}
        table, found[unit] = wider, name
    return table, found


def _levels(tally: Tally, unit: str, column: str | None) -> tuple[IntArray, int]:
    """Return the unit of every judgment, and how many units there are."""
    if column is None:
        return tally.units[unit].compact
    known, level = np.unique(tally.numbers[column], return_inverse=True)
    return level.ravel(), len(known)


def _named(judgments: Judgments, control: str) -> list[Named]:
    if control.strip().startswith("~"):
        return [_formula(judgments, control.strip())]
    parts = registry.split(control)
    if not parts:
        raise PlanError(f"{spelling.option('control')} names nothing", remedy="Name a feature such as length.")
    for place, part in enumerate(parts):
        if part in parts[:place]:
            raise PlanError(f"{spelling.option('control', control)} names {part!r} twice", remedy="Name it once.")
    return [_part(judgments, part) for part in parts]


def _part(judgments: Judgments, part: str) -> Named:
    """Return what one name means: the first of a column, two columns, a feature or the position that it fits."""
    table = judgments.table
    if "=" in part and part not in table.columns:
        return _match(judgments, part)
    if "/" in part and part not in table.columns:
        left, _, right = (each.strip() for each in part.partition("/"))
        name = _common(left, right)
        return _sided(table, name, SidedColumns((_reached(judgments, left),), (_reached(judgments, right),)))
    taken = {*judgments.roles.values(), *judgments.counts}
    free = [column for column in table.columns if column not in taken]
    pairs = style_columns.paired(free)
    if part in table.columns:
        if part in taken:
            raise PlanError(
                f"{spelling.option('control', part)}: the column {part!r} is read as the "
                f"{next((role for role, column in judgments.roles.items() if column == part), 'count')} already",
                remedy="Name a column that says how the two outputs differ.",
            )
        return _difference(table, part)
    if (own := _own_columns(judgments, part, free)) is not None:
        return own
    if (found := style_columns.of_feature(part, pairs)) is not None:
        return _sided(table, part, pairs[found])
    if part == POSITION:
        return Named(POSITION, make=_first_position)
    if (nested := style_columns.nested(table, part)) is not None:
        return _sided(table, part, nested)
    single = style_columns.differences(free)
    if (found := style_columns.of_feature(part, single)) is not None:
        return _difference(table, single[found])
    if table.derived(part) is not None and _is_numeric(table.derived(part), part):
        return _difference(table, part)
    if part in _COUNTED and (texts := style_columns.texts(table)) is not None:
        return Named(part, texts=texts.all, make=_of_texts, sides=texts)
    known = [*style_columns.style_features(free), *pairs]
    raise PlanError(
        f"{spelling.option('control', part)}: no columns for {part!r} in {table.name}",
        allowed=", ".join(dict.fromkeys([*known, POSITION])),
        remedy="Name two columns as LEFT/RIGHT, one with the difference of both sides, or a formula such as "
        "'~ length_diff'.",
    )


def _common(left: str, right: str) -> str:
    """Return what two names have in common, for the name of the effect."""
    found = style_columns.paired([left, right])
    return next(iter(found), f"{left}/{right}")


def _reached(judgments: Judgments, name: str) -> str:
    table = judgments.table
    if table.derived(name) is None:
        Columns(table.columns, table.name).given(name)  # refuses it with the nearest name
    return name


def _is_numeric(table: Table | None, *columns: str) -> bool:
    return table is not None and all(table.numeric(columns))


def _sided(table: Table, name: str, sides: SidedColumns) -> Named:
    """Take two columns: numbers are compared by their relative difference, categories one by one, texts by length."""
    if _is_numeric(with_columns(table, sides.all), *sides.all):
        return Named(name, numbers=sides.all, make=_relative, sides=sides)
    make = _of_texts if style_columns.texts(table) == sides else _of_categories
    return Named(name, texts=sides.all, make=make, sides=sides)


def _difference(table: Table, column: str) -> Named:
    if not _is_numeric(with_columns(table, [column]), column):
        raise PlanError(
            f"{spelling.option('control', column)}: the column {column!r} holds values that are no numbers, and one "
            "column says how the two outputs differ",
            remedy="Name two columns as LEFT/RIGHT, or a match such as judge=system.",
        )
    return Named(column, numbers=(column,), make=_given_difference)


def _own_columns(judgments: Judgments, part: str, free: Sequence[str]) -> Named | None:
    """Take numeric columns of every system, such as `length_owl` and `length_yak`."""
    if not style_columns.may_be_own(part, free):
        return None
    systems = judgments.systems
    columns = style_columns.own(part, free, systems)
    if not columns or not _is_numeric(judgments.table, *columns):
        return None

    def make(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
        place = {system: number for number, system in enumerate(systems)}
        lookup = np.array([place[system] for system in read.tally.systems])
        every = np.stack([read.numbers[column] for column in columns], axis=1)
        rows = np.arange(read.rows)
        sides = every[rows, lookup[read.tally.left]], every[rows, lookup[read.tally.right]]
        return _standardised(named, read, _relative_difference(named, *sides), "relative difference")

    return Named(part, numbers=columns, make=make)


def _match(judgments: Judgments, part: str) -> Named:
    """Take a match such as `judge=system` or `judge_org=org`: one for the side that has what the judgment has."""
    here, _, there = (each.strip() for each in part.partition("="))
    own = judgments.roles.get(here) or _reached(judgments, here)
    if there == "system":
        sides = SidedColumns((judgments.roles["left"],), (judgments.roles["right"],))
    else:
        pairs = style_columns.paired(judgments.table.columns)
        found = style_columns.of_feature(there, pairs)
        if found is None:
            raise PlanError(
                f"{spelling.option('control', part)}: there are no two columns for {there!r}, one for each side",
                allowed=", ".join(["system", *pairs]),
                remedy="Name the attribute of both sides, such as organization for organization_a and organization_b.",
            )
        sides = pairs[found]
    return Named(part, texts=(own, *sides.all), make=_of_match, sides=sides)


def _formula(judgments: Judgments, formula: str) -> Named:
    table = judgments.table
    names = variables(formula)
    wide = with_columns(table, [name for name in names if name not in judgments.roles])
    columns = {}
    for name in names:
        known = name in wide.columns
        columns[name] = name if known else judgments.roles.get(name) or Columns(table.columns, table.name).given(name)
    numeric = {column for column in columns.values() if _is_numeric(wide, column)}

    def make(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
        given = {name: read.numbers[of] if of in numeric else read.texts[of] for name, of in columns.items()}
        terms = evaluate(formula, given, read.rows).without_intercept()
        return [
            (Covariate(name, named.columns, "one unit"), terms.matrix[:, place])
            for place, name in enumerate(terms.names)
        ]

    texts = tuple(column for column in dict.fromkeys(columns.values()) if column not in numeric)
    return Named(formula, numbers=tuple(sorted(numeric)), texts=texts, make=make)


def _first_position(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
    return [(Covariate(named.name, (), "first position"), np.ones(read.rows))]


def _given_difference(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
    return _standardised(named, read, read.numbers[named.columns[0]], "difference")


def _relative(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
    assert named.sides is not None
    left, right = (sum(read.numbers[column] for column in side) for side in (named.sides.left, named.sides.right))
    return _standardised(named, read, _relative_difference(named, left, right), "relative difference")


def _of_texts(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
    """Compare numbers that are counted in the texts of both outputs."""
    assert named.sides is not None
    count = _COUNTED.get(named.name, len)
    sides = []
    for (column,) in (named.sides.left, named.sides.right):
        text = read.texts[column]
        sides.append(np.array([*map(count, text.labels), 0.0])[text.codes])
    return _standardised(named, read, _relative_difference(named, *sides), "relative difference")


def _of_categories(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
    """Compare every category but the most frequent one: one for the side that has it alone."""
    assert named.sides is not None
    left, right = (read.texts[column].texts() for (column,) in (named.sides.left, named.sides.right))
    labels, number = np.unique(np.concatenate([left, right]).astype(str), return_counts=True)
    if len(labels) > 50:
        raise PlanError(
            f"{spelling.option('control', named.name)}: {' and '.join(named.columns)} hold {len(labels):,} different "
            "values that are no numbers",
            remedy="Name columns with numbers, or with a few categories.",
        )
    usual = labels[np.argmax(number)]
    return [
        (
            Covariate(f"{named.name}={label}", named.columns, f"{label} instead of {usual}"),
            (left == label).astype(float) - (right == label),
        )
        for label in labels.tolist()
        if label != usual
    ]


def _of_match(named: Named, read: Read) -> list[tuple[Covariate, FloatArray]]:
    own, first, second = (read.texts[column].texts() for column in (named.texts[0], *named.texts[1:]))
    value = (own == first).astype(float) - (own == second)
    return [(Covariate(named.name, named.columns, "a match"), value)]


def _relative_difference(named: Named, left: Any, right: Any) -> FloatArray:
    """Return (a − b) / (a + b), 0 where both are 0, as arenas publish it."""
    if np.any(left < 0) or np.any(right < 0):
        raise EvidenceError(
            f"{spelling.option('control', named.name)} compares amounts of both outputs, and some are below zero",
            remedy="Give a column with their difference instead.",
        )
    total = left + right
    share: FloatArray = np.divide(left - right, total, out=np.zeros(len(total)), where=total > 0)
    return share


def _standardised(named: Named, read: Read, value: FloatArray, unit: str) -> list[tuple[Covariate, FloatArray]]:
    """Divide by the standard deviation, so that effects of different features can be compared."""
    mean = read.mean(value)
    scale = float(np.sqrt(read.mean((value - mean) ** 2)))
    if scale <= 1e-12 * max(float(np.max(np.abs(value), initial=0.0)), 1e-300):
        scale = 0.0
    per = f"standard deviation of the {unit}" if scale else "one unit"
    said = Covariate(named.name, named.columns, per, scale or None)
    return [(said, value / scale if scale else value)]

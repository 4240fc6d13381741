"""SQL for DuckDB: quoted names and texts, and row conditions."""

from collections.abc import Sequence

import duckdb

from betterthan.engine.conditions import (
    ABSENT,
    EXACT,
    MOMENT,
    NUMBER,
    Condition,
    as_moment,
    as_number,
    is_day,
    is_truth,
    pattern,
    spellings,
)

#: How the names of DuckDB's numeric types start.
NUMBERS = (
    "DOUBLE",
    "FLOAT",
    "DECIMAL",
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINY",
    "USMALL",
    "UINTEGER",
    "UBIGINT",
    "UHUGEINT",
)
_FLOATS = ("DOUBLE", "FLOAT")


def quote_name(name: str) -> str:
    """Quote a column's name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"


def test(condition: Condition, kind: str) -> str:
    """Return a condition on a column of this type."""
    column, value = quote_name(condition.column), condition.values[0]
    text = f"CAST({column} AS VARCHAR)"
    match condition.operator:
        case "is":
            return f"{text} IN ({', '.join(literal(spelled) for spelled in spellings(value))})"
        case "in" | "not in":
            found = " OR ".join(_equal(column, kind, each) for each in condition.values)
        case "~" | "!~":
            found = f"{_present(column, kind)} AND regexp_full_match({text}, {literal(pattern(value))}, 's')"
        case _:
            found = f"{_ordered(column, kind, value)} {condition.operator} {_wanted(value)}"
    return f"{'NOT ' if condition.negated else ''}coalesce({found}, false)"


def incomparable(condition: Condition, kind: str) -> tuple[str, str]:
    """Return a column as text, and the test by which a value that is there cannot be compared in order."""
    column = quote_name(condition.column)
    text = f"CAST({column} AS VARCHAR)"
    absent = f"lower(trim({text})) IN ({', '.join(map(literal, ABSENT))})"
    return text, f"{_present(column, kind)} AND NOT {absent} AND {_ordered(column, kind, condition.values[0])} IS NULL"


def label(column: str, kind: str) -> str:
    """Return the name that a value has everywhere: 3 for 3.0, nothing for a blank text."""
    text = f"CAST({column} AS VARCHAR)"
    if kind == "BOOLEAN":
        return f"CASE WHEN {column} THEN 'True' WHEN NOT {column} THEN 'False' END"
    if kind.startswith(_FLOATS):
        whole = f"{column} = trunc({column}) AND abs({column}) < {EXACT:.0f}"
        text = f"CASE WHEN {whole} THEN CAST(TRY_CAST({column} AS BIGINT) AS VARCHAR) ELSE {text} END"
        return f"CASE WHEN NOT isnan({column}) THEN {text} END"
    return f"CASE WHEN trim({text}) <> '' THEN {text} END"


def within(value: str, kind: str, path: Sequence[str]) -> tuple[str, str] | None:
    """Return the value at a path inside a struct, and its type; None if the type has no such field."""
    if not kind.startswith("STRUCT("):
        return None
    fields = {name: str(field) for name, field in duckdb.sqltype(kind).children}
    for size in range(len(path), 0, -1):
        key = ".".join(path[:size])
        if key in fields:
            field = f"struct_extract({value}, {literal(key)})"
            if size == len(path):
                return field, fields[key]
            if (found := within(field, fields[key], path[size:])) is not None:
                return found
    return None


def texts_at(value: str, kind: str, path: Sequence[str]) -> list[str]:
    """Return the ways to take texts out of JSON, or out of maps, lists and structs that hold it."""
    from betterthan.engine.nested import readings  # noqa: PLC0415 (most columns hold no structures)

    if kind.startswith(("STRUCT(", "MAP(")) or kind.endswith("]"):
        value = f"CAST(to_json({value}) AS VARCHAR)"
    elif kind in {"VARCHAR", "JSON"}:
        # JSON may have been written as a text into JSON.
        value = f"CAST({value} AS VARCHAR)"
        value = f"CASE WHEN starts_with({value}, '\"') THEN TRY(json_extract_string({value}, '$')) ELSE {value} END"
    else:
        return []
    ways = []
    for keys in readings(path):
        way = value
        for key in keys:
            pointer = "/" + key.replace("~", "~0").replace("/", "~1")
            way = f"TRY(json_extract_string({way}, {literal(pointer)}))"
        ways.append(way)
    return ways


def _present(column: str, kind: str) -> str:
    if kind.startswith(_FLOATS):
        return f"({column} IS NOT NULL AND NOT isnan({column}))"
    return f"({column} IS NOT NULL AND trim(CAST({column} AS VARCHAR)) <> '')"


def _equal(column: str, kind: str, value: str) -> str:
    if not value:
        return f"NOT {_present(column, kind)}"
    text = f"CAST({column} AS VARCHAR)"
    tests = [f"{text} = {literal(value)}"]
    if is_truth(value):
        tests.append(f"lower({text}) = {literal(value.lower())}")
    if (wanted := as_number(value)) is not None and abs(wanted) < EXACT:
        tests.append(f"{_number(column, kind)} = {_wanted(value)}")
    if as_moment(value) is not None:
        tests.append(f"{_moment(column, kind, value)} = {_wanted(value)}")
    return f"coalesce({' OR '.join(tests)}, false)"


def _ordered(column: str, kind: str, value: str) -> str:
    return _number(column, kind) if as_number(value) is not None else _moment(column, kind, value)


def _wanted(value: str) -> str:
    """Return a number or a date to compare with."""
    if (wanted := as_number(value)) is not None:
        return f"CAST({literal(repr(wanted))} AS DOUBLE)"
    return f"CAST({literal(str(as_moment(value)))} AS TIMESTAMP)"


def _number(column: str, kind: str) -> str:
    if kind.startswith(NUMBERS):
        found = f"CAST({column} AS DOUBLE)"
        return f"CASE WHEN NOT isnan({found}) THEN {found} END" if kind.startswith(_FLOATS) else found
    text = f"CAST({column} AS VARCHAR)"
    return f"TRY_CAST(CASE WHEN regexp_full_match({text}, {literal(NUMBER)}) THEN trim({text}) END AS DOUBLE)"


def _moment(column: str, kind: str, value: str) -> str:
    text = f"CAST({column} AS VARCHAR)"
    if kind in {"DATE", "TIMESTAMP"}:
        found = f"CAST({column} AS TIMESTAMP)"
    else:
        zone = f"regexp_matches({text}, '[0-9](Z|[+-][0-9]{{2}}(:?[0-9]{{2}})?)$') AND length({text}) > 10"
        found = (
            f"CASE WHEN NOT regexp_full_match({text}, {literal(MOMENT)}) THEN NULL"
            f" WHEN {zone} THEN timezone('UTC', TRY_CAST({text} AS TIMESTAMPTZ)) ELSE TRY_CAST({text} AS TIMESTAMP) END"
        )
    return f"date_trunc('day', {found})" if is_day(value) else found


def units_of(source: str, column: str, kind: str) -> str:
    """Return the question for every unit's key (DuckDB's own hash of its value) and hash, null where it is missing.

    Values are named after they are distinguished: no two of them have one name, and naming every row takes longer.
    """
    return (
        f"SELECT hash(v) AS k, md5_number_lower({label('v', kind)}) AS full_hash"
        f" FROM (SELECT DISTINCT {quote_name(column)} AS v FROM {source})"
    )

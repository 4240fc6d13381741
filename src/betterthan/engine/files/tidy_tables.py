"""Tables as people keep them: titles above the header, totals and notes below the rows, formatted numbers."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from betterthan.base import EvidenceError
from betterthan.engine.conditions import is_absent
from betterthan.engine.labels import is_numeral

if TYPE_CHECKING:
    from betterthan.engine.files.number_notation import Notation

Row = list[str]

#: Bytes at both ends of a file that show whether its table needs tidying, and the largest file that is tidied.
_ENDS, _LARGEST = 1 << 15, 1 << 26
#: Rows above a header and below a table at most.
_AROUND = 30
_NOTE = re.compile(r"[*†‡§¹²#]|\(?[a-z0-9]\)|(note|notes|source|sources|legend|quelle|anmerkung)\b", re.IGNORECASE)
#: A first line that names the delimiter, which spreadsheets understand.
_NAMED_DELIMITER = re.compile(r'"?sep=(.)"?\r?\n')
#: What a number may have around it.
_MARK = re.compile(r"\*\*|__|\\\w+\s*\{|<\w|[±†‡§$€£/*(:]|\+/-|\d\s*[a-zµμ]{1,7}\s*$", re.IGNORECASE)
_LIKE_NUMBER = re.compile(r"[+-]?[0-9]")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _median(values: Sequence[float]) -> float:
    held, half = sorted(values), len(values) // 2
    return held[half] if len(held) % 2 else (held[half - 1] + held[half]) / 2


#: What a row below a table sums up, by the word that it begins with.
_SUMMARIES: dict[str, Callable[[Sequence[float]], float]] = {
    word: number
    for number, words in (
        (sum, ("total", "totals", "sum", "grand total", "summe", "gesamt", "totale", "somme")),
        (_mean, ("average", "averages", "avg", "mean", "means", "overall", "macro average")),
        (_mean, ("durchschnitt", "mittelwert", "mittel", "moyenne", "media", "promedio")),
        (_median, ("median",)),
        (min, ("min", "minimum")),
        (max, ("max", "maximum")),
        (len, ("count", "n")),
    )
    for word in words
}


@dataclass(frozen=True)
class Tidied:
    """A table with one row of names first, and sentences about what was left out or read in another notation."""

    rows: list[Row]
    changes: tuple[str, ...]


def tidied_file(path: Path, delimiter: str | None, decimal: str | None, shown: str) -> Tidied | None:
    """Return the table of a text file where its ends show that it needs tidying, else None."""
    size = path.stat().st_size
    if size > _LARGEST:
        return None
    with path.open("rb") as source:
        head = _text(source.read(_ENDS))
        source.seek(max(0, size - _ENDS))
        tail = head if size <= _ENDS else _text(source.read()).split("\n", 1)[-1]
    if delimiter is None and (drawn := _drawn(head, path, shown)) is not None:
        return tidied(drawn, ",", decimal, shown)
    sign = delimiter or _delimiter(head)
    ends = [_rows(head if size <= _ENDS else head.rsplit("\n", 1)[0], sign), _rows(tail, sign)]
    if any(rows is None for rows in ends) or not _untidy(ends[0] or [], ends[1] or [], sign):
        return None
    with path.open(encoding="utf-8-sig", newline="") as text:
        rows = _rows(text, sign)
    return None if rows is None else tidied(rows, sign, decimal, shown)


def tidied(rows: Sequence[Row], delimiter: str, decimal: str | None, shown: str) -> Tidied:
    """Return a table without what is around it, and with plain numbers."""
    start = _header(rows)
    stop = _end(rows, start)
    header = [" ".join(cell.split()) for cell in rows[start]]
    _refuse_two_headers(header, rows[start + 1 : stop], shown)
    # A blank row between others stays: an item may have lost its values.
    header, marked, freed = _without_marks(header, rows[start + 1 : stop])
    body, formatted = _plain_numbers(header, marked, delimiter, decimal)
    formatted = [*freed, *formatted]
    changes = [*_left_out(rows[:start], "above the header"), *_left_out(rows[stop:], "below the table"), *formatted]
    return Tidied([header, *body], tuple(changes))


def write_table(table: Tidied, target: IO[bytes]) -> None:
    """Write a tidied table as CSV."""
    with io.TextIOWrapper(target, encoding="utf-8", newline="") as text:
        csv.writer(text, lineterminator="\n").writerows(table.rows)


def _text(part: bytes) -> str:
    return part.decode("utf-8-sig", errors="replace")


def _rows(text: str | Iterable[str], delimiter: str) -> list[Row] | None:
    """Split text into rows of trimmed cells, None where it cannot be split."""
    lines = io.StringIO(text, newline="") if isinstance(text, str) else text
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    except (csv.Error, UnicodeDecodeError):  # what is no UTF-8 is refused where the table is read
        return None


def _delimiter(head: str) -> str:
    """Return the delimiter of the header, or of most lines where a line above the header has none."""
    lines = [line for line in head.splitlines()[:50] if line.strip()]
    if not lines:
        return ","
    if (named := _NAMED_DELIMITER.match(head)) is not None:
        return named[1]
    of_header = max(",;\t|", key=lines[0].count)
    if lines[0].count(of_header) == lines[-1].count(of_header) > 0:
        return of_header
    return max(",;\t|", key=lambda sign: _median([line.count(sign) for line in lines]))


def _drawn(head: str, path: Path, shown: str) -> list[Row] | None:
    """Return the rows of a table that is drawn with signs, as its beginning shows."""
    beginning = head[:_ENDS].splitlines()[:_AROUND]
    drawn = any("|" in line and "--" in line for line in beginning) or any(line.startswith("+-") for line in beginning)
    spaced = not any(sign in head[:1000] for sign in ",;\t|{") and " " in head.split("\n", 1)[0].strip()
    if not drawn and not spaced:
        return None
    from betterthan.engine.files.drawn_tables import drawn_rows  # noqa: PLC0415 (few tables are drawn)

    try:
        return drawn_rows(path.read_text(encoding="utf-8-sig"), shown)
    except UnicodeDecodeError:  # refused where the table is read
        return None


def _untidy(head: Sequence[Row], tail: Sequence[Row], delimiter: str) -> bool:
    """Whether the ends of a file show anything but a header and rows of plain cells."""
    if len(head) < 2 or max(map(len, head)) < 2:
        return False
    start = _header(head)
    after = [row for row in head[start + 1 :][:200] if any(row)]
    if start or any("\n" in cell for cell in head[start]) or _two_headers(head[start], after):
        return True
    if _end(tail, min(start, len(tail) - 1)) < len(tail):
        return True
    found = (_notation(column) for column in zip(*(row for row in after if len(row) == len(head[start])), strict=True))
    if any(
        _MARK.search(cell) and _unmarked(name, column)
        for name, column in _columns(head[start], after)
        for cell in column[:1]
    ):
        return True
    # Decimal commas between semicolons are DuckDB's work.
    return any(each is not None and not each.plain and not _simple(each, delimiter) for each in found)


def _simple(notation: "Notation", delimiter: str) -> bool:
    return delimiter == ";" and not notation.suffix and notation.conventions == ("point",) and not notation.grouped


def _header(rows: Sequence[Row]) -> int:
    """Return the index of the row of names: the first that is as full as the rows below it."""
    looked_at = [row for row in rows[: 10 * _AROUND] if any(row)]
    if not looked_at:
        return 0
    width = Counter(map(len, looked_at)).most_common(1)[0][0]
    typical = _median([sum(map(bool, row)) for row in looked_at if len(row) == width])
    for place, row in enumerate(rows[:_AROUND]):
        filled = [cell for cell in row if cell]
        if len(filled) >= max(2, typical - 1) or _two_headers(row, rows[place + 1 :]):
            # A row of numbers is no row of names: then the table is left as it is.
            return place if 2 * sum(map(is_numeral, filled)) < len(filled) else 0
    return 0


def _end(rows: Sequence[Row], start: int) -> int:
    """Return the index behind the last row of the table."""
    stop = len(rows)
    while stop > max(start + 3, len(rows) - _AROUND):
        row = rows[stop - 1]
        if any(row) and not _is_note(row, rows[stop - 2]) and not _sums_up(row, rows[start + 1 : stop - 1]):
            break
        stop -= 1
    return stop


def _is_note(row: Row, before: Row) -> bool:
    """Whether a row is a remark about the table: a text alone, marked as a note or apart from the rows."""
    return bool(row[0]) and not any(row[1:]) and bool(_NOTE.match(row[0]) or (not any(before) and " " in row[0]))


def _sums_up(row: Row, above: Sequence[Row]) -> bool:
    """Whether a row holds the totals or means of the rows above it, as it says."""
    number = _SUMMARIES.get(row[0].casefold().strip(" :")) if row else None
    if number is None:
        return False
    found = 0
    for place, cell in enumerate(row[1:], 1):
        values = [_value(each[place]) for each in above if len(each) == len(row)]
        numbers = [value for value in values if value is not None]
        if not cell or not numbers:
            continue
        value = _value(cell)
        # As many digits as are printed have to agree.
        digits = len(cell.rstrip("% ").partition(".")[2])
        if value is None or abs(value - number(numbers)) > 0.51 * 10.0**-digits:
            return False
        found += 1
    return found > 0


def _two_headers(header: Row, below: Sequence[Row]) -> bool:
    """Whether names are in two rows, as in a table with merged cells."""
    if len(below) < 2 or not len(below[0]) == len(below[1]) == len(header):
        return False
    gaps = [place for place, name in enumerate(header) if not name and place > 1 and below[0][place]]
    names = [cell for cell in below[0] if cell]
    return len(gaps) > 1 and not any(map(is_numeral, names)) and all(is_numeral(below[1][place]) for place in gaps)


def _refuse_two_headers(header: Row, below: Sequence[Row], shown: str) -> None:
    if not _two_headers(header, below):
        return
    above, names = ([cell for cell in row if cell][:4] for row in (header, below[0]))
    raise EvidenceError(
        f"has two rows of names: {', '.join(above)} … above {', '.join(names)} …",
        where=shown,
        remedy="Keep one table for each name in the upper row, or give one row per item, system and metric.",
    )


def _columns(header: Row, rows: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """Return the columns of full rows with their names; those with a mark come first in each."""
    full = [row for row in rows if len(row) == len(header)]
    columns = ([row[place] for row in full] for place in range(len(header)))
    return [
        (name, sorted(column, key=lambda cell: _MARK.search(cell) is None))
        for name, column in zip(header, columns, strict=True)
    ]


def _unmarked(name: str, column: Sequence[str]) -> tuple[str, list[str]] | None:
    from betterthan.engine.files.marked_numbers import plain_column  # noqa: PLC0415 (most numbers are plain)

    return plain_column(name, column)


def _without_marks(header: Row, body: Sequence[Row]) -> tuple[Row, list[Row], list[str]]:
    """Return header and rows with numbers free of what is around them, and in which columns something was."""
    rows, names = [list(row) for row in body], list(header)
    changes = []
    full = [row for row in rows if len(row) == len(header)]
    for place, name in enumerate(header):
        column = [row[place] for row in full]
        if not any(map(_MARK.search, column)) or (found := _unmarked(name, column)) is None:
            continue
        names[place], plain = found
        before = max(column, key=len)
        for row, cell in zip(full, plain, strict=True):
            row[place] = cell
        changes.append(f"{names[place]}: {before} is {plain[column.index(before)]}")
    if len(changes) > 3:
        changes = [*changes[:2], f"and so on in {len(changes)} columns"]
    return names, rows, ["; ".join(changes)] if changes else []


def _plain_numbers(
    header: Row, body: Sequence[Row], delimiter: str, decimal: str | None
) -> tuple[list[Row], list[str]]:
    """Return rows with plain numbers, and which columns had others."""
    full = [row for row in body if len(row) == len(header)]
    found = {place: _notation(column) for place, column in enumerate(zip(*full, strict=True))}
    written = {place: each for place, each in found.items() if each is not None and not each.plain}
    if delimiter != ";":  # a comma in a cell may also separate two numbers
        written = {place: each for place, each in written.items() if each.certain or decimal == ","}
    known = {each.conventions[0] for each in written.values() if len(each.conventions) == 1}
    changes, rows = [], [list(row) for row in body]
    for place, notation in written.items():
        conventions: Sequence[str] = notation.with_decimal(decimal)
        if len(conventions) > 1 and len(known & set(conventions)) == 1:  # other columns show which one it is
            conventions = [*(known & set(conventions))]
        if len(conventions) > 1 and delimiter == ",":
            conventions = ["comma"]  # decimal commas go with semicolons
        if notation.conventions and len(conventions) != 1:  # nothing shows whether a comma is for thousands
            continue
        convention = conventions[0] if conventions else ""
        for row in rows:
            if place < len(row) and not is_absent(row[place]):
                row[place] = notation.number(row[place], convention)
        before = _example(full, place)
        changes.append(f"{header[place]}: {before} is {notation.number(before, convention)}")
    if len(changes) > 3:
        changes = [*changes[:2], f"and so on in {len(changes)} columns"]
    return rows, ["; ".join(changes)] if changes else []


def _notation(column: Sequence[str]) -> "Notation | None":
    if not any(_LIKE_NUMBER.match(cell) and not is_numeral(cell) for cell in column):
        return None
    cells = [cell for cell in column if not is_absent(cell)]
    return _notation_of(cells) if all(map(_LIKE_NUMBER.match, cells)) else None


def _notation_of(cells: Sequence[str]) -> "Notation | None":
    from betterthan.engine.files.number_notation import notation_of  # noqa: PLC0415 (most numbers are plain)

    return notation_of(cells)


def _example(rows: Sequence[Row], place: int) -> str:
    return max((row[place] for row in rows), key=len)


def _left_out(rows: Sequence[Row], where: str) -> list[str]:
    number = sum(map(any, rows))
    return [f"{number} row{'s' * (number > 1)} {where}"] if number else []


def _value(cell: str) -> float | None:
    """Return a number in any clear notation."""
    if is_numeral(cell):
        return float(cell)
    notation = _notation_of([cell])
    if notation is None or len(notation.conventions) > 1:
        return None
    return float(notation.number(cell, (notation.conventions or ("",))[0]))

"""Layouts of ordinary files and of evidence: no file is read to a board that a person would not expect.

Each line of layouts/*.txt has files, columns and the expected reading, with bars between them. A column is NAME=CONTENT:

- `1..5` whole numbers, `0~1` numbers, `#` the number of the row, `#/3` the same number for three rows each
- `a/b/c` these values in turn, `word` few words, `text` another text in every row
- `@more` and `@less` scores of the row's system, better for systems that are first in the alphabet; `@right` as true/false
- `@file` better scores in the first file; `@win:A/B` who of the row's two systems is better, `@name` with its name

Values are invented; names and shapes of columns are those of data sets in R and Python packages, and of real exports.
"""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import betterthan as bt

_FOLDER = Path(__file__).parent / "layouts"
_ROWS = 12
_SYSTEMS = ("aster", "birch", "cedar")
#: The share of known layouts that are read right at once. Raise it with every layout that is added.
RIGHT_AT_ONCE = 0.95


def _layouts(name: str) -> list[tuple[str, str, str]]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    parts = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(files, columns, expected) for files, columns, expected in parts]


def _share(row: int, column: int) -> float:
    """Return a number from 0 to 1 that looks random and is not."""
    return (row * 7919 + column * 10007 + row * column * 31 + 13) % 1009 / 1009


def _cell(content: str, row: int, column: int, file: int, cells: dict[str, str]) -> str:
    share = _share(row, column)
    there = [value for value in cells.values() if value in _SYSTEMS]
    if content.startswith("#"):
        return str(row // int(content[2:] or 1) + 1) if len(content) > 1 else str(row + 1)
    if content in {"@more", "@less", "@right"}:
        place = _SYSTEMS.index(there[0])
        if content == "@right":
            return "true" if row // 3 % 4 >= place + (place > 0) else "false"
        value = place + 0.1 + 0.5 * share
        return f"{value:.3f}" if content == "@less" else f"{4 - value:.3f}"
    if content == "@file":
        return f"{2 - file + 0.5 * share:.3f}"
    if content == "@name":
        return min(there)
    if content.startswith("@win:"):
        return content[5:].split("/")[there[0] > there[1]]
    if ".." in content:
        low, high = map(int, content.split(".."))
        return str(low + round(share * (high - low)))
    if "~" in content:
        low, high = map(float, content.split("~"))
        return f"{low + share * (high - low):.5g}"
    if content == "text":
        return f"text {row + 1}"
    values = ("red", "green", "blue") if content == "word" else tuple(content.split("/"))
    return values[row % len(values)]


def _rows(columns: str, file: int) -> list[dict[str, str]]:
    contents: dict[str, str] = {}
    for part in columns.split("; "):
        name, _, content = part.rpartition("=")
        contents[name] = content
    listed = [content.split("/") for content in contents.values() if "/" in content and content[0] not in "#@"]
    # A table of lists alone, such as a matrix or a leaderboard, is no longer than these.
    size = len(listed[0]) if len(listed) == len(contents) > 2 else _ROWS
    found = []
    for row in range(size):
        cells: dict[str, str] = {}
        for place, (name, content) in enumerate(contents.items()):
            cells[name] = _cell(content, row, place, file, cells)
        found.append(cells)
    return found


def _written(folder: Path, name: str, rows: list[dict[str, str]]) -> Path:
    path = folder / name
    if path.suffix == ".jsonl":
        typed = [{key: _typed(value) for key, value in row.items()} for row in rows]
        path.write_text("\n".join(map(json.dumps, typed)) + "\n", encoding="utf-8")
        return path
    sign = "\t" if path.suffix == ".tsv" else ","
    lines = [sign.join(rows[0]), *(sign.join(row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _typed(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


@cache
def _read(files: str, columns: str) -> str:
    """Return what the files are read as: the kind of evidence, and its systems from the best to the worst."""
    with TemporaryDirectory() as folder:
        paths = [_written(Path(folder), name, _rows(columns, file)) for file, name in enumerate(files.split(" + "))]
        try:
            with bt.read(paths) as evidence:
                boards = bt.rank(evidence, model="mean" if evidence.kind == "scores" else None, ci="none").boards
                orders = {" ".join(row.system for row in board.rows) for board in boards}
                return f"{evidence.kind} {' or '.join(sorted(orders))}"
        except bt.EvidenceError:
            return "refused"


@pytest.mark.parametrize(("files", "columns", "expected"), [*_layouts("ordinary.txt"), *_layouts("held_out.txt")])
def test_an_ordinary_file_is_refused(files: str, columns: str, expected: str) -> None:
    assert _read(files, columns) == expected == "refused"


@pytest.mark.parametrize(("files", "columns", "expected"), _layouts("known.txt"))
def test_a_known_layout_is_read_right_or_refused(files: str, columns: str, expected: str) -> None:
    assert _read(files, columns) in {expected, "refused"}


def test_known_layouts_are_read_at_once() -> None:
    known = [layout for layout in _layouts("known.txt") if layout[2] != "refused"]
    refused = [files for files, columns, expected in known if _read(files, columns) != expected]
    assert 1 - len(refused) / len(known) >= RIGHT_AT_ONCE, refused


def test_there_are_many_layouts() -> None:
    assert len(_layouts("ordinary.txt")) >= 200
    assert len(_layouts("held_out.txt")) >= 400
    assert len(_layouts("known.txt")) >= 140

"""Tables as people keep them, in CSV files and spreadsheets: read like the plain table, or refused in a sentence."""

import csv
from pathlib import Path

import pytest

import betterthan as bt
from tests.engine.workbooks import write_workbook

Table = list[list[str]]

HEADER = ["item", "aurora", "birch"]
PLAIN: Table = [
    HEADER,
    ["q1", "0.62", "0.5"],
    ["q2", "0.7", "0.41"],
    ["q3", "0.55", "0.6"],
    ["q4", "0.9", "0.33"],
]


def _cells(write: str) -> Table:
    """Return the plain table with its numbers in another notation, times 10,000 where thousands are grouped."""

    def cell(text: str) -> str:
        number = float(text)
        large = f"{number * 10_000:,.2f}"
        german = large.replace(",", "_").replace(".", ",").replace("_", ".")
        return {
            "percent": f"{number * 100:.0f} %",
            "percent, German": f"{number * 100:.1f}%".replace(".", ","),
            "points": f"{number * 100:.0f} points",
            "English": large,
            "German": german,
            "French": large.replace(",", "\u202f").replace(".", ","),
            "Swiss": large.replace(",", "’"),
            "decimal comma": text.replace(".", ","),
            "whole thousands": f"{number * 10_000:,.0f}",
        }[write]

    return [HEADER, *([row[0], *map(cell, row[1:])] for row in PLAIN[1:])]


AROUND: dict[str, tuple[Table, str]] = {
    "title": ([["Summaries 2025", "", ""], *PLAIN], "1 row above the header"),
    "title and blank rows": ([["Summaries"], ["", "", ""], *PLAIN], "1 row above the header"),
    "two titles": ([["Summaries"], ["March 2025"], [], *PLAIN], "2 rows above the header"),
    "lines in the header": ([["item", "aur\nora".replace("r\no", "ro"), "birch"], *PLAIN[1:]], ""),
    "mean": ([*PLAIN, ["Average", "0.69", "0.46"]], "1 row below the table"),
    "total with spaces": ([*PLAIN, [], ["Total:", "2.77", "1.84"]], "1 row below the table"),
    "mean and highest": ([*PLAIN, ["mean", "0.6925", "0.46"], ["max", "0.9", "0.6"]], "2 rows below the table"),
    "footnote": ([*PLAIN, ["* scored by two people", "", ""]], "1 row below the table"),
    "remark apart": ([*PLAIN, ["", "", ""], ["Compiled in March", "", ""]], "1 row below the table"),
    "all of it": ([["Summaries"], *PLAIN, ["Mean", "0.69", "0.46"], ["Source: ours"]], "2 rows below the table"),
}
NOTATIONS = {
    "percent": 1.0,
    "percent, German": 1.0,
    "points": 100.0,
    "English": 10_000.0,
    "German": 10_000.0,
    "French": 10_000.0,
    "Swiss": 10_000.0,
    "decimal comma": 1.0,
    "whole thousands": 10_000.0,
}


def _file(table: Table, kind: str, folder: Path) -> Path:
    if kind == "xlsx":
        return write_workbook(folder / "table.xlsx", {"Sheet1": [list(row) for row in table if row]})
    sign = {"csv": ",", "semicolons": ";", "tsv": "\t"}[kind]
    path = folder / ("table.tsv" if kind == "tsv" else "table.csv")
    with path.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target, delimiter=sign).writerows(table)
    return path


def _values(path: Path) -> list[list[float]]:
    (table,) = bt.read_scores(path).tables
    assert table.systems == ("aurora", "birch")
    return [list(map(float, row)) for row in table.values]


@pytest.mark.parametrize("kind", ["csv", "semicolons", "tsv", "xlsx"])
@pytest.mark.parametrize("case", AROUND)
def test_what_is_around_a_table_is_left_out_and_named(case: str, kind: str, tmp_path: Path) -> None:
    table, change = AROUND[case]
    path = _file(table, kind, tmp_path)
    assert _values(path) == [list(map(float, row[1:])) for row in PLAIN[1:]]
    findings = {finding.code: finding.message for finding in bt.read(path).reading.findings}
    assert change in findings.get("tidied-table", "")
    assert ("tidied-table" in findings) == bool(change)


@pytest.mark.parametrize("kind", ["csv", "semicolons", "tsv", "xlsx"])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_numbers_are_read_in_the_notation_of_their_column(notation: str, kind: str, tmp_path: Path) -> None:
    if (notation, kind) == ("whole thousands", "xlsx"):
        kind = "csv"  # between semicolons or in a sheet, 6,200 may be 6.2
    path = _file(_cells(notation), kind if notation != "whole thousands" else "csv", tmp_path)
    assert [value for row in _values(path) for value in row] == pytest.approx(
        [NOTATIONS[notation] * float(cell) for row in PLAIN[1:] for cell in row[1:]]
    )


def test_the_finding_shows_how_numbers_were_read(tmp_path: Path) -> None:
    path = _file(_cells("German"), "semicolons", tmp_path)
    (finding,) = bt.read(path).reading.findings
    assert finding.message == (
        "Left out or read in another notation: aurora: 6.200,00 is 6200.00; birch: 5.000,00 is 5000.00."
    )


UNCLEAR: dict[str, Table] = {
    "totals that are none": [*PLAIN, ["Total", "9.9", "1.84"]],
    "two rows of names": [
        ["item", "aurora", "", "birch", ""],
        ["", "bleu", "chrf", "bleu", "chrf"],
        ["q1", "1", "2", "3", "4"],
        ["q2", "1", "2", "3", "4"],
    ],
    "a comma and a point": [HEADER, ["q1", "0,5", "0.5"], ["q2", "0.5", "0,7"], ["q3", "0,1", "0,2"]],
    "pairs of numbers": [HEADER, ["q1", "12,13", "1,2"], ["q2", "3,14", "2,7"], ["q3", "1,1", "4,2"]],
    "per cent of some": [HEADER, ["q1", "50 %", "0.5"], ["q2", "0.7", "20 %"], ["q3", "1", "2"]],
}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("case", UNCLEAR)
def test_what_may_mean_two_things_is_refused(case: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(bt.EvidenceError):
        bt.read(_file(UNCLEAR[case], kind, tmp_path))


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_times_of_systems_keep_their_unit(kind: str, tmp_path: Path) -> None:
    rows = [HEADER, *([row[0], f"{row[1]} ms", f"{row[2]} ms"] for row in PLAIN[1:])]
    table = bt.read_scores(_file(rows, kind, tmp_path)).tables[0]
    assert (table.systems, table.metric, table.negated) == (("aurora (ms)", "birch (ms)"), "time", True)


def test_two_rows_of_names_are_shown(tmp_path: Path) -> None:
    path = _file(UNCLEAR["two rows of names"], "csv", tmp_path)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read(path)
    assert str(refusal.value) == (
        f"{path}: has two rows of names: item, aurora, birch … above bleu, chrf, bleu, chrf …. Keep one table for each "
        "name in the upper row, or give one row per item, system and metric."
    )


@pytest.mark.parametrize("sign", [".", ","])
def test_a_decimal_sign_decides_what_a_comma_is(sign: str, tmp_path: Path) -> None:
    path = _file(_cells("whole thousands"), "semicolons", tmp_path)
    found = bt.read_scores(path, decimal=sign).tables[0].values[0].tolist()
    assert found == ([6200.0, 5000.0] if sign == "." else [6.2, 5.0])


@pytest.mark.parametrize(
    "last",
    [["q5", "", ""], ["Anna", "0.5", "0.4"], ["mean", "0.1", "0.2"], ["Total", "", ""]],
)
def test_rows_of_data_are_never_left_out(last: list[str], tmp_path: Path) -> None:
    """An item without scores, a name, a mean that is none: they stay, or the table is refused."""
    path = _file([*PLAIN, last], "csv", tmp_path)
    try:
        read = bt.read_scores(path)
    except bt.EvidenceError:
        return
    assert last[0] in read.tables[0].items
    assert not read.reading.findings


def test_a_plain_file_is_not_written_again(tmp_path: Path) -> None:
    path = _file(PLAIN, "csv", tmp_path)
    assert bt.read(path).reading.findings == ()
    from betterthan.engine.files.tidy_tables import tidied_file

    assert tidied_file(path, None, None, "") is None


def test_a_short_row_below_two_rows_of_names_is_no_error_of_ours(tmp_path: Path) -> None:
    for last in ("", "1,2"):
        (tmp_path / "table.csv").write_text(f"x,a,,,\n,b,c,d,e\n{last}\n1,2,3,4,5\n")
        with pytest.raises(bt.EvidenceError):
            bt.read(tmp_path / "table.csv")


def test_letters_of_another_encoding_are_never_replaced(tmp_path: Path) -> None:
    rows = "".join(f"q{n},{n}0 %,{n}5 %\n" for n in range(1, 6))
    (tmp_path / "table.csv").write_bytes(f"item,größe,birch\n{rows}".encode("latin-1"))
    with pytest.raises(bt.EvidenceError):
        bt.read(tmp_path / "table.csv")
    assert bt.read(tmp_path / "table.csv", encoding="latin-1").tables[0].systems == ("birch", "größe")

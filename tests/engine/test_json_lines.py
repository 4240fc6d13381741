"""JSON lines: every key is found, the columns that are asked for are read once, and the rest is left alone."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.engine.duckdb.file_table import FileTable, open_files
from betterthan.engine.duckdb.json_keys import LONGEST
from betterthan.engine.files.input_files import Opening


def _write(place: Path, lines: list[Any], end: str = "\n") -> Path:
    place.write_bytes(end.join(line if isinstance(line, str) else json.dumps(line) for line in lines).encode())
    return place


def _vote(number: int) -> dict[str, Any]:
    talk = [{"role": "user", "content": f'a "quoted" text\n\x01 with more than one line {number}'}]
    return {
        "prompt": f"p{number % 30}",
        "user": f"u{number % 11}",
        "model_a": "owl",
        "model_b": "yak" if number % 2 else "elk",
        "winner": "aab"[number % 3],
        "conversation": talk * 5,
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_keys_are_found_in_the_order_in_which_they_appear(tmp_path: Path, end: str) -> None:
    lines = [{"a": 1, "b": {"c": [1]}}] * 30_000 + [{"b": 2, "late, key": "x", "a": None}, {"z": True}]
    table = open_files([_write(tmp_path / "votes.jsonl", lines, end)])
    assert table.columns == ("a", "b", "late, key", "z")
    assert table.unique(["a", "late, key"]) == (30_002, 1, 1)


@pytest.mark.parametrize(
    "odd",
    [
        ["{}"],
        ['{"a": 1, "a": 2}'],
        ["[1, 2]"],
        ['{"": 1}'],
        ['{"A": 1}', '{"a": 1}'],
        ["3"],
        ['{"a": '],
        ["null"],
        [""],
    ],
    ids=str,
)
@pytest.mark.parametrize("on_error", ["refuse", "skip"])
def test_odd_lines_are_read_or_refused_as_by_those_who_find_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: list[str], on_error: Any
) -> None:
    place = _write(tmp_path / "votes.jsonl", [{"a": 1, "b": "x"}, *odd, {"a": 2, "b": "y"}])

    def found() -> Any:
        try:
            table = open_files([place], Opening(on_error=on_error))
            distinct = table.distinct(table.columns)
        except bt.EvidenceError as error:
            return str(error)
        rows = zip(*(column.texts().tolist() for column in distinct.columns.values()), strict=True)
        return table.columns, sorted(rows, key=str)  # distinct rows have no order

    ours = found()
    monkeypatch.setattr("betterthan.engine.duckdb.json_keys.keys_of_lines", lambda *_: None)
    assert str(ours) == str(found())


def test_the_columns_of_judgments_are_read_once(tmp_path: Path) -> None:
    votes = [_vote(number) for number in range(400)]
    place = _write(tmp_path / "votes.jsonl", votes)
    evidence = bt.read_judgments(place, item="prompt", judge="user")
    boards = bt.rank(evidence, resamples=50, buckets=5)
    assert isinstance(evidence.table, FileTable)
    assert evidence.table.scans == 1
    plain = {name: [vote[name] for vote in votes] for name in votes[0] if name != "conversation"}
    assert list(boards.board) == list(
        bt.rank(bt.read_judgments(plain, item="prompt", judge="user"), resamples=50, buckets=5).board
    )


def test_bad_rows_are_found_where_they_are(tmp_path: Path) -> None:
    votes = [_vote(number) for number in range(50)]
    votes[30]["winner"] = "nobody"
    place = _write(tmp_path / "votes.jsonl", votes)
    with pytest.raises(bt.EvidenceError, match=r"votes\.jsonl, row 31: unknown outcome 'nobody'"):
        bt.rank(bt.read_judgments(place, item="prompt", judge="user"), ci="none")


@pytest.mark.parametrize(
    ("lines", "columns", "rows"),
    [
        ([{"a": 1, "b": 2}] * 5000, ("a", "b"), 5000),
        ([{"a": 1, "b": 2}, {"b": 1, "a": 2}], ("a", "b"), 2),
        ([{"a": 1, "b": 2}, {"a": 1, "c": 2}], ("a", "b", "c"), 2),
        ([{"a": 1}, {"b": 1}] * 3000, ("a", "b"), 6000),
        ([{"a": 1}, "", {"a": 1}], ("a",), None),
    ],
)
def test_lines_are_counted_while_their_keys_are_found(
    tmp_path: Path, lines: list[Any], columns: tuple[str, ...], rows: int | None
) -> None:
    table = open_files([_write(tmp_path / "votes.jsonl", lines)])
    assert table.columns == columns
    assert table.opened.parts[0].rows == rows
    assert table.unique([])[0] == sum(bool(line) for line in lines)


@pytest.mark.parametrize("size", [LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + 3_000_000])
def test_long_lines_are_read_whole(tmp_path: Path, size: int) -> None:
    short, around = {"a": "x", "b": "y"}, len(json.dumps({"a": "", "b": "y"}))
    long = {"a": "z" * (size - around), "b": "y"}
    table = open_files([_write(tmp_path / "votes.jsonl", [short, long, short])])
    assert table.columns == ("a", "b")
    found = table.distinct(["a"])
    assert sorted(map(len, found.columns["a"].labels)) == [1, size - around]
    assert found.times.sum() == 3


def test_columns_are_kept_where_rows_are_few_enough_and_read_again_where_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = open_files([_write(tmp_path / "few.jsonl", [_vote(number) for number in range(30)])])
    many = open_files([_write(tmp_path / "many.jsonl", [_vote(number) for number in range(31)])])
    odd = open_files([_write(tmp_path / "odd.jsonl", [_vote(0), "", _vote(1)])])
    monkeypatch.setattr("betterthan.engine.duckdb.file_table._KEPT_ROWS", 30)
    assert few.kept(["winner"]) is not few
    assert many.kept(["winner"]) is many
    assert odd.kept(["winner"]) is not odd

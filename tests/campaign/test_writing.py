"""Exports: nothing is lost in the exact one, each gives the same leaderboard, and spreadsheets run nothing."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.base.errors import BetterthanError
from betterthan.campaign.exports.export_tables import safe_cell, write_exact, write_spreadsheet, write_table

NAMES = ("owl", "yak", "elk", "fox", "emu")


def answers(
    ways: tuple[int, ...] = (2,),
    number: int = 80,
    names: tuple[str, ...] = NAMES,
    criteria: tuple[str, ...] = ("overall",),
) -> list[dict[str, Any]]:
    """Return answers of simulated judges, of whom everything is known or nothing beyond what is needed."""
    rng, found = np.random.default_rng(7), []
    for task in range(number):
        systems = [names[place] for place in rng.permutation(len(names))[: ways[task % len(ways)]]]
        for criterion in criteria:
            seen = [round(names.index(name) + rng.normal(0, 1.5)) for name in systems]
            ranks = [1 + sum(other < mine for other in seen) for mine in seen]
            full = task % 3 > 0
            found.append(
                {
                    "task": f"t{task}",
                    "item": f"item, {task % 20}",
                    "judge": f"judge-{task % 6}",
                    "criterion": criterion,
                    "systems": systems,
                    "ranks": ranks,
                    "chance": 0.125,
                    "item_chance": 0.25 if full else None,
                    "version": 4,
                    "seconds": 3.25 if full else None,
                    "late": not full,
                    "reason": '=HYPERLINK("https://evil.example")\nline "two", ü' if full else "",
                    "tags": ["+x", "y"] if full else [],
                    "both_bad": False,
                    "strength": 2 if full else None,
                    "given_at": 1.7e9 + task,
                    "answered_at": 1.7e9 + task + 3.25,
                    "settings": 1,
                }
            )
    return found


def board(path: Path) -> list[Any]:
    boards = bt.rank(str(path), resamples=60, seed=1, unit="item").boards
    return [
        (each.title, [(row.system, row.score, row.low, row.high, row.rank_low, row.rank_high) for row in each])
        for each in boards
    ]


WRITERS: dict[str, Callable[..., int]] = {
    "a.jsonl": write_exact,
    "a.csv": write_table,
    "a.tsv": write_table,
    "a.csv.gz": write_table,
    "a.parquet": write_table,
}


@pytest.mark.parametrize("ways", [(2,), (5,), (2, 3, 5)])
@pytest.mark.parametrize("criteria", [("overall",), ("fluency", "accuracy")])
def test_every_export_gives_the_same_leaderboards(
    tmp_path: Path, ways: tuple[int, ...], criteria: tuple[str, ...]
) -> None:
    rows = answers(ways, criteria=criteria)
    found = []
    for name, write in WRITERS.items():
        assert write(tmp_path / name, iter(rows)) == len(rows)
        found.append(board(tmp_path / name))
    assert len(found[0]) == len(criteria)
    for other in found[1:]:
        for (title, one), (also, two) in zip(found[0], other, strict=True):
            assert title == also
            assert [row[0] for row in one] == [row[0] for row in two]
            np.testing.assert_allclose(
                np.array([row[1:] for row in one], dtype=float),
                np.array([row[1:] for row in two], dtype=float),
                rtol=1e-6,
            )


def test_the_leaderboard_is_that_of_the_judgments_themselves(tmp_path: Path) -> None:
    """An oracle that no export went through."""
    rows = answers()
    word = {-1: "left", 0: "tie", 1: "right"}
    votes = [(*row["systems"], word[int(np.sign(row["ranks"][0] - row["ranks"][1]))]) for row in rows]
    expected = {row.system: row.score for row in bt.rank(votes, ci="none").board}
    write_table(tmp_path / "a.csv", rows)
    assert {row.system: row.score for row in bt.rank(str(tmp_path / "a.csv"), ci="none").board} == pytest.approx(
        expected, rel=1e-9
    )


def test_the_exact_export_is_exact(tmp_path: Path) -> None:
    rows = answers((2, 4), criteria=("x", "y"))
    write_exact(tmp_path / "a.jsonl", rows)
    read = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]
    for line, row in zip(read, rows, strict=True):
        shown, _, dataset = line.pop("shown"), line.pop("order"), line.pop("dataset")
        line |= {"systems": [card["system"] for card in shown], "ranks": [card["rank"] for card in shown]}
        assert line == row
        assert dataset == row["criterion"]


def test_ties_stand_together_in_the_order(tmp_path: Path) -> None:
    row = {**answers((3,), 1)[0], "systems": ["a1", "b1", "c1"], "ranks": [2, 1, 2]}
    write_exact(tmp_path / "a.jsonl", [row])
    assert json.loads((tmp_path / "a.jsonl").read_text())["order"] == [["b1"], ["a1", "c1"]]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.parquet"])
def test_tables_keep_texts_sides_and_times(tmp_path: Path, name: str) -> None:
    rows = answers()
    write_table(tmp_path / name, rows)
    from betterthan.readers.open_tables import open_table

    with open_table(str(tmp_path / name)) as table:
        found = table.rows(table.columns)
        columns = {column: list(values) for column, values in found.columns.items()}
    assert columns["left"] == [row["systems"][0] for row in rows]
    assert columns["item"] == [row["item"] for row in rows]
    assert columns["reason"] == [row["reason"] or None for row in rows]
    assert columns["time"][0] == "2023-11-14T22:13:23.250+00:00"
    assert [None if text is None else float(text) for text in columns["seconds"]] == [row["seconds"] for row in rows]
    assert bt.read(str(tmp_path / name)).kind == "judgments"


AWKWARD = (
    "left",
    "tie",
    "a",
    "b",
    "7",
    "007",
    "1.0",
    "NA",
    "null",
    "x > y",
    "p = q",
    'say "hi"',
    "two\nlines",
    "c,d",
    "=1+1",
    "ü 日本",
    "model_a",
)


@pytest.mark.parametrize(("way", "names"), [(2, AWKWARD), (4, AWKWARD), (2, ("left", "right")), (2, ("b", "a"))])
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_systems_may_be_called_anything(tmp_path: Path, way: int, names: tuple[str, ...], name: str) -> None:
    rows = answers((way,), 200, names)
    WRITERS[name](tmp_path / name, rows)
    wins = dict.fromkeys(names, 0.0)  # by hand: half of every tie
    for row in rows:
        for system, rank in zip(row["systems"], row["ranks"], strict=True):
            wins[system] += sum((rank < other) + 0.5 * (rank == other) for other in row["ranks"]) - 0.5
    # Of two systems called like sides, orders look like words for a side: they are read where they are named.
    sides = name == "a.jsonl" and len(names) == 2
    read = bt.read(str(tmp_path / name), orders="order") if sides else bt.read(str(tmp_path / name))
    assert {row.system: row.score for row in bt.rank(read, model="count", ci="none").board} == wins


@pytest.mark.parametrize("number", [1, 2, 50])
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
@pytest.mark.parametrize("way", [2, 3])
def test_few_judgments_and_such_without_ties_are_read_too(tmp_path: Path, number: int, name: str, way: int) -> None:
    rows = [{**row, "ranks": list(range(1, way + 1))} for row in answers((way,), number)]
    WRITERS[name](tmp_path / name, rows)
    assert set(bt.read(str(tmp_path / name)).systems) == {system for row in rows for system in row["systems"]}


# --- spreadsheets -----------------------------------------------------------------------------------------------------


def test_no_cell_of_a_spreadsheet_is_a_formula(tmp_path: Path) -> None:
    names = ("=cmd", "+1", "-1", "@sum", "\tx", "plain")
    rows = answers((3,), 40, names)
    write_spreadsheet(tmp_path / "a.csv", rows)
    text = (tmp_path / "a.csv").read_bytes()
    assert text.startswith(b"\xef\xbb\xbf")
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = list(csv.DictReader(file))
    assert not [cell for row in cells for cell in row.values() if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert {row["system"] for row in cells} == {"'=cmd", "'+1", "'-1", "'@sum", "'\tx", "plain"}
    assert {row["reason"] for row in cells} == {"", '\'=HYPERLINK("https://evil.example")\nline "two", ü'}
    assert {row["tags"] for row in cells} == {"", "'+x, y"}


def test_plain_tables_are_not_escaped(tmp_path: Path) -> None:
    write_table(tmp_path / "a.csv", answers((2,), 30, ("=cmd", "-1")))
    assert {row.system for row in bt.rank(str(tmp_path / "a.csv"), ci="none").board} == {"=cmd", "-1"}


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        ("=1", "'=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("＝1", "'＝1"),
        (-1, -1),
        (None, None),
        ("", ""),
        ("a=1", "a=1"),
        ("'x", "'x"),
    ],
)
def test_cells_are_escaped_by_their_beginning(value: Any, safe: Any) -> None:
    assert safe_cell(value) == safe


# --- whole or not at all ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_exact, write_table, write_spreadsheet])
def test_a_failed_export_leaves_the_old_file(tmp_path: Path, write: Callable[..., int]) -> None:
    place = tmp_path / "a.csv"
    place.write_text("old")

    def broken() -> Any:
        yield answers()[0]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        write(place, broken())
    assert place.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]
    with pytest.raises(BetterthanError, match="cannot be written"):
        write(tmp_path / "none" / "a.csv", answers())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ranks": [1]}, "answer 1: the ranks [1] do not fit the systems ['owl', 'yak']"),
        ({"systems": ["owl", "owl"]}, "answer 1: the ranks [1, 2] do not fit the systems ['owl', 'owl']"),
        ({"systems": ["owl"], "ranks": [1]}, "answer 1: the ranks [1] do not fit the systems ['owl']"),
    ],
)
def test_impossible_answers_are_refused(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    row = {**answers()[0], "systems": ["owl", "yak"], "ranks": [1, 2], **change}
    with pytest.raises(BetterthanError) as refused:
        write_table(tmp_path / "a.csv", [row])
    assert str(refused.value) == sentence


def test_what_was_answered_twice_or_never_is_refused(tmp_path: Path) -> None:
    [row] = answers(number=1)
    with pytest.raises(BetterthanError, match="answer 2: the task 't0' has two answers to 'overall'"):
        write_exact(tmp_path / "a.jsonl", [row, row])
    with pytest.raises(BetterthanError, match="there are no judgments yet"):
        write_exact(tmp_path / "a.jsonl", [])
    with pytest.raises(BetterthanError, match="answer 1: it has no judge"):
        write_table(tmp_path / "a.csv", [{name: value for name, value in row.items() if name != "judge"}])
    with pytest.raises(BetterthanError, match="unknown ending"):
        write_table(tmp_path / "a.doc", [row])
    assert not list(tmp_path.iterdir())

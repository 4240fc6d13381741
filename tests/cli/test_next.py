"""`betterthan next`: formats, tasks that come back, and what is refused."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import betterthan as bt
from betterthan import demo
from betterthan.base import spelling
from tests.cli.conftest import Answer

Run = Callable[..., Answer]


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def _pair(row: dict[str, str]) -> frozenset[str]:
    return frozenset((row["left"], row["right"]))


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    place = tmp_path / "votes.csv"
    lines = ["owl,yak,left,i1,ann"] * 3 + ["owl,yak,right,i2,bob"] + ["yak,elk,tie,i1,ann", "owl,elk,left,i2,bob"]
    place.write_text("left,right,outcome,item,judge\n" + "\n".join(lines) + "\n")
    return place


def test_every_format(run: Run) -> None:
    arguments = ("next", demo.path("arena.csv.gz"), "-n", "3", "--margin", "0.05", "--seed", "2")
    with spelling.spell_for("command line"):
        expected = bt.next_matches(demo.path("arena.csv.gz"), 3, margin=0.05, seed=2)
    document = json.loads(run(*arguments, "--format", "json").out, parse_constant=pytest.fail)
    assert document == json.loads(json.dumps(expected.to_dict()))
    rows = _read(run(*arguments, "--format", "csv").out)
    assert list(rows[0]) == ["left", "right", "probability", "units", "share", "low", "high", "needed"]
    assert [(row["left"], row["right"]) for row in rows] == [match.systems for match in expected]
    assert [float(row["probability"]) for row in rows] == [match.probability for match in expected]
    assert run(*arguments).out == expected.to_text() + "\n"
    for form, start in (("markdown", "|"), ("latex", "\\begin"), ("html", "<")):
        assert run(*arguments, "--format", form).out.lstrip().startswith(start)


def test_policies_are_listed(run: Run) -> None:
    answer = run("next", "--policies")
    assert answer.code == 0
    for name in ("information", "trueskill-quality", "uncertain", "uniform", "unresolved", "wmt"):
        assert any(line.strip().startswith(name) for line in answer.out.splitlines())


def test_a_collection_from_its_first_task(run: Run) -> None:
    rows = _read(run("next", "--add", "owl, yak,elk", "--policy", "uniform", "-n", "6", "--format", "csv").out)
    assert len(rows) == 6
    assert {name for row in rows for name in _pair(row)} <= {"owl", "yak", "elk"}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tasks_that_were_handed_out_count(run: Run, votes: Path, tmp_path: Path, ending: str) -> None:
    tasks = tmp_path / f"tasks.{ending}"
    (tmp_path / "items.txt").write_text("i1\ni2\n\ni3\n")
    choices = (
        "--per-pair",
        "5",
        "--policy",
        "uniform",
        "--items",
        tmp_path / "items.txt",
        "--judges",
        "ann,bob,eve",
        "--unit",
        "row",
        "--per-item",
        "9",
    )
    assert run("next", votes, "-n", "4", *choices, "-o", tasks).code == 0
    first = bt.next_matches(
        votes,
        4,
        policy="uniform",
        per_pair=5,
        per_item=9,
        items=["i1", "i2", "i3"],
        judges=["ann", "bob", "eve"],
        unit="row",
    )
    later = _read(run("next", votes, "-n", "40", *choices, "--outstanding", tasks, "--format", "csv").out)
    before = Counter({frozenset({"owl", "yak"}): 4, frozenset({"yak", "elk"}): 1, frozenset({"owl", "elk"}): 1})
    before.update(frozenset(match.systems) for match in first)
    before.update(_pair(row) for row in later)
    assert max(before.values()) <= 5
    assert len(later) == 5
    items = Counter(match.item for match in first) + Counter(row["item"] for row in later)
    items.update({"i1": 4, "i2": 2})
    assert max(items.values()) <= 9
    without = _read(run("next", votes, "-n", "40", *choices, "--format", "csv").out)
    assert len(without) == 9


def test_larger_sets_come_back_too(run: Run, votes: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.csv"
    choices = ("--way", "3", "--policy", "uniform", "--add", "fox", "--exclude", "owl,fox", "--per-pair", "2")
    run("next", votes, "--unit", "row", "-n", "2", *choices, "-o", tasks)
    written = _read(tasks.read_text())
    assert list(written[0]) == ["system_1", "system_2", "system_3", "probability"]
    later = _read(
        run("next", votes, "--unit", "row", "-n", "9", *choices, "--outstanding", tasks, "--format", "csv").out
    )
    met: Counter[frozenset[str]] = Counter()
    for row in [*written, *later]:
        names = sorted(row[f"system_{place}"] for place in (1, 2, 3) if row[f"system_{place}"])
        met.update(frozenset((one, two)) for one in names for two in names if one < two)
    assert frozenset({"owl", "fox"}) not in met
    assert frozenset({"owl", "yak"}) not in met  # judged four times already
    assert max(met.values()) <= 2


def test_names_may_have_room_between_them(run: Run, votes: Path) -> None:
    arguments = ("next", votes, "-n", "20", "--policy", "uniform", "--format", "csv", "--exclude")
    assert run(*arguments, "owl, yak").out == run(*arguments, "owl,yak").out


def test_counted_judgments(run: Run, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("left,right,wins,ties,losses\nowl,yak,30,0,4\nyak,elk,5,2,5\n")
    for policy in ("unresolved", "wmt", "uncertain", "information"):
        answer = run("next", tmp_path / "counts.csv", "--counts", "wins,ties,losses", "--policy", policy)
        assert answer.code == 0, answer.err
        assert answer.out.startswith("1 of 3 pairs is settled (1 separated), however often you look.")
        assert "\n46 judgments" in answer.out


def test_text_fits_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("betterthan.cli.shared.result_output.terminal_width", lambda: 80)
    monkeypatch.setattr("betterthan.cli.next.terminal_width", lambda: 80)
    for more in ((), ("--way", "5"), ("--items", "evidence", "--judges", "evidence", "--margin", "0.05")):
        lines = run("next", demo.path("arena.csv.gz"), *more).out.splitlines()
        assert all(len(line) <= 80 for line in lines[:-1]), lines
    assert all(len(line) <= 80 for line in run("next", "--policies").out.splitlines())


def test_what_is_asked_for_is_said_in_the_help(run: Run) -> None:
    text = run("next", "--help").out
    for option in ("--policy", "--way", "--outstanding", "--items", "--judges", "--per-pair", "--margin", "--exclude"):
        assert option in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there must be at least two systems. Give evidence, or name new systems: --add."),
        (["--add", "owl"], "there must be at least two systems."),
        (["votes.csv", "--policy", "greedy"], "unknown policy 'greedy'; known: information, "),
        (["votes.csv", "--policy", "wmt(x=1)"], "wmt: unknown option 'x=1'; known: none (as name=value)."),
        (["votes.csv", "--policy", ""], "unknown policy ''"),
        (["votes.csv", "--way", "5"], "way is 5, but there are 3 systems. Rank at most 3 at once."),
        (["votes.csv", "--exclude", "owls"], "the excluded system 'owls' does not exist. Did you mean 'owl'?"),
        (["votes.csv", "--exclude", "owl,"], "the excluded system '' does not exist."),
        (["votes.csv", "--margin", "0.6"], "margin must be a number above 0 and below 0.5, got 0.6"),
        (["votes.csv", "--level", "2"], "level must be"),
        (["votes.csv", "--per-item", "3"], "--per-item limits items, but no items are given. Name them with --items."),
        (
            ["votes.csv", "--per-judge", "0", "--judges", "ann"],
            "--per-judge must be a whole number from 1 to 1,000,000,000, got 0.",
        ),
        (
            ["votes.csv", "--items", "nowhere.txt"],
            "--items takes 'evidence' or a file with one item a line; there is no file nowhere.txt.",
        ),
        (["votes.csv", "--items", "empty.txt"], "--items: empty.txt is empty. Give a file with one item a line."),
        (
            ["votes.csv", "--items", "latin.txt"],
            "--items: latin.txt is no text in UTF-8. Give a file with one item a line.",
        ),
        (
            ["plain.csv", "--items", "evidence"],
            "the evidence has no item column. Name the items themselves, or leave them out.",
        ),
        (["plain.csv", "--unit", "item"], "item"),
        (["votes.csv", "--judges", ","], "judges"),
        (["votes.csv", "--judges", ""], "judges"),
        (["votes.csv", "--outstanding", "scores.csv"], "no columns for the systems to compare; the columns are"),
        (["votes.csv", "--outstanding", "missing.csv"], "missing.csv"),
        (["votes.csv", "--outstanding", "empty.txt"], "empty.txt"),
        (["scores.csv"], "To plan how many items you need, use betterthan power."),
        (["votes.csv", "--seed", "-1"], "seed must be a whole number of at least 0, got -1."),
        (["votes.csv", "-n", "-3"], "n must be a whole number from 0 to 100,000, got -3."),
        (["votes.csv", "-o", "tasks.xyz"], "cannot tell the format from its ending"),
        (["sets.csv", "--dataset", "set"], "is of one metric and data set, and there are 2"),
        (["missing.csv"], "missing.csv"),
    ],
)
def test_what_is_refused(
    run: Run, votes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert votes.parent == tmp_path
    (tmp_path / "plain.csv").write_text("left,right,outcome\nowl,yak,left\nyak,elk,tie\n")
    (tmp_path / "scores.csv").write_text("item,owl,yak\n1,0.5,0.7\n2,0.1,0.9\n")
    (tmp_path / "sets.csv").write_text("left,right,outcome,set\nowl,yak,left,news\nowl,yak,tie,chat\n")
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "latin.txt").write_bytes("caf\xe9\n".encode("latin-1"))
    answer = run("next", *arguments)
    assert message in answer.err
    assert "an error of betterthan itself" not in answer.err
    assert (answer.code, answer.out) == (2, "")

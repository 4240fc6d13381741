"""Names of systems to publish: from every kind of file, for every kind of evidence, and refusals."""

from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan import EvidenceError

VOTES = [("owl-7b", "yak", "owl-7b"), ("yak", "elk", "left"), ("elk", "owl-7b", "left")] * 4
FULL = {"name": "Owl", "group": "Birds", "colour": "#00629b", "link": "https://example.org/owl", "licence": "MIT"}


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("n.csv", "system,name,group,color,url,license\nowl-7b,Owl,Birds,#00629b,https://example.org/owl,MIT\n"),
        (
            "n.toml",
            '[owl-7b]\nname = "Owl"\ngroup = "Birds"\ncolour = "#00629b"\nlink = "https://example.org/owl"\nlicence = "MIT"\n',
        ),
        (
            "n.json",
            '{"owl-7b": {"name": "Owl", "group": "Birds", "colour": "#00629b", "link": "https://example.org/owl", "licence": "MIT"}}',
        ),
        (
            "list.json",
            '[{"system": "owl-7b", "name": "Owl", "group": "Birds", "colour": "#00629b", "link": "https://example.org/owl", "licence": "MIT"}]',
        ),
    ],
)
def test_every_kind_of_file_says_the_same(tmp_path: Path, name: str, text: str) -> None:
    rows: Any = {side: [row[place] for row in VOTES] for place, side in enumerate(("left", "right", "winner"))}
    board = bt.rank(rows, ci="none", names=saved(tmp_path, name, text)).board
    assert {row.system for row in board} == {"Owl", "yak", "elk"}
    record = next(record for record in board.records if record["system"] == "Owl")
    assert {part: record[part] for part in ("group", "colour", "link", "licence")} == {
        part: value for part, value in FULL.items() if part != "name"
    }
    assert "Birds" in board.to_text()


def test_scores_and_rankings_are_renamed_too() -> None:
    scores = bt.rank({"owl": [3, 5, 4], "yak": [2, 1, 9]}, names={"owl": "Owl"}, model="mean", ci="none")
    assert {row.system for row in scores.board} == {"Owl", "yak"}
    rankings = bt.read({"owl": [1, 1, 2], "yak": [2, 2, 1]}, "rankings", names={"yak": "Yak"})
    assert set(rankings.systems) == {"owl", "Yak"}
    assert {row.system for row in bt.rank(rankings, ci="none").board} == {"owl", "Yak"}


def test_scores_are_the_same_under_any_name() -> None:
    rows: Any = {side: [row[place] for row in VOTES] for place, side in enumerate(("left", "right", "winner"))}
    plain = bt.rank(rows, resamples=50).board
    named = bt.rank(rows, resamples=50, names={"owl-7b": "Zebra", "yak": "Ant"}).board
    called = {"owl-7b": "Zebra", "yak": "Ant", "elk": "elk"}
    assert {called[row.system]: (row.score, row.low, row.rank) for row in plain} == {
        row.system: (row.score, row.low, row.rank) for row in named
    }


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"owl-7b": "yak"}, "names: 'owl-7b' and 'yak' are both called 'yak'. Give every system a name of its own."),
        ({"cat": "Cat"}, None),
        ({"yak": {"logo": "x"}}, "names: 'yak' has 'logo'; allowed: name, group, colour, link, licence"),
        ({"yak": {"colour": "red"}}, "names: the colour of 'yak' is 'red'. Write it as #00629b."),
        (
            {"yak": {"link": "javascript:alert(1)"}},
            "names: the link of 'yak' is 'javascript:alert(1)'. Write an address with https://.",
        ),
        ({}, "names: there are no names. Name at least one system."),
    ],
)
def test_wrong_names_are_refused(names: Any, message: str | None) -> None:
    rows: Any = {side: [row[place] for row in VOTES] for place, side in enumerate(("left", "right", "winner"))}
    with pytest.raises(EvidenceError) as refused:
        bt.rank(rows, ci="none", names=names)
    if message is not None:
        assert str(refused.value).rstrip(".") == message.rstrip(".")


def test_a_name_for_a_system_that_is_not_there_is_said() -> None:
    rows: Any = {side: [row[place] for row in VOTES] for place, side in enumerate(("left", "right", "winner"))}
    found = bt.rank(rows, ci="none", names={"yak": "Yak", "cat": "Cat"}).findings
    assert [finding.message for finding in found if finding.code == "names-unused"] == [
        "names names 'cat', which the evidence does not have."
    ]

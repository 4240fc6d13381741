"""`betterthan power`: from a file, from two runs, from numbers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import betterthan as bt
from betterthan import demo
from tests.cli.conftest import Answer

Run = Callable[..., Answer]


def test_two_systems_of_a_file(run: Run) -> None:
    document = json.loads(run("power", demo.path("scores.csv.gz"), "aurora", "birch", "--format", "json").out)
    assert document == bt.power(demo.path("scores.csv.gz"), "aurora", "birch").to_dict()
    arguments = ("power", demo.path("arena.csv.gz"), "aurora", "birch", "--win-share", "0.6", "--power", "0.9")
    assert run(*arguments).out.startswith("To detect a win share of 0.6 with power 0.9")
    assert json.loads(run(*arguments, "--format", "json").out)["power"] == 0.9


def test_two_runs_with_groups(run: Run, tmp_path: Path) -> None:
    for name, shift in (("new", 0.3), ("old", 0.0)):
        rows = "".join(f"{place},d{place // 4},{place * 7919 % 31 / 10 + shift * (place % 5)}\n" for place in range(40))
        (tmp_path / f"{name}.csv").write_text(f"id,document,score\n{rows}")
    files = [tmp_path / "new.csv", tmp_path / "old.csv"]
    document = json.loads(run("power", *files, "--group", "document", "--format", "json").out)
    assert (document["n"], document["units"]) == (40, 10)
    assert document["needs"][0]["groups"] is not None
    assert "|unit:group|" in document["signature"]


def test_from_numbers(run: Run) -> None:
    assert "the t test needs 1,133 items." in run("power", "--sd", "12", "--difference", "1").out
    assert "the sign test needs 1,147 judgments." in run("power", "--win-share", ".55", "--tie-share", ".3").out
    assert run("power", "--sd", "12", "--difference", "1", "--format", "csv").out.splitlines() == [
        "what,value,needed,groups,more",
        "asked,1.0,1133,,",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [],
            "a plan needs evidence and two systems, or numbers. For scores give --sd and --difference; for judgments "
            "--win-share and, if there are ties, --tie-share.",
        ),
        (
            ["--sd", "12", "--difference", "1", "--power", "1"],
            "power must be a number above 0 and below 1, got 1.0; 80 % is 0.8.",
        ),
        (["one.csv", "a"], "give FILE A B (two systems of a file), or two files to be matched by item."),
        (
            ["one.csv", "a", "b", "--sd", "1"],
            "--sd is taken from the evidence. Leave it out, or plan without evidence.",
        ),
    ],
)
def test_what_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.csv").write_text("item,a,b\n1,1.5,2\n2,3,1\n")
    answer = run("power", *arguments)
    assert answer.code == 2
    assert message in answer.err

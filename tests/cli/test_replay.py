"""`betterthan replay`: formats, and what is refused."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import joblib
import pytest

import betterthan as bt
from tests.cli.conftest import Answer

Run = Callable[..., Answer]
FEW = ("--runs", "2", "--budget", "200", "--batch", "50", "--resamples", "20")


@pytest.fixture(autouse=True)
def _in_one_process() -> Iterator[None]:
    with joblib.parallel_config(backend="sequential"):
        yield


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    place = tmp_path / "votes.csv"
    lines = ["owl,yak,left"] * 60 + ["owl,yak,right"] * 20 + ["yak,elk,left"] * 40 + ["yak,elk,tie"] * 5
    place.write_text("left,right,outcome\n" + "\n".join(lines) + "\n")
    return place


def test_every_format(run: Run, votes: Path, tmp_path: Path) -> None:
    arguments = ("replay", votes, *FEW, "--policy", "unresolved(explore=0.2, favour=none),wmt", "--looks", "100,200")
    expected = bt.replay(
        votes,
        ["unresolved(explore=0.2, favour=none)", "wmt"],
        runs=2,
        budget=200,
        batch=50,
        resamples=20,
        looks=[100, 200],
    )
    document = json.loads(run(*arguments, "--format", "json").out, parse_constant=pytest.fail)
    assert document == json.loads(json.dumps(expected.to_dict()))
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").out)))
    assert [(row["policy"], row["judgments"]) for row in rows] == [
        (policy, look) for policy in expected.policies for look in ("100", "200")
    ]
    assert list(rows[0])[:5] == ["policy", "judgments", "clusters", "clusters_low", "clusters_high"]
    assert run(*arguments).out == expected.to_text() + "\n"
    assert run(*arguments, "-o", tmp_path / "replay.json").code == 0
    assert json.loads((tmp_path / "replay.json").read_text()) == document
    for form, start in (("markdown", "|"), ("latex", "\\begin"), ("html", "<")):
        assert run(*arguments, "--format", form).out.lstrip().startswith(start)


def test_text_fits_a_terminal(run: Run, votes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("betterthan.cli.shared.result_output.terminal_width", lambda: 80)
    lines = run("replay", votes, *FEW, "--policy", "information(goal=strengths, greed=2),wmt").out.splitlines()
    assert all(len(line) <= 80 for line in lines[:-1]), lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["votes.csv", "--policy", "wtm"], "unknown policy 'wtm'"),
        (["votes.csv", "--policy", ","], "name at least one policy: information, "),
        (["votes.csv", "--runs", "1"], "runs must be a whole number from 2 to 100,000, got 1."),
        (["votes.csv", "--budget", "1"], "budget must be a whole number from 10 to 1,000,000,000, got 1."),
        (["votes.csv", "--looks", "10,many"], "looks must be numbers with commas between them, got '10,many'."),
        (["votes.csv", "--looks", "0"], "looks must be a whole number of at least 1, got 0."),
        (["votes.csv", "--looks", ""], "looks"),
        (["votes.csv", "--looks", "50,100", "--reach", "60"], "reach must be among the looks 50, 100, got 60."),
        (["votes.csv", "--margin", "1"], "margin must be a number above 0 and below 0.5, got 1.0"),
        (["votes.csv", "--seed", "-1"], "seed must be a whole number of at least 0, got -1."),
        (
            ["few.csv"],
            "there are only 2 judgments to replay, and a run collects at least 10. Say how many to draw with --budget 100.",
        ),
        (
            ["votes.csv", "--model", "mean"],
            "mean is not fitted to judgments of pairs, which is what a replay collects. Use --model bradley-terry, or another model of pairs.",
        ),
        ([], "Missing argument 'FILE...'"),
    ],
)
def test_what_is_refused(
    run: Run, votes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert votes.parent == tmp_path
    (tmp_path / "few.csv").write_text("left,right,outcome\nowl,yak,left\nyak,elk,tie\n")
    (tmp_path / "scores.csv").write_text("item,owl,yak\n1,0.5,0.7\n2,0.1,0.9\n")
    answer = run("replay", *arguments)
    assert message in answer.err
    assert "an error of betterthan itself" not in answer.err
    assert (answer.code, answer.out) == (2, "")

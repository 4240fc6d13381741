"""`betterthan compare`: two systems of a file, or two runs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from betterthan import demo
from tests.cli.conftest import Answer

Run = Callable[..., Answer]
SCORES = "examples/scores.csv"


def _write(path: Path, scores: list[float], first: int = 0) -> Path:
    path.write_text("id,score\n" + "".join(f"{first + place},{score}\n" for place, score in enumerate(scores)))
    return path


def test_two_systems_of_a_file(run: Run) -> None:
    document = json.loads(run("compare", demo.path("scores.csv.gz"), "aurora", "heron", "--format", "json").out)
    assert (document["a"], document["b"], document["n"]) == ("aurora", "heron", 240)
    text = run("compare", demo.path("arena.csv.gz"), "aurora", "birch").out
    assert text.startswith("aurora is better than birch on ")
    assert "\naurora against birch · " in text


def test_runs_are_narrowed_too(run: Run, tmp_path: Path) -> None:
    for name, scores in (("new", "1,x,3\n2,x,5\n1,y,9\n2,y,9\n"), ("old", "1,x,2\n2,x,4\n1,y,0\n2,y,0\n")):
        (tmp_path / f"{name}.csv").write_text(f"id,metric,score\n{scores}")
    files = [tmp_path / "new.csv", tmp_path / "old.csv"]
    document = json.loads(run("compare", *files, "--where", "metric=x", "--format", "json").out)
    assert (document["n"], document["mean_difference"]) == (2, 1.0)
    assert "the item '1' occurs twice" in run("compare", *files).err


def test_groups_come_from_a_column(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{place},{place // 4},{place % 7},{place % 5}\n" for place in range(40))
    (tmp_path / "scores.csv").write_text(f"id,document,owl,yak\n{rows}")
    arguments = ("compare", tmp_path / "scores.csv", "owl", "yak", "--group", "document")
    document = json.loads(run(*arguments, "--format", "json").out)
    assert (document["n"], document["units"], document["recommended"]) == (40, 10, "permutation-mid-p")
    assert "|unit:group|" in document["signature"]
    answer = run("compare", tmp_path / "scores.csv", "--all", "--group", "document", "--format", "json")
    together = json.loads(answer.out)
    assert (answer.code, together["test"], together["unit"]) == (0, "model", "group")
    assert "|unit:group|" in together["signature"]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--metric", "m"), ("--as", "scores"), ("--counts", "n"), ("--systems", "a,b"), ("--rank", "r")],
)
def test_options_that_say_nothing_of_runs_are_refused(run: Run, tmp_path: Path, option: str, value: str) -> None:
    files = [_write(tmp_path / name, [1, 2, 3.5]) for name in ("new.csv", "old.csv")]
    answer = run("compare", *files, option, value)
    assert answer.code == 2
    assert f"{option} does not apply to two runs matched by item; allowed are --item, --score, --dataset," in answer.err
    allowed = [
        "--item",
        "id",
        "--score",
        "score",
        "--encoding",
        "utf-8",
        "--on-error",
        "skip",
        "--lower-is-better",
        "all",
    ]
    assert run("compare", *files, *allowed).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["one.csv", "a"], "give FILE A B (two systems of a file), or two files to be matched by item."),
        (["one.csv", "one.csv"], "one.csv: a run cannot be compared with itself. Give two files."),
        (
            ["one.csv", "other.csv"],
            "a run needs a column for the score; its columns are 'id', 'text'. Name it with --score.",
        ),
    ],
)
def test_what_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    _write(tmp_path / "one.csv", [1, 2, 3])
    (tmp_path / "other.csv").write_text("id,text\n1,x\n")
    answer = run("compare", *arguments)
    assert answer.code == 2
    assert message in answer.err


def test_tasks_as_a_sample_of_others(run: Run, tmp_path: Path) -> None:
    shifts = {"sums": 0.9, "facts": -0.2, "code": 0.4}
    rows = (
        f"{task},{place},{system},{place % 7 / 10 + (shift + place % 3 / 10) * (system == 'new')}\n"
        for task, shift in shifts.items()
        for place in range(30)
        for system in ("new", "old")
    )
    scores = tmp_path / "scores.csv"
    scores.write_text("task,item,system,score\n" + "".join(rows))
    answer = run("compare", scores, "new", "old", "--random", "task")
    assert answer.code == 0
    assert "new and old do not differ significantly overall on score, for tasks like these 3 (" in answer.out
    assert "|random:task|" in answer.out
    these = run("compare", scores, "new", "old").out
    assert "new is better than old overall on score, on these 3 tasks (" in these
    assert "use --random task." in these


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("compare", SCORES, "aurora", "birch", "--random", "judge"),
            "--random can only name task, got 'judge': items, judges, runs and groups are random already.",
        ),
        (
            ("compare", SCORES, "aurora", "birch", "--random", "task"),
            "--random task needs a metric on several tasks, because one task says nothing about others. "
            "Add tasks, or leave it out.",
        ),
        (
            ("compare", "examples/votes.csv", "aurora", "birch", "--random", "task"),
            "--random task is for scores on several tasks, but these are judgments. Leave it out.",
        ),
        (
            ("rank", SCORES, "--random", "task"),
            "--random task is for the overall score of several data sets or metrics, and there is one. Leave it out.",
        ),
    ],
)
def test_random_tasks_are_refused_where_nothing_is_said_about_them(
    run: Run, arguments: tuple[str, ...], said: str
) -> None:
    answer = run(*arguments)
    assert (answer.code, answer.err) == (2, f"betterthan: {said}\n")


def test_all_pairs_by_five_models(run: Run) -> None:
    models = "mean,median,bradley-terry,elo,trueskill"
    answer = run("compare", SCORES, "--all", "--model", models, "--format", "json")
    document = json.loads(answer.out)
    assert [each["test"] for each in document["pairs"]] == ["t", "mood", "sign", "sign", "sign"]
    assert document["models"] == models.split(",")

"""`betterthan plot`: from a file to a picture."""

import json
from pathlib import Path
from typing import Any

import pytest

from betterthan.cli.main import main
from betterthan.verbs.plot import plot_kinds

SCORES = "instance,owl,yak,elk\n" + "".join(f"{n},{n % 5},{n % 3 + 1},{n % 2}\n" for n in range(20))
VOTES = "model_a,model_b,winner\n" + "owl,yak,model_a\nyak,elk,model_b\nelk,owl,tie\nowl,yak,model_b\n" * 5


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "votes.csv").write_text(VOTES)
    return tmp_path


def _run(*arguments: Any) -> int:
    with pytest.raises(SystemExit) as leave:
        main(["plot", *(str(argument) for argument in arguments)])
    return int(leave.value.code or 0)


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "html", "json"])
def test_a_picture_is_written(folder: Path, form: str) -> None:
    place = folder / f"board.{form}"
    assert _run("leaderboard", folder / "votes.csv", "-o", place, "--resamples", 50, "--title", "Birds") == 0
    assert place.stat().st_size > 1000


def test_the_choices_reach_the_picture(folder: Path) -> None:
    place = folder / "matrix.json"
    assert (
        _run("matrix", folder / "scores.csv", "-o", place, "--model", "mean", "--title", "Birds", "--width", 400) == 0
    )
    spec = json.loads(place.read_text())
    assert spec["title"] == ["Birds"]
    assert spec["width"] == 400
    for scale, name in ((1, "one.png"), (3, "three.png")):
        assert _run("graph", folder / "votes.csv", "-o", folder / name, "--scale", scale) == 0
    widths = [int.from_bytes((folder / name).read_bytes()[16:20], "big") for name in ("one.png", "three.png")]
    assert widths[1] == pytest.approx(3 * widths[0], abs=3)


def test_two_systems_of_a_file_or_two_runs(folder: Path) -> None:
    assert _run("joint", folder / "scores.csv", "owl", "elk", "-o", folder / "joint.svg") == 0
    for name in ("new", "old"):
        (folder / f"{name}.csv").write_text(
            "instance,score\n" + "".join(f"{n},{n % len(name + name)}\n" for n in range(9))
        )
    assert _run("differences", folder / "new.csv", folder / "old.csv", "-o", folder / "differences.svg") == 0


def test_ends_are_two_panels(folder: Path) -> None:
    assert _run("meetings", folder / "votes.csv", "--ends", "-o", folder / "meetings.json") == 0
    assert len(json.loads((folder / "meetings.json").read_text())["hconcat"]) == 2


def test_a_picture_of_models_needs_no_file(tmp_path: Path) -> None:
    assert _run("loss-curves", "-o", tmp_path / "loss.svg", "--title", "Losses") == 0
    assert (tmp_path / "loss.svg").read_text().startswith("<svg")


def test_kinds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--kinds") == 0
    shown = capsys.readouterr().out
    for name, kind in plot_kinds.KINDS.items():
        assert name in shown
        assert kind.about in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["leaderboard", "votes.csv"],
            "say where the picture goes: -o FILE, whose ending says the format: .svg, .png, .pdf, .html, .json.",
        ),
        (
            ["leaderboard", "votes.csv", "-o", "board.gif"],
            "board.gif: a picture's ending says its format: .svg, .png, .pdf, .html, .json. Choose one of them.",
        ),
        (
            ["leaderboard", "nothing.csv", "-o", "none/board.svg"],
            "none/board.svg: there is no folder none. Make it first, or choose another place.",
        ),
        (["bord", "votes.csv", "-o", "board.svg"], "unknown kind of picture 'bord'. Did you mean 'leaderboard'?"),
        (["graph", "-o", "graph.svg"], "graph is a picture of evidence. Give a file, or several."),
        (
            ["loss-curves", "votes.csv", "-o", "loss.svg"],
            "loss-curves is a picture of models, not of evidence. Leave the file out.",
        ),
        (
            ["loss-curves", "--judge", "who", "-o", "loss.svg"],
            "--judge describes evidence, and loss-curves shows none. Leave it out.",
        ),
        (
            ["graph", "votes.csv", "-o", "graph.svg", "--level", "0.9"],
            "graph has no option 'level'; it has: model, tolerance, title. Leave it out.",
        ),
        (
            ["graph", "votes.csv", "-o", "graph.svg", "--group", "model_a"],
            "votes.csv: --group has no effect on judgments",
        ),
        (
            ["joint", "votes.csv", "owl", "yak", "-o", "joint.svg"],
            "this picture needs scores, but 'owl' and 'yak' were compared by judgments, which say who won, not by how much. Draw the matrix of all pairs instead.",
        ),
    ],
)
def test_refusals(
    arguments: list[str], said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert _run(*arguments) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert sorted(path.name for path in folder.iterdir()) == ["scores.csv", "votes.csv"]

"""Headings that real tables have: chosen and rejected systems, a comma at the end of every line."""

from pathlib import Path

import pytest

import betterthan as bt


def _read(tmp_path: Path, text: str) -> "bt.Judgments | bt.Rankings | bt.Scores":
    (tmp_path / "table.csv").write_text(text)
    return bt.read(tmp_path / "table.csv")


@pytest.mark.parametrize(
    ("header", "used"),
    [
        ("chosen_model,rejected_model,prompt", "left = chosen_model, right = rejected_model, item = prompt"),
        ("Chosen Model,Rejected Model,prompt", "left = Chosen Model, right = Rejected Model, item = prompt"),
        ("chosen,rejected,prompt", "left = chosen, right = rejected, item = prompt"),
    ],
)
def test_what_was_chosen_won(header: str, used: str, tmp_path: Path) -> None:
    found = _read(tmp_path, f"{header}\n" + "owl,yak,q1\nyak,elk,q2\nowl,elk,q3\n" * 2)
    assert isinstance(found, bt.Judgments)
    assert str(found.reading) == f"Read as winner-loser: {used}."
    board = bt.rank(found, model="win-rate", ci="none").board
    assert [(row.system, row.wins, row.losses) for row in board] == [("owl", 4, 0), ("yak", 2, 2), ("elk", 0, 4)]


def test_chosen_answers_are_no_systems(tmp_path: Path) -> None:
    with pytest.raises(bt.EvidenceError, match="cannot tell what kind of evidence this is"):
        _read(tmp_path, "prompt,chosen,rejected\nq1,A good answer.,bad\nq2,Another one.,worse\nq3,Yes.,no\n")
    named = "prompt,chosen,rejected,chosen_model,rejected_model\nq1,Good.,bad,owl,yak\nq2,Fine.,poor,yak,elk\n"
    assert str(_read(tmp_path, named).reading) == (
        "Read as winner-loser: left = chosen_model, right = rejected_model, item = prompt; ignored: chosen, rejected."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,owl,yak,\n1,0.2,0.3,\n2,0.3,0.4,\n", "scores-wide: item = item, systems = owl, yak; ignored: column3."),
        ("owl,yak,elk,\n1,2,3,\n3,2,1,\n3,1,2,\n", "rankings-wide: systems = owl, yak, elk; ignored: column3."),
        (
            "model_a,model_b,winner,\nowl,yak,model_a,\n",
            "judgments: left = model_a, right = model_b, outcome = winner; ignored: column3.",
        ),
        (
            "item,system,score,\n1,owl,3,\n1,yak,2,\n",
            "scores-long: system = system, item = item, score = score; ignored: column3.",
        ),
    ],
)
def test_a_comma_at_the_end_of_lines_is_no_column(text: str, told: str, tmp_path: Path) -> None:
    found = _read(tmp_path, text)
    assert str(found.reading) == f"Read as {told}"
    systems = found.systems
    without = "\n".join(line.removesuffix(",") for line in text.splitlines())
    assert _read(tmp_path, without).systems == systems


def test_a_column_that_holds_something_or_has_a_name_is_one(tmp_path: Path) -> None:
    for text in ("item,owl,yak,\n1,2,3,odd\n2,3,4,\n", "item,owl,yak,elk\n1,2,3,\n2,3,4,\n"):
        with pytest.raises(bt.EvidenceError, match=r"hold numbers, but '(column3|elk)' holds (texts|nothing)"):
            _read(tmp_path, text)

"""promptfoo's select-best: the output that was chosen wins against the others."""

import json
from pathlib import Path
from typing import Any

import betterthan as bt
from tests.readers.tools.boards import found, refused


def _row(provider: str, test: int, *verdicts: tuple[str, bool], failure: int = 0) -> dict[str, Any]:
    parts = [{"pass": passed, "score": float(passed), "assertion": {"type": kind}} for kind, passed in verdicts]
    return {
        "id": f"{provider}{test}",
        "promptIdx": 0,
        "testIdx": test,
        "provider": {"id": provider},
        "vars": {"q": test},
        "prompt": {"label": "p"},
        "success": True,
        "score": 1.0,
        "namedScores": {},
        "failureReason": failure,
        "gradingResult": {"pass": True, "score": 1.0, "componentResults": parts} if parts else None,
    }


def _export(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": rows}, "config": {}}))
    return path


_CHOSEN, _OTHER = ("select-best", True), ("select-best", False)


def test_the_chosen_output_wins_against_every_other_one(tmp_path: Path) -> None:
    path = _export(
        tmp_path,
        _row("owl", 0, _CHOSEN),
        _row("yak", 0, _OTHER),
        _row("elk", 0, _OTHER),
        _row("owl", 1, _OTHER),
        _row("yak", 1, _CHOSEN),
        _row("elk", 1, failure=2),
        _row("owl", 2, _OTHER),
        _row("yak", 2, _OTHER),
        _row("elk", 2, _OTHER),
    )
    judgments = bt.read(path)
    assert isinstance(judgments, bt.Judgments)
    board = bt.rank(judgments, model="win-rate", ci="none").board
    assert {row.system: (row.wins, row.ties, row.losses) for row in board} == {
        "owl": (2, 0, 1),
        "yak": (1, 0, 1),
        "elk": (0, 0, 1),
    }
    assert str(judgments.reading).startswith("Read as promptfoo-best: left = provider and prompt chosen, ")
    assert found(path)["unscored"].startswith("1 result is missing: no single output was chosen;")


def test_a_result_without_parts_is_a_choice_too(tmp_path: Path) -> None:
    rows = [_row("owl", 0), _row("yak", 0)]
    for row, passed in zip(rows, (False, True), strict=True):
        row["gradingResult"] = {"pass": passed, "score": float(passed), "assertion": {"type": "select-best"}}
    board = bt.rank(_export(tmp_path, *rows), model="win-rate", ci="none").board
    assert [row.system for row in board] == ["yak", "owl"]


def test_scores_beside_choices_are_scores_unless_choices_are_asked_for(tmp_path: Path) -> None:
    path = _export(
        tmp_path,
        _row("owl", 0, _CHOSEN, ("contains", True)),
        _row("yak", 0, _OTHER, ("contains", True)),
        _row("owl", 1, _CHOSEN),
        _row("yak", 1, _OTHER),
    )
    assert bt.read(path).kind == "scores"
    assert bt.read(path, format="promptfoo-best").kind == "judgments"


def test_what_is_no_choice_is_refused(tmp_path: Path) -> None:
    path = _export(tmp_path, _row("owl", 0, _OTHER), _row("yak", 0, _OTHER))
    assert "holds no valid choice by select-best" in refused(path)
    path = _export(tmp_path, _row("owl", 0, _CHOSEN, _CHOSEN), _row("yak", 0, _OTHER))
    assert "test 0: outputs of one test case have different numbers of select-best assertions" in refused(path)

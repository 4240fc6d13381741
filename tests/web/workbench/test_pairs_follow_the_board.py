"""Pairs share the leaderboard's model and ties, and several models or data sets are listed once each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.web.workbench.form_values import Said
from betterthan.web.workbench.open_files import Files
from betterthan.web.workbench.panels import board_panel, pairs_panel
from betterthan.web.workbench.repeating_code import code_of
from betterthan.web.workbench.session import WorkbenchSession

#: Ties are so many, and so uneven, that it matters how they count.
ROWS = [("owl", "yak", "a", 8), ("owl", "yak", "tie", 12), ("owl", "yak", "b", 3), ("elk", "yak", "a", 4),
        ("elk", "yak", "tie", 2), ("elk", "yak", "b", 5), ("owl", "elk", "a", 6), ("owl", "elk", "b", 5)]  # fmt: skip


@pytest.fixture
def session(tmp_path: Path) -> Iterator[WorkbenchSession]:
    place = tmp_path / "votes.csv"
    lines = [
        f"{a},{b},{ {'a': 'model_a', 'b': 'model_b', 'tie': 'tie'}[won] }"
        for a, b, won, times in ROWS
        for _ in range(times)
    ]
    place.write_text("\n".join(["model_a,model_b,winner", *lines]), encoding="utf-8")
    with WorkbenchSession(Files([str(place)])) as made:
        yield made


def _said(session: WorkbenchSession, **options: Any) -> Said:
    return Said.of({"files": ["f1"], **options}, lambda key: str(session.files[key].path))


def _silent(*_: object) -> None:
    pass


@pytest.mark.parametrize("ties", ["drop", "half"])
def test_ties_of_the_board_are_those_of_the_pairs(session: WorkbenchSession, ties: str) -> None:
    said = _said(session, rank={"model": "bradley-terry", "ties": ties})
    assert session.pair_choices(said, _silent) == {"model": "bradley-terry", "ties": ties}
    found = session.pairs(said, _silent)
    (path,) = (session.files["f1"].path,)
    expected = bt.compare_all(bt.read(path), model="bradley-terry", ties=ties)
    assert found.to_json() == expected.to_json()


def test_how_ties_count_matters_here(session: WorkbenchSession) -> None:
    texts = [session.pairs(_said(session, rank={"ties": ties}), _silent).to_csv() for ties in ("drop", "half")]
    assert texts[0] != texts[1]


def test_own_choices_of_the_pairs_come_first(session: WorkbenchSession) -> None:
    said = _said(session, rank={"model": "bradley-terry", "ties": "half"}, pairs={"ties": "drop"})
    assert session.pair_choices(said, _silent) == {"model": "bradley-terry", "ties": "drop"}
    said = _said(session, rank={"ties": "half"}, pairs={"model": "davidson"})
    assert session.pair_choices(said, _silent) == {"model": "davidson"}


def test_nothing_said_of_the_board_is_nothing_said_of_the_pairs(session: WorkbenchSession) -> None:
    assert session.pair_choices(_said(session), _silent) == {}


def test_several_models_are_one_part_with_every_board_once(session: WorkbenchSession) -> None:
    boards = session.boards(_said(session, rank={"model": "win-rate,bradley-terry", "ci": "none"}), _silent)
    parts = board_panel(boards)["parts"]
    assert [[board["name"] for board in part["boards"]] for part in parts] == [list(boards.models)]


def test_several_metrics_and_models_are_listed_once() -> None:
    rows = [
        {"system": system, "item": f"i{item}", "metric": metric, "score": (7 * item + place) % 5}
        for metric in ("bleu", "chrf") for place, system in enumerate(("owl", "yak")) for item in range(6)
    ]  # fmt: skip
    boards = bt.rank(bt.read_scores(rows), model=["mean", "median"], ci="none")
    assert boards.titles == ("bleu", "chrf")
    assert boards.models == ("mean", "median")
    assert len(boards) == 4
    parts = board_panel(boards)["parts"]
    assert [(part["title"], [board["name"] for board in part["boards"]]) for part in parts] == [
        ("bleu", ["mean", "median"]),
        ("chrf", ["mean", "median"]),
    ]
    text = str(boards)
    assert [sum(line == title for line in text.splitlines()) for title in boards.titles] == [1, 1]


def test_several_models_have_a_matrix_each(session: WorkbenchSession) -> None:
    said = _said(session, pairs={"model": "bradley-terry,elo"})
    panel = pairs_panel(session.pairs(said, _silent), "yak")
    assert [each["model"] for each in panel["models"]] == ["bradley-terry", "elo"]
    assert panel["models"][1]["tested"].startswith("each pair's own sign test")
    assert panel["verdict"].startswith("Of 3 pairs, significantly different: 0 by bradley-terry (sign test), 0 by elo")
    assert "bt.compare_models(evidence, model='bradley-terry,elo')" in code_of(session, said, _silent).python

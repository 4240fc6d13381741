"""Every kind of picture from real evidence, in every format; its numbers are the result's."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.plot.plot_kinds import KINDS
from tests.arenas import arena
from tests.present.rendered import check, holds_its_numbers
from tests.verbs.plot.test_kinds import _refusal

#: Which evidence a kind is drawn from, and the choices that keep tests quick.
FROM: dict[str, tuple[str, dict[str, Any]]] = {
    "leaderboard": ("wmt", {"resamples": 100}),
    "frontier": ("dialogue", {"resamples": 100, "cost": {f"M{place}": 2.0**place for place in range(5)}}),
    "ranks": ("wmt", {"resamples": 100}),
    "matrix": ("wmt", {}),
    "joint": ("dialogue", {}),
    "differences": ("dialogue", {}),
    "critical-difference": ("tac", {}),
    "bump": ("tac", {}),
    "agreement": ("dialogue", {}),
    "growth": ("tac", {"resamples": 20}),
    "meetings": ("wmt", {"ends": True}),
    "graph": ("wmt", {}),
    "history": ("wmt", {}),
    "judges": ("wmt", {}),
    "learning": ("dialogue", {"model": "bradley-terry,mean"}),
    "calibration": ("dialogue", {"model": "davidson"}),
    "settled": ("votes", {}),
    "loss-curves": ("", {}),
    "decision-chart": ("", {}),
}


@cache
def _evidence(name: str, shared: Path) -> Any:
    if not name:
        return None
    if name == "wmt":
        return bt.read(shared / "wmt13-fr-en" / "rankings.csv.gz")
    if name == "votes":
        return bt.read_judgments(arena(judgments=2000))
    if name == "tac":
        return bt.read(shared / "tac" / "scores.parquet", where={"metric": "ROUGE_2", "task": "TAC08"})
    return bt.read(shared / "dialogue" / "topicalchat-moverscore.wide.csv")


@cache
def _picture(kind: str, shared: Path) -> bt.Picture:
    name, options = FROM[kind]
    names = ("M0", "M1") if KINDS[kind].of_two else ()
    return bt.plot(kind, _evidence(name, shared), *names, title="A title", **options)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["svg", "png", "pdf", "html", "json"])
def test_every_kind_in_every_format(kind: str, form: str, shared: Path) -> None:
    check(_picture(kind, shared), form)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_is_the_table_behind_it(kind: str, shared: Path) -> None:
    picture = _picture(kind, shared)
    assert holds_its_numbers(picture)
    assert picture.title == "A title"
    assert len({len(column) for column in picture.columns.values()}) == 1


def test_leaderboard_and_ranks_have_the_numbers_of_the_board(shared: Path) -> None:
    board = bt.rank(_evidence("wmt", shared), resamples=100).board
    columns = board.columns()
    for picture in (board.plot.leaderboard(), _picture("leaderboard", shared)):
        assert picture.columns == {name: columns[name] for name in ("system", "score", "low", "high", "cluster")}
    ranks = board.plot.ranks().columns
    assert ranks == _picture("ranks", shared).columns
    assert (ranks["low"], ranks["high"]) == (columns["rank_low"], columns["rank_high"])
    for quantiles in zip(*(ranks[name] for name in ("low", "lower", "median", "upper", "high")), strict=True):
        assert list(quantiles) == sorted(quantiles)


def test_the_matrix_has_the_numbers_of_all_pairs(shared: Path) -> None:
    for name, model, chance in (("wmt", "bradley-terry", True), ("dialogue", "mean", False)):
        pairs = bt.compare_all(_evidence(name, shared), model)
        columns = pairs.plot.matrix().columns
        place = {system: number for number, system in enumerate(pairs.systems)}
        cells = zip(*columns.values(), strict=True)
        for row, column, value, apart in cells:
            shown, starred = pairs.shown()
            assert value == shown[place[row], place[column]]
            assert apart == starred[place[row], place[column]]
        title = pairs.plot.matrix().spec["layer"][0]["encoding"]["color"]["title"]
        assert title.startswith("share; below: expected" if chance else "difference")
        assert len(columns["row"]) == len(pairs.systems) * (len(pairs.systems) - 1)


def test_joint_and_differences_have_the_duels_numbers(shared: Path) -> None:
    duel = bt.compare(_evidence("dialogue", shared), "M0", "M1")
    assert duel.differences is not None
    joint = duel.plot.joint().columns
    assert sum(joint["items"]) == duel.n == 60
    assert sorted(joint["a_low"]) == sorted(duel.differences.a.tolist())
    columns = duel.plot.differences().columns
    by_side = {
        side: sum(number for number, of in zip(columns["items"], columns["side"], strict=True) if of == side)
        for side in ("won", "tied", "lost")
    }
    assert by_side == {"won": duel.wins, "tied": duel.ties, "lost": duel.losses} == {"won": 39, "tied": 0, "lost": 21}


def test_critical_differences_join_what_does_not_differ_significantly(shared: Path) -> None:
    pairs = bt.compare_all(_evidence("dialogue", shared))
    assert pairs.ranks is not None
    assert pairs.critical_difference is not None
    picture = pairs.plot.critical_difference()
    assert picture.columns == {
        "system": sorted(pairs.ranks, key=lambda name: pairs.ranks[name]),
        "rank": sorted(pairs.ranks.values()),
    }
    bars = [row for rows in picture.spec["datasets"].values() for row in rows if {"from", "to", "y"} == set(row)]
    joined = [bar for bar in bars if bar["y"] > 0]
    runs = pairs.indistinct(picture.columns["system"])
    assert len(joined) == len(runs) > 0
    differ = pairs.p_adjusted <= 1 - pairs.level
    for first, last in runs:
        places = [pairs.systems.index(name) for name in picture.columns["system"][first : last + 1]]
        assert not np.any(differ[np.ix_(places, places)])


def test_bump_and_agreement_have_the_numbers_of_the_boards(shared: Path) -> None:
    boards = bt.rank(_evidence("dialogue", shared), ci="none")
    bump = boards.plot.bump().columns
    for model, system, rank in zip(bump["model"], bump["system"], bump["rank"], strict=True):
        assert boards[model][system].rank == rank
    agreement = boards.plot.agreement().columns
    tau = {(row, column): value for row, column, value in zip(*agreement.values(), strict=True)}
    for each in boards.disagreement:
        assert tau[each.a, each.b] == tau[each.b, each.a] == each.kendall
    assert tau["mean", "mean"] == 1.0
    assert round(tau["mean", "bradley-terry"], 9) == 0.4  # of the pairs .70 are ordered alike


def test_meetings_and_graph_count_comparisons(shared: Path) -> None:
    evidence = _evidence("wmt", shared)
    board = bt.rank(evidence, ci="none").board
    columns = bt.plot("meetings", evidence).columns
    assert sum(columns["number"]) == 2 * 99_960
    for row in board:
        met = [number for name, number in zip(columns["row"], columns["number"], strict=True) if name == row.system]
        assert sum(met) == row.comparisons
    assert sum(_picture("graph", shared).columns["comparisons"]) == 99_960
    ends = _picture("meetings", shared).columns
    assert set(ends["panel"]) == {"first 20 %", "last 20 %"}
    assert sum(ends["number"]) == 2 * 2 * 19_992


def test_history_ends_where_elo_ends(shared: Path) -> None:
    evidence = _evidence("wmt", shared)
    columns = _picture("history", shared).columns
    assert len(set(columns["judgments"])) == 101
    board = bt.rank(evidence, model="elo", ci="none").board
    lines = zip(*columns.values(), strict=True)
    last = {system: rating for when, system, rating in lines if when == 99_960}
    assert last == {row.system: pytest.approx(row.score, abs=1e-9) for row in board}
    assert all(
        rating == 1000.0 for when, rating in zip(columns["judgments"], columns["rating"], strict=True) if when == 0
    )


def test_judges_have_the_numbers_of_the_diagnosis(shared: Path) -> None:
    diagnosis = bt.diagnose(_evidence("wmt", shared))
    report = diagnosis.sections[0].judges
    assert report is not None
    columns = diagnosis.plot.judges().columns
    assert columns == _picture("judges", shared).columns
    assert list(columns["judge"]) == [judge.name for judge in report.judges]
    assert list(columns["follows"]) == [judge.follows for judge in report.judges]
    assert list(columns["expected"]) == [judge.expected for judge in report.judges]


def test_one_data_set_at_a_time(shared: Path) -> None:
    everything = bt.read(shared / "dialogue" / "scores.parquet")
    for kind in ("leaderboard", "growth", "graph", "history", "meetings"):
        said = _refusal(lambda kind=kind: bt.plot(kind, everything))
        assert said.startswith(
            "this picture is of one metric and data set, and there are 26: 'dialogue_personachat BERTSc"
        )
        assert said.endswith("Choose one by the column 'metric' with where.")

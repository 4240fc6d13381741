"""Every kind of picture from small evidence, in every format; its numbers are the result's."""

from functools import cache
from itertools import combinations
from typing import Any

import joblib
import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.verbs.plot.plot_kinds import KINDS
from tests.present.rendered import check, holds_its_numbers
from tests.verbs.study.rankings import ballots

#: Which evidence a kind is drawn from, and the choices that keep tests quick.
FROM: dict[str, tuple[str, dict[str, Any]]] = {
    "leaderboard": ("rankings", {"resamples": 100}),
    "ranks": ("rankings", {"resamples": 100}),
    "frontier": ("scores", {"resamples": 100, "cost": {"M0": 9, "M1": 0.5, "M2": 1, "M3": 2, "M4": 20}}),
    "matrix": ("rankings", {}),
    "joint": ("scores", {}),
    "differences": ("scores", {}),
    "critical-difference": ("scores", {}),
    "bump": ("scores", {}),
    "agreement": ("scores", {}),
    "growth": ("scores", {"resamples": 20}),
    "meetings": ("rankings", {"ends": True}),
    "graph": ("rankings", {}),
    "history": ("rankings", {}),
    "judges": ("rankings", {}),
    "learning": ("scores", {"model": "bradley-terry,mean"}),
    "calibration": ("scores", {"model": "davidson"}),
    "settled": ("votes", {}),
    "loss-curves": ("", {}),
    "decision-chart": ("", {}),
}
SHIFTS = {"M0": 0.9, "M1": 0.0, "M2": 0.2, "M3": 0.1, "M4": 1.0}


@cache
def _scores() -> dict[str, list[float]]:
    """Return scores of five systems on 60 items, two of them better than the others."""
    rng = np.random.default_rng(4)
    difficulty = rng.normal(size=60)
    return {name: (difficulty + rng.normal(shift, 1, 60)).tolist() for name, shift in SHIFTS.items()}


@cache
def _evidence(name: str) -> Any:
    if name == "rankings":
        return ballots(200)[0]
    if name == "votes":
        return [("owl", "yak", "a")] * 90 + [("owl", "yak", "b")] * 10
    return bt.read_scores(_scores()) if name else None


@cache
def _picture(kind: str) -> bt.Picture:
    name, options = FROM[kind]
    names = ("M0", "M1") if KINDS[kind].of_two else ()
    with pytest.MonkeyPatch.context() as patch, joblib.parallel_config(backend="sequential"):
        patch.setattr("betterthan.verbs.plot.settled._RUNS", 2)
        return bt.plot(kind, _evidence(name), *names, title="A title", **options)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_rendered(kind: str) -> None:
    check(_picture(kind), "svg", "png", "pdf", "html")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_shows_the_table_behind_it(kind: str) -> None:
    picture = _picture(kind)
    check(picture, "json")
    assert holds_its_numbers(picture)
    assert picture.title == "A title"
    assert len({len(column) for column in picture.columns.values()}) == 1


def test_leaderboard_and_ranks_have_the_numbers_of_the_board() -> None:
    board = bt.rank(_evidence("rankings"), resamples=100).board
    columns = board.columns()
    for picture in (board.plot.leaderboard(), _picture("leaderboard")):
        assert picture.columns == {name: columns[name] for name in ("system", "score", "low", "high", "cluster")}
    ranks = board.plot.ranks().columns
    assert ranks == _picture("ranks").columns
    assert (ranks["low"], ranks["high"]) == (columns["rank_low"], columns["rank_high"])
    for quantiles in zip(*(ranks[name] for name in ("low", "lower", "median", "upper", "high")), strict=True):
        assert list(quantiles) == sorted(quantiles)


def test_the_matrix_has_the_numbers_of_all_pairs() -> None:
    for name, model, chance in (("rankings", "bradley-terry", True), ("scores", "mean", False)):
        pairs = bt.compare_all(_evidence(name), model)
        picture = pairs.plot.matrix()
        place = {system: number for number, system in enumerate(pairs.systems)}
        shown, starred = pairs.shown()
        for row, column, value, apart in zip(*picture.columns.values(), strict=True):
            assert value == shown[place[row], place[column]]
            assert apart == starred[place[row], place[column]]
        title = picture.spec["layer"][0]["encoding"]["color"]["title"]
        assert title.startswith("share; below: expected" if chance else "difference")
        assert len(picture.columns["row"]) == len(pairs.systems) * (len(pairs.systems) - 1)


def test_joint_and_differences_have_the_duels_numbers() -> None:
    duel = bt.compare(_evidence("scores"), "M0", "M1")
    assert duel.differences is not None
    joint = duel.plot.joint().columns
    assert sum(joint["items"]) == duel.n == 60
    assert sorted(joint["a_low"]) == sorted(_scores()["M0"])
    columns = duel.plot.differences().columns
    by_side = {
        side: sum(number for number, of in zip(columns["items"], columns["side"], strict=True) if of == side)
        for side in ("won", "tied", "lost")
    }
    won = sum(one > other for one, other in zip(_scores()["M0"], _scores()["M1"], strict=True))
    assert by_side == {"won": duel.wins, "tied": duel.ties, "lost": duel.losses}
    assert by_side == {"won": won, "tied": 0, "lost": 60 - won}


def test_critical_differences_join_what_does_not_differ_significantly() -> None:
    """Nemenyi's difference by its formula; a bar for every longest run of ranks that is no wider."""
    pairs = bt.compare_all(_evidence("scores"))
    ranks = stats.rankdata(-np.array(list(_scores().values())), axis=0).mean(axis=1)
    assert pairs.ranks == pytest.approx(dict(zip(SHIFTS, ranks, strict=True)))
    critical = stats.studentized_range.ppf(0.95, 5, np.inf) / np.sqrt(2) * np.sqrt(5 * 6 / (6 * 60))
    assert pairs.critical_difference == pytest.approx(critical, rel=1e-4)
    picture = pairs.plot.critical_difference()
    assert picture.columns["rank"] == pytest.approx(sorted(ranks))
    bars = [row for rows in picture.spec["datasets"].values() for row in rows if {"from", "to", "y"} == set(row)]
    ordered = sorted(ranks)
    runs = [(a, b) for a, b in combinations(range(5), 2) if ordered[b] - ordered[a] <= critical]
    longest = [(a, b) for a, b in runs if not any((c <= a and b <= d) and (c, d) != (a, b) for c, d in runs)]
    assert len([bar for bar in bars if bar["y"] > 0]) == len(longest) == 3


def test_bump_and_agreement_have_the_numbers_of_the_boards() -> None:
    boards = bt.rank(_evidence("scores"), ci="none")
    bump = boards.plot.bump().columns
    for model, system, rank in zip(bump["model"], bump["system"], bump["rank"], strict=True):
        assert boards[model][system].rank == rank
    tau = {(row, column): value for row, column, value in zip(*boards.plot.agreement().columns.values(), strict=True)}
    values = np.array(list(_scores().values()))
    assert tau["mean", "median"] == pytest.approx(
        stats.kendalltau(values.mean(axis=1), np.median(values, axis=1)).statistic
    )
    for each in boards.disagreement:
        assert tau[each.a, each.b] == tau[each.b, each.a] == each.kendall
    assert tau["mean", "mean"] == 1.0


def test_meetings_and_graph_count_comparisons() -> None:
    """200 rankings of four systems have 1,200 pairs; a fifth at both ends, seen from both sides."""
    board = bt.rank(_evidence("rankings"), ci="none").board
    columns = bt.plot("meetings", _evidence("rankings")).columns
    assert sum(columns["number"]) == 2 * 1200
    for row in board:
        met = [number for name, number in zip(columns["row"], columns["number"], strict=True) if name == row.system]
        assert sum(met) == row.comparisons
    assert sum(_picture("graph").columns["comparisons"]) == 1200
    ends = _picture("meetings").columns
    assert set(ends["panel"]) == {"first 20 %", "last 20 %"}
    assert sum(ends["number"]) == 2 * 2 * 240


def test_history_ends_where_elo_ends() -> None:
    columns = _picture("history").columns
    assert len(set(columns["judgments"])) == 101
    board = bt.rank(_evidence("rankings"), model="elo", ci="none").board
    lines = list(zip(*columns.values(), strict=True))
    assert {system: rating for when, system, rating in lines if when == 1200} == {
        row.system: pytest.approx(row.score, abs=1e-9) for row in board
    }
    assert all(rating == 1000.0 for when, _, rating in lines if when == 0)


def test_judges_have_the_numbers_of_the_diagnosis() -> None:
    diagnosis = bt.diagnose(_evidence("rankings"))
    report = diagnosis.sections[0].judges
    assert report is not None
    columns = diagnosis.plot.judges().columns
    assert columns == _picture("judges").columns
    for name, part in (("judge", "name"), ("follows", "follows"), ("expected", "expected")):
        assert list(columns[name]) == [getattr(judge, part) for judge in report.judges]


def test_one_data_set_at_a_time() -> None:
    scores = {"metric": [], "instance": [], "system": [], "score": []}  # type: ignore[var-annotated]
    for metric in ("bleu", "chrf"):
        for system, values in _scores().items():
            for item, value in enumerate(values[:5]):
                for name, cell in zip(scores, (metric, str(item), system, value), strict=True):
                    scores[name].append(cell)
    for kind in ("leaderboard", "growth", "graph", "history", "meetings"):
        with pytest.raises(bt.BetterthanError) as refusal:
            bt.plot(kind, bt.read_scores(scores))
        assert str(refusal.value) == (
            "this picture is of one metric and data set, and there are 2: 'bleu', 'chrf'. Choose one by the column 'metric' with where."
        )

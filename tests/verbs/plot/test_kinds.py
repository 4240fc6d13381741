"""Every kind of picture from real evidence, in every format; its numbers are the result's."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets.statistics.games import Games
from betterthan.datasets.statistics.orders import Orders
from betterthan.datasets.statistics.score_matrix import ScoreMatrix
from betterthan.datasets.units.units import GroupedUnits, RowUnits, ScoredUnits
from betterthan.models.elo import Elo
from betterthan.models.ordered import compiled
from betterthan.verbs.plot.plot_data import one_data_set
from betterthan.verbs.plot.plot_kinds import KINDS
from tests.arenas import arena
from tests.present.rendered import check, holds_its_numbers


def test_a_matrix_of_pairs_by_themselves_and_by_a_unit() -> None:
    circle = [pair for pair in (("x", "y"), ("y", "z"), ("z", "x")) for _ in range(21)]
    votes = [(*pair, "a") for pair in circle * 2] + [(*pair, "b") for pair in circle]
    columns = bt.plot("matrix", votes, by="pair").columns
    values = columns["value"]
    cells = {(row, column): value for row, column, value in zip(columns["row"], columns["column"], values, strict=True)}
    own = {"xy": 2 / 3, "yz": 2 / 3, "xz": 1 / 3}  # above the diagonal; below it is what the model expects
    assert {one + two: cells[one, two] for one, two in ("xy", "yz", "xz")} == pytest.approx(own)
    assert {one + two: cells[two, one] for one, two in ("xy", "yz", "xz")} == pytest.approx(dict.fromkeys(own, 0.5))
    significant = bt.plot("matrix", votes).columns["significant"]
    assert (any(significant), all(columns["significant"])) == (False, True)  # by the model, all three are equal
    told = [bt.plot("matrix", "examples/votes.csv", unit=unit).columns for unit in ("row", "item+judge")]
    assert told[0] != told[1]
    assert told[1] == bt.plot("matrix", "examples/votes.csv").columns


def test_many_items_are_drawn_as_a_density() -> None:
    """The oracle is the sum of normal kernels of half of Scott's width, without cells."""
    rng = np.random.default_rng(0)
    owl, yak = rng.normal(size=1000), rng.normal(1.0, 2.0, size=1000)
    picture = bt.plot("joint", {"owl": owl.tolist(), "yak": yak.tolist()}, "owl", "yak")
    cells = {name: np.array(values) for name, values in picture.columns.items()}
    size = cells["a_high"] - cells["a_low"]
    assert np.all(size > 0)
    kernels = [
        stats.norm.pdf(
            ((cells[f"{side}_low"] + cells[f"{side}_high"])[:, None] / 2 - scores),
            scale=np.std(scores) * 1000 ** (-1 / 6) / 2,
        )
        for side, scores in (("a", owl), ("b", yak))
    ]
    expected = (kernels[0] * kernels[1]).sum(axis=1) * size**2
    assert sum(cells["items"]) == pytest.approx(1000, rel=0.02)
    assert np.max(np.abs(cells["items"] - expected)) < 0.15 * expected.max()  # cells are about one kernel wide
    check(picture, "svg", "json")


def test_few_different_scores_are_points_however_many_items() -> None:
    rng = np.random.default_rng(0)
    scores = {name: rng.integers(1, 6, size=5000).tolist() for name in ("owl", "yak")}
    columns = bt.plot("joint", scores, "owl", "yak").columns
    assert sum(columns["items"]) == 5000
    assert columns["a_low"] == columns["a_high"]


@pytest.mark.parametrize(("owl", "shaded", "side"), [(2.5, "owl", 0), (0.0, "yak", -1), (None, None, None)])
def test_the_half_with_more_items_is_shaded(owl: float | None, shaded: str | None, side: int | None) -> None:
    scores = {"owl": [2.0, 0.0] if owl is None else [owl, owl], "yak": [1.0, 1.0]}
    spec = bt.plot("joint", scores, "owl", "yak").spec
    layers = spec["vconcat"][1]["hconcat"][0]["layer"]
    titles = [layers[0]["encoding"][axis]["title"] for axis in "xy"]
    assert [name for name, words in titles if words.endswith("(shaded)")] == ([shaded] if shaded else [])
    if side is None:
        assert layers[0]["mark"]["opacity"] == 0
    else:
        domain = layers[0]["encoding"]["x"]["scale"]["domain"]
        data = next(rows for rows in spec["datasets"].values() if "side" in rows[0])
        assert {row["side"] for row in data} == {domain[side]}


def test_ties_within_the_tolerance_are_a_bar_of_their_own() -> None:
    columns = bt.plot("differences", {"owl": [1.0, 2.0, 3.0, 4.0], "yak": [1.0, 2.05, 2.0, 5.0]}, tolerance=0.1).columns
    assert columns["side"][-1] == "tied"
    assert columns["items"][-1] == 2
    assert sum(columns["items"]) == 4


def test_what_kept_the_scores_for_pictures_is_not_shown() -> None:
    duel = bt.compare({"owl": [3, 5, 4, 6], "yak": [2, 1, 4, 3]}, "owl", "yak")
    assert duel.differences is not None
    assert "differences" not in duel.to_dict()
    assert "Differences" not in repr(duel)
    assert "Differences" not in duel.to_text()


def test_agreement_over_several_data_sets_is_the_mean() -> None:
    rows = {
        "system": ["owl", "yak", "elk"] * 4,
        "instance": [1, 1, 1, 2, 2, 2] * 2,
        "metric": ["m"] * 6 + ["n"] * 6,
        "score": [3, 2, 1, 9, 4, 2, 1, 2, 3, 9, 2, 5],
    }
    boards = bt.rank(bt.read_scores(rows), model="mean,median,bradley-terry", ci="none")
    taus = [each.kendall for each in boards.disagreement if (each.a, each.b) == ("mean", "bradley-terry")]
    cells = zip(*boards.plot.agreement().columns.values(), strict=True)
    mean = {(row, column): value for row, column, value in cells}["mean", "bradley-terry"]
    assert mean == sum(taus) / 2
    single = boards.plot.agreement(data_set="m").columns["kendall"]
    assert single != boards.plot.agreement(data_set="n").columns["kendall"]
    with pytest.raises(bt.BetterthanError) as refused:
        boards.plot.bump()
    assert str(refused.value) == "this picture is of one data set; there are: 'm', 'n'. Choose one with data_set=."
    assert boards.plot.bump(data_set="n").columns["rank"]


def test_the_ends_of_meetings_follow_the_order() -> None:
    votes = {"left": ["owl"] * 10, "right": ["yak"] * 5 + ["elk"] * 5, "winner": ["a", "b"] * 5}
    columns = bt.plot("meetings", bt.read_judgments(votes), ends=True).columns
    met = {(panel, one): number for panel, one, two, number in zip(*columns.values(), strict=True) if two == "owl"}
    assert met == {("first 20 %", "yak"): 2.0, ("last 20 %", "elk"): 2.0}


def test_the_course_of_ratings_is_the_same_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = bt.read_judgments(arena(), item="prompt_id", judge="judge", weight="weight")
    elo = Elo(k=32)
    games = one_data_set(evidence).statistic(Games, elo.order)
    plain = elo.course(games, [0, 7, 200, 400])
    monkeypatch.setattr(compiled, "PAYS", 1)
    assert np.array_equal(elo.course(games, [0, 7, 200, 400]), plain)
    assert np.array_equal(plain[-1], elo.player(games, 1)(None)[0])
    assert np.array_equal(elo.course(games, [400]), plain[-1:])


def test_growth_ends_with_all_the_evidence() -> None:
    evidence = bt.read_judgments(arena(judgments=2000), item="prompt_id", judge="judge")
    columns = bt.plot("growth", evidence, unit="row", resamples=40).columns
    assert len(columns["amount"]) >= 8
    assert columns["amount"][-1] == 2000
    assert columns["clusters"][-1] > columns["clusters"][0]
    for low, mean, high in zip(columns["low"], columns["clusters"], columns["high"], strict=True):
        assert 1 <= low <= mean <= high <= 5
    assert bt.plot("growth", evidence, unit="row", resamples=40).columns == columns  # the same seed, the same numbers
    assert bt.plot("growth", evidence, unit="item", resamples=40).columns["amount"][-1] == 40


def test_growth_of_several_models_is_that_of_each() -> None:
    evidence = bt.read_judgments(arena(judgments=400), item="prompt_id", judge="judge")
    models = ("bradley-terry", "expected-wins", "elo(shuffles=2)")
    both = bt.plot("growth", evidence, unit="row", resamples=20, model=",".join(models)).columns
    assert list(dict.fromkeys(both["model"])) == list(models)
    for name in models:
        alone = bt.plot("growth", evidence, unit="row", resamples=20, model=name).columns
        kept = [place for place, model in enumerate(both["model"]) if model == name]
        for column in ("amount", "clusters", "low", "high"):
            assert [both[column][place] for place in kept] == list(alone[column]), (name, column)


def test_the_decision_chart_leads_where_advice_leads() -> None:
    """Follow the answers from the first question on: every way ends as `advise` does."""
    columns = bt.plot("decision-chart").columns
    to = {(one, said): two for one, said, two in zip(columns["from"], columns["answer"], columns["to"], strict=True)}

    def end(**answers: str) -> str:
        place = "confident"
        while place in answers:
            place = to[place, answers[place]]
        return place

    calm = {"confident": "no", "ties": "no"}
    assert end(confident="yes") == end(confident="no", ties="yes") == end(**calm, measure="yes") == "global"
    assert end(**calm, measure="no") == "pairs"
    assert end(**calm, measure="not known", vary="yes") == "pairs"
    assert end(**calm, measure="not known", vary="no") == "global"
    rng = np.random.default_rng(2)
    scores = {name: (rng.normal(size=80) + place).tolist() for place, name in enumerate("abc")}
    report = {"global": "mean", "pairs": "bradley-terry"}
    for measure, answer in (("clear", "yes"), ("hard", "no")):
        assert bt.advise(scores, measure=measure).mechanism == report[end(**calm, measure=answer)]
    assert bt.advise(scores).mechanism == report[end(**calm, measure="not known", vary="no")]


def _some_evidence(kind: str) -> Any:
    rng = np.random.default_rng(3)
    if kind == "judgments":
        return bt.read_judgments(arena(judgments=300), item="prompt_id", judge="judge")
    if kind == "rankings":
        ranks = np.argsort(np.argsort(rng.normal(np.arange(4) / 2, 1.0, size=(60, 4)), axis=1), axis=1) + 1
        return bt.read_rankings({name: ranks[:, place] for place, name in enumerate("abcd")})
    return {name: rng.normal(place / 3, 1.0, 60).tolist() for place, name in enumerate("abcd")}


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("judgments", "elo"),
        ("judgments", "win-rate"),
        ("judgments", "hopkins-may(noise=0,burn_in=20,sweeps=20,seed=7)"),
        ("rankings", "trueskill(players=3)"),
        ("rankings", "plackett-luce"),
        ("rankings", "trueskill(preset=wmt)"),
        ("scores", "mean"),
        ("scores", "median"),
        ("scores", "elo"),
    ],
)
def test_growth_of_any_model_ends_with_its_leaderboards(kind: str, model: str) -> None:
    evidence = _some_evidence(kind)
    unit = {"judgments": "item", "rankings": "ranking", "scores": "item"}[kind]
    columns = bt.plot("growth", evidence, model=model, unit=unit, resamples=20, seed=4).columns
    boards = [bt.rank(evidence, model=model, unit=unit, resamples=20, seed=4 + turn).board for turn in range(6)]
    whole = [max(row.cluster for row in board if row.cluster is not None) for board in boards]
    assert columns["clusters"][-1] == np.mean(whole)
    assert (columns["low"][-1], columns["high"][-1]) == (min(whole), max(whole))


@pytest.mark.parametrize(
    ("kind", "statistic", "rows"),
    [("judgments", Games, "left"), ("rankings", Orders, "weight"), ("scores", ScoreMatrix, "values")],
)
def test_parts_of_rows_are_whole_units_in_their_order(kind: str, statistic: type, rows: str) -> None:
    data = one_data_set(_some_evidence(kind), unit={"judgments": "item", "rankings": "ranking"}.get(kind, "item"))
    whole = data.statistic(statistic, "auto" if kind == "judgments" else "average")
    unit = whole.units.factors[0] if whole.units.factors else np.arange(whole.units.rows)
    # Rows are marked by weights of their own, so that they can be found again.
    marked = replace(whole, weight=1.0 + np.arange(whole.units.rows)) if hasattr(whole, "weight") else whole
    part = marked.some_units(whole.units.size // 2, np.random.default_rng(1))
    assert len(getattr(part, rows)) == part.units.rows
    if hasattr(whole, "weight"):
        places = (part.weight - 1).astype(int)
    else:
        places = np.array([np.flatnonzero(np.all(whole.values == row, axis=1))[0] for row in part.values])
    assert np.all(np.diff(places) > 0)
    chosen = set(unit[places].tolist())
    assert len(chosen) == whole.units.size // 2 == part.units.size
    assert set(np.flatnonzero(np.isin(unit, list(chosen))).tolist()) == set(places.tolist())
    if kind == "rankings":
        entries = [(whole.ranking == place) for place in places]
        assert part.system.tolist() == [code for mark in entries for code in whole.system[mark].tolist()]
        assert part.rank.tolist() == [rank for mark in entries for rank in whole.rank[mark].tolist()]
    if kind == "judgments":
        for column in ("left", "right", "outcome"):
            assert getattr(part, column).tolist() == getattr(whole, column)[places].tolist()


def test_loss_curves_are_the_paper_s_formulas() -> None:
    """v is the mean of a normal variable cut off by the outcome, and 1 − w its variance, by integration."""
    columns = bt.plot("loss-curves").columns
    lines = list(zip(columns["panel"], columns["series"], columns["x"], columns["value"], strict=True))
    assert len(lines) == 6 * 61
    for panel, series, t, value in lines:
        if series == "hopkins-may":
            tie = -np.sign(t) * max(abs(t) - 0.5, 0.0)
            assert value == pytest.approx(max(0.5 - t, 0.0) if panel == "t, v of a win" else tie)
            continue
        low, high = (0.5 / 0.8, np.inf) if panel.endswith("win") else (-0.5 / 0.3, 0.5 / 0.3)
        gap = t / (0.8 if panel.endswith("win") else 0.3)
        cut = stats.truncnorm(low - gap, high - gap)
        assert value == pytest.approx(cut.mean() if ", v" in panel else 1 - cut.var(), abs=1e-9)


def test_a_picture_of_models_takes_no_evidence() -> None:
    assert _refusal(lambda: bt.plot("loss-curves", VOTES)) == (
        "loss-curves is a picture of models, not of evidence. Leave the file out."
    )
    assert _refusal(lambda: bt.plot("graph")) == "graph is a picture of evidence. Give a file, or several."


@pytest.mark.parametrize(("unit", "kind"), [("row", RowUnits), ("item", GroupedUnits)])
def test_parts_of_judgments_are_drawn_without_replacement(unit: str, kind: type) -> None:
    evidence = bt.read_judgments(arena(), item="prompt_id", judge="judge")
    counts = one_data_set(evidence, unit=unit).pairs()
    assert isinstance(counts.units, kind)
    _check_part(counts)


def test_parts_of_scores_are_drawn_without_replacement() -> None:
    rng = np.random.default_rng(0)
    counts = one_data_set({name: rng.normal(size=50).tolist() for name in "abc"}).pairs()
    assert isinstance(counts.units, ScoredUnits)
    _check_part(counts)


def _check_part(counts: Any) -> None:
    rng = np.random.default_rng(0)
    everything = counts.some_units(counts.units.size, rng)
    assert np.allclose(everything.outcomes, counts.outcomes)
    half = counts.some_units(counts.units.size // 2, rng)
    assert half.units.size == counts.units.size // 2
    assert np.all(half.outcomes <= counts.outcomes)
    drawn = half.units.resample(rng, 3).sum(axis=(0, 1))
    assert np.all(drawn > 0)


def _refusal(call: Any) -> str:
    with pytest.raises(bt.BetterthanError) as refused:
        call()
    return str(refused.value)


VOTES = {"left": ["owl"] * 4, "right": ["yak"] * 4, "winner": ["a", "b", "a", "tie"]}


def test_judgments_have_no_scores_to_draw() -> None:
    duel = bt.compare(bt.read_judgments(VOTES), "owl", "yak")
    said = (
        "this picture needs scores, but 'owl' and 'yak' were compared by judgments, which say who won, not by how much. "
        "Draw the matrix of all pairs instead."
    )
    assert _refusal(duel.plot.joint) == _refusal(duel.plot.differences) == said


def test_what_a_result_lacks_cannot_be_drawn() -> None:
    votes = bt.read_judgments(VOTES)
    assert _refusal(bt.rank(votes, ci="none").board.plot.ranks) == (
        "this leaderboard has no draws to show ranks of (ci='none'). Rank again with ci='bootstrap'."
    )
    assert _refusal(bt.diagnose(votes).plot.judges) == (
        "there are no judges in this evidence. Name their column with judge."
    )
    assert _refusal(bt.compare_all(votes).plot.critical_difference) == (
        "a critical-difference diagram needs average ranks: scores of three systems or more, all of them scored on the "
        "same two items or more. Draw the matrix of all pairs instead."
    )
    assert _refusal(lambda: bt.plot("bump", votes, model="elo")) == (
        "there is only one model, elo. Rank with several: model='bradley-terry,win-rate'."
    )


def test_what_plot_does_not_know_is_refused() -> None:
    votes = bt.read_judgments(VOTES)
    refusals = {
        "unknown kind of picture 'leaderbord'. Did you mean 'leaderboard'?": lambda: bt.plot("leaderbord", votes),
        "history has no option 'level'; it has: model, tolerance, title. Leave it out.": lambda: bt.plot(
            "history", votes, level=0.9
        ),
        "graph is a picture of all systems, but 'owl', 'yak' were named. Leave them out.": lambda: bt.plot(
            "graph", votes, "owl", "yak"
        ),
        "joint is a picture of two systems, but 1 was named. Name two.": lambda: bt.plot("joint", votes, "owl"),
        "the history is one of elo's ratings in the order of judgments, got trueskill. Use 'elo(k=20)'.": lambda: (
            bt.plot("history", votes, model="trueskill")
        ),
        "tolerance is for scores, but this evidence is judgments. Leave it out.": lambda: bt.plot(
            "growth", votes, tolerance=0.1
        ),
        "this picture is of one model, and there are: elo, borda. Choose one.": lambda: bt.plot(
            "leaderboard", votes, model="elo,borda"
        ),
    }
    for said, call in refusals.items():
        assert _refusal(call) == said


def test_two_systems_are_enough_for_every_kind() -> None:
    rng = np.random.default_rng(0)
    scores = {"owl": rng.normal(size=30).tolist(), "yak": rng.normal(size=30).tolist()}
    votes = {
        "left": ["owl"] * 40,
        "right": ["yak"] * 40,
        "winner": ["a", "b", "tie", "a"] * 10,
        "judge": ["ann", "bob"] * 20,
    }
    clear = [("owl", "yak", "a")] * 90 + [("owl", "yak", "b")] * 10
    for kind in KINDS:
        if kind not in {"critical-difference", "loss-curves", "decision-chart"}:
            evidence: Any = {"judges": bt.read_judgments(votes), "settled": clear}.get(kind, scores)
            options: Any = {"cost": {"owl": 2, "yak": 1}} if kind == "frontier" else {}
            assert holds_its_numbers(bt.plot(kind, evidence, **options))

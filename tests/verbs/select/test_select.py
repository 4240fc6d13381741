"""From evidence to the model that predicts best, against predictions made one by one; and nothing learns from the test."""

import json
from dataclasses import replace
from itertools import combinations
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config
from scipy import stats

import betterthan as bt
from betterthan import BetterthanError, PlanError
from betterthan.datasets.data_sets_of import data_sets
from betterthan.models.base import known_models
from betterthan.verbs.select.baselines import BOUND, CONSTANT
from betterthan.verbs.select.candidates import compete
from betterthan.verbs.select.divisible_evidence import Pieces, cut_up
from betterthan.verbs.select.select_model import select
from betterthan.verbs.select.trial import Contest
from betterthan.verbs.select.unit_splits import by_amounts, by_folds
from tests.verbs.select.worlds import take, votes
from tests.verbs.study.rankings import ballots

MODELS = ("expected-wins", "hopkins-may", "trueskill(preset=wmt)", "bradley-terry", "davidson", "elo(k=4|32)")


def _contest(evidence: Any, *models: str, unit: str = "item", sizes: tuple[int | None, ...] = (None,)) -> Contest:
    candidates = compete(models, seed=0)
    built = [model for candidate in candidates for _, model in candidate.alternatives]
    return Contest(cut_up(data_sets(evidence, unit=unit).sets[0], built), candidates, sizes, "log_loss")


def _rows(pieces: Pieces, units: np.ndarray) -> list[int]:
    return pieces.part(units).rows.tolist()


def test_a_split_is_what_ranking_the_training_part_and_predicting_the_rest_one_by_one_gives() -> None:
    columns = votes(400)
    contest = _contest(columns, "davidson", "elo")  # one that needs an order keeps rows as they are in the file
    split = by_folds(len(contest.pieces.per_unit), 4, 1, seed=3)[1]
    found = contest(split).scores[0]["davidson"]
    train, dev, test = (take(columns, _rows(contest.pieces, units)) for units in (split.train, split.dev, split.test))
    board = bt.rank(train, model="davidson", ci="none").board

    def rows(part: dict[str, list[str]]) -> list[tuple[str, str, str]]:
        return list(zip(part["left"], part["right"], part["winner"], strict=True))

    chances = [
        dict(zip(("a", "tie", "b"), board.probability(left, right), strict=True)) for left, right, _ in rows(test)
    ]
    outcomes = [winner for _, _, winner in rows(test)]
    log_loss = np.mean([-log(each[winner]) for each, winner in zip(chances, outcomes, strict=True)])
    assert found.measures["log_loss"] == pytest.approx(log_loss, abs=1e-9)
    brier = np.mean(
        [
            sum((each[word] - (word == winner)) ** 2 for word in each)
            for each, winner in zip(chances, outcomes, strict=True)
        ]
    )
    assert found.measures["brier"] == pytest.approx(brier, abs=1e-9)

    strength = {row.system: row.log_strength for row in board}
    spread = float(np.std(list(strength.values())))

    def right(part: dict[str, list[str]], radius: float) -> float:
        gaps = [((strength[left] - strength[right]) / spread, winner) for left, right, winner in rows(part)]
        return float(
            np.mean([("tie" if abs(gap) <= radius else "a" if gap > 0 else "b") == winner for gap, winner in gaps])
        )

    tried = np.linspace(0, 4, 4001)
    best = tried[np.argmax([right(dev, radius) for radius in tried])]
    assert found.measures["accuracy"] == pytest.approx(right(test, best))
    assert found.accuracy_radius == pytest.approx(best, abs=0.5)


def test_intervals_and_tests_are_corrected_by_all_that_is_left_for_training() -> None:
    columns, models = votes(400), ("davidson", "win-rate", "elo")
    found = select(columns, ",".join(models), unit="row", dev=50, test=50, sizes=[60], repeats=5)
    contest = _contest(columns, *models, unit="row", sizes=(60,))
    scores = [contest(split).scores[0] for split in by_amounts(np.ones(400), 50, 50, 5, seed=0)]
    losses = {name: np.array([each[name].measures["log_loss"] for each in scores]) for name in models}
    factor = 1 / 5 + 50 / 300
    estimate = found["davidson"].measures["log_loss"]
    assert estimate.value == pytest.approx(losses["davidson"].mean())
    reach = stats.t.ppf(0.975, 4) * np.std(losses["davidson"], ddof=1) * np.sqrt(factor)
    assert (estimate.low, estimate.high) == pytest.approx((estimate.value - reach, estimate.value + reach))
    by_hand = []
    for a, b in combinations(models, 2):
        gap = losses[a] - losses[b]
        t = gap.mean() / (np.std(gap, ddof=1) * np.sqrt(factor))
        by_hand.append(float(2 * stats.t.sf(abs(t), 4)))
    tests = [versus for versus in found.versus if versus.measure == "log_loss"]
    assert [versus.p for versus in tests] == pytest.approx(by_hand, rel=1e-5)
    low, middle, high = sorted(by_hand)
    holm = [3 * low, max(3 * low, 2 * middle), max(3 * low, 2 * middle, high)]
    assert sorted(versus.p_adjusted for versus in tests) == pytest.approx(np.minimum(holm, 1.0), rel=1e-5)
    radii = [each["win-rate"].radius for each in scores]
    assert found["win-rate"].radius == pytest.approx(np.median(radii))  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", ["item", "judge", "row"])
def test_nothing_is_tuned_on_what_is_tested(unit: str) -> None:
    """Turn all outcomes of the test part round: every prediction stays, and only the measures change."""
    contest = _contest(votes(400), *MODELS, unit=unit, sizes=(60, None))
    for split in by_folds(len(contest.pieces.per_unit), 4, 1, seed=0)[:2]:
        tested = _rows(contest.pieces, split.test)
        outcome = contest.pieces.tally.outcome.copy()
        outcome[tested] = np.random.default_rng(0).integers(3, size=len(tested))
        turned = replace(contest, pieces=replace(contest.pieces, tally=replace(contest.pieces.tally, outcome=outcome)))
        for before, after in zip(contest(split).scores, turned(split).scores, strict=True):
            for name in (*MODELS, CONSTANT):
                one, two = before[name], after[name]
                assert (one.alternative, one.radius, one.accuracy_radius) == (
                    two.alternative,
                    two.radius,
                    two.accuracy_radius,
                )
                # Sums and numbers of the chances given to the judgments of the test part, bin by bin.
                assert np.array_equal(one.bins[2], two.bins[2])
                assert one.bins[0] == pytest.approx(two.bins[0], rel=1e-12)
                assert one.measures["log_loss"] != two.measures["log_loss"]


def test_what_is_tuned_comes_from_the_development_part() -> None:
    contest = _contest(votes(400), "bradley-terry")
    split = by_folds(len(contest.pieces.per_unit), 4, 1, seed=0)[0]
    outcome = contest.pieces.tally.outcome.copy()
    outcome[_rows(contest.pieces, split.dev)] = 1
    tied = replace(contest, pieces=replace(contest.pieces, tally=replace(contest.pieces.tally, outcome=outcome)))
    before, after = (each(split).scores[0]["bradley-terry"] for each in (contest, tied))
    assert before.radius is not None
    assert after.radius is not None
    assert after.radius > before.radius
    assert after.bins[0][9] > 0.99 * after.bins[2][9]  # ties are all that was seen, and all that is predicted
    assert after.measures["accuracy"] < before.measures["accuracy"]


def test_the_same_seed_gives_the_same_bits_on_one_core_and_on_several() -> None:
    columns = votes(300)
    choices: dict[str, Any] = {"models": ",".join(MODELS), "repeats": 2, "sizes": [50, 100]}
    found = select(columns, **choices)
    with parallel_config(backend="sequential"):
        assert select(columns, **choices).to_json() == found.to_json()
    assert select(columns, **choices, seed=1).to_json() != found.to_json()


def test_engine_and_order_of_rows_do_not_matter_where_no_model_minds(tmp_path: Path) -> None:
    columns = votes(300)
    shuffled = take(columns, np.random.default_rng(0).permutation(300).tolist())
    file = tmp_path / "votes.csv"
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    file.write_text("\n".join(lines) + "\n")
    for unit in ("item", "row"):
        found = [
            select(each, "bradley-terry,davidson", unit=unit, repeats=1).to_json() for each in (columns, shuffled, file)
        ]
        assert found[0] == found[1] == found[2]


def test_a_counted_judgment_is_as_many_judgments() -> None:
    columns = votes(300, items=20)
    rows = list(zip(*columns.values(), strict=True))
    counted = {row: rows.count(row) for row in sorted(set(rows))}
    table = dict(zip(columns, map(list, zip(*counted, strict=True)), strict=True)) | {"n": list(counted.values())}
    for unit in ("item", "row"):
        one = select(columns, "bradley-terry,davidson", unit=unit, repeats=1)
        two = select(bt.read_judgments(table, counts=["n"]), "bradley-terry,davidson", unit=unit, repeats=1)
        assert {**one.to_dict(), "read_as": None} == {**two.to_dict(), "read_as": None}


def test_a_weight_counts_as_often_in_every_measure() -> None:
    columns = votes(300)
    twice = {**columns, "weight": [2.0] * 300}
    one, two = (select(each, "bradley-terry,davidson", repeats=1) for each in (columns, twice))
    for name in ("bradley-terry", "davidson", CONSTANT, BOUND):
        for measure, found in one[name].measures.items():
            assert two[name].measures[measure].value == pytest.approx(found.value, abs=1e-6)
    assert one.sizes == two.sizes  # judgments are counted, not weighed


def test_the_true_model_is_found_and_the_constant_is_beaten() -> None:
    found = select(votes(3000, systems=8), "bradley-terry,rao-kupper,davidson", repeats=2, folds=4)
    assert [finding.code for finding in found.findings] == ["other-units"]
    assert found["rao-kupper"].measures["log_loss"].value < found[CONSTANT].measures["log_loss"].value
    for row in found.rows:
        for measure, estimate in row.measures.items():
            assert estimate.low <= estimate.value <= estimate.high, measure
        assert row.measures["perplexity"].value == pytest.approx(np.exp(row.measures["log_loss"].value), rel=1e-3)
    better, worse = found[BOUND].measures, found["rao-kupper"].measures
    assert better["accuracy"].known > worse["accuracy"].known
    assert better["log_loss"].known < worse["log_loss"].known
    assert better["calibration_error"].known == pytest.approx(0.0, abs=1e-12)


def test_a_model_is_not_told_apart_from_itself() -> None:
    found = select(votes(300), "elo(seed=1),elo(seed=2)", repeats=1)  # in the order of the file no seed matters
    for versus in found.versus:
        assert (versus.difference.value, versus.p, versus.p_adjusted) == (0.0, 1.0, 1.0)
    assert found.verdict == (
        f"Lowest log loss after training on {found.sizes[-1]:,} judgments: elo(seed=1); no other model is significantly "
        "worse. Highest accuracy: elo(seed=1); no other model is significantly worse."
    )


def test_the_same_model_competes_once() -> None:
    for models in ("bradley-terry,bradley-terry(ties=half)", "elo(k=16|32),elo(k=32|16)"):
        with pytest.raises(PlanError, match=r"is the same as .* Name it once"):
            select(votes(100), models)


def test_sides_do_not_matter() -> None:
    columns = votes(300)
    turned = [{"a": "b", "b": "a"}.get(winner, winner) for winner in columns["winner"]]
    other = {**columns, "left": columns["right"], "right": columns["left"], "winner": turned}
    found, same = (select(each, "davidson", unit="row", repeats=1).to_json() for each in (columns, other))
    assert found == same


def test_alternatives_are_chosen_on_the_development_part_and_counted() -> None:
    columns = votes(600)
    found = select(columns, ["elo(k=0.5|16|400, initial=0)", "bradley-terry"], repeats=2)
    row = found["elo(k=0.5|16|400, initial=0)"]
    assert sum(row.taken.values()) == found.splits == 10
    assert set(row.taken) <= {f"elo(k={k},initial=0)" for k in ("0.5", "16", "400")}
    assert row.taken.get("elo(k=400,initial=0)", 0) == 0  # follows the last judgments
    assert found["bradley-terry"].taken == {"bradley-terry": 10}
    assert "elo(k=16,initial=0) " in found.to_text()
    worst = select(columns, "elo(k=400,initial=0),bradley-terry", repeats=2)
    assert row.measures["log_loss"].value < worst["elo(k=400,initial=0)"].measures["log_loss"].value
    by_accuracy = select(columns, "elo(k=0.5|16|400)", repeats=2, tune_by="accuracy")
    assert "|tune_by:accuracy|" in str(by_accuracy.signature)


#: Models of scores alone, and of judgments that people made as well.
_OF_OTHER_EVIDENCE = {"mean", "median", "corpus", "corrected-mean", "corrected-bradley-terry"}


@pytest.mark.parametrize("model", [name for name in known_models() if name not in _OF_OTHER_EVIDENCE])
def test_every_model_competes_however_little_there_is_to_train_on(model: str) -> None:
    with parallel_config(backend="sequential"):  # here a warning is an error
        found = select(votes(120, systems=6, items=30), model, sizes=[1, 3, 30], repeats=1, folds=3)
    assert len(found.rows) == 3 * 4
    json.loads(found.to_json())  # no number is infinite or none at all
    assert [finding.code for finding in found.findings].count("absent-systems") == 1


def test_whole_rankings_stay_whole_and_in_training_only() -> None:
    rng = np.random.default_rng(0)
    ranks = np.argsort(np.argsort(rng.normal(size=(90, 4)) + np.arange(4) * 0.5)) + 1
    table = {name: ranks[:, place].tolist() for place, name in enumerate("abcd")}
    evidence = bt.read_rankings({**table, "item": [f"i{number // 3}" for number in range(90)]})
    models = ("plackett-luce", "trueskill(players=all)", "trueskill", "bradley-terry")
    for unit in ("ranking", "item"):
        contest = _contest(evidence, *models, unit=unit)
        split = by_folds(len(contest.pieces.per_unit), 5, 1, seed=0)[0]
        orders = contest.pieces.statistic(
            contest.candidates[0].alternatives[0][1], contest.pieces.part(split.train, 20)
        )
        assert len(orders.weight) == 4  # 20 comparisons, 6 in a ranking: the fourth is taken whole
        names = {
            contest.pieces.tally.units["ranking"].labels[code]
            for code in contest.pieces.tally.units["ranking"].codes[_rows(contest.pieces, split.train)]
        }
        whole = contest.pieces.statistic(contest.candidates[0].alternatives[0][1], contest.pieces.part(split.train))
        kept = [place for place, label in enumerate(evidence.about["ranking"].texts()) if label in names]
        assert np.array_equal(whole.rank, evidence.rank[np.isin(evidence.ranking, kept)])
        assert len(whole.weight) == len(kept) == 54
        games = contest.pieces.statistic(contest.candidates[2].alternatives[0][1], contest.pieces.part(split.train, 20))
        assert len(games.left) == 20
    found = select(evidence, ",".join(models), repeats=1)
    assert (found.kind, found.unit, found.units, found.judgments) == ("rankings", "item", 30, 540)
    with pytest.raises(PlanError, match="plackett-luce resamples whole rankings, not rows"):
        select(evidence, "plackett-luce", unit="row")


def test_scores_compete_by_their_pairs_per_item() -> None:
    rng = np.random.default_rng(0)
    scores = {
        name: (rng.normal(size=80) + shift).round(1).tolist() for name, shift in zip("abc", (0, 0.3, 0.6), strict=True)
    }
    scores["a"][3] = None
    found = select(scores, repeats=1, tolerance=0.1)
    assert found.models == ("mean", "median", "bradley-terry", "davidson")
    assert (found.kind, found.unit, found.units, found.judgments) == ("scores", "item", 80, 238)
    assert "|tolerance:0.1" in str(found.signature)
    negated = {name: [None if value is None else -value for value in values] for name, values in scores.items()}
    turned = select(bt.read_scores(negated, lower_is_better=True), repeats=1, tolerance=0.1)
    assert turned["mean"].measures == found["mean"].measures


def test_judgments_without_order_compete_without_the_model_that_needs_it() -> None:
    table = {
        "left": ["a", "a", "b"] * 10,
        "right": ["b", "c", "c"] * 10,
        "outcome": ["left", "tie", "right"] * 10,
        "n": [3] * 30,
    }
    found = select(bt.read_judgments(table, counts=["n"]), repeats=1)
    assert "trueskill(preset=wmt)" not in found.models
    assert found.findings[0].code == "no-order"
    with pytest.raises(BetterthanError, match="counted judgments have no order"):
        select(bt.read_judgments(table, counts=["n"]), "elo", repeats=1)


def test_doubts() -> None:
    rng = np.random.default_rng(0)
    noise = {
        "left": ["a"] * 60,
        "right": rng.choice(["b", "c"], 60).tolist(),
        "item": [f"i{n // 3}" for n in range(60)],
        "winner": rng.choice(["a", "b"], 60).tolist(),
    }
    codes = {finding.code for finding in select(noise, "bradley-terry", repeats=1).findings}
    assert codes == {"few-units", "no-better-than-constant"}
    noise["winner"][7] = "tie"  # one tie in all: where it is tested, nothing was known of ties
    found = select(noise, "bradley-terry", repeats=1).findings
    beats = {"stone": "shears", "shears": "paper", "paper": "stone"}
    names = rng.choice([*beats], 400).tolist()
    circle = [(name, beats[name], "a") for name in names]  # no order of the three explains it
    assert "worse-than-frequencies" in {finding.code for finding in select(circle, "bradley-terry", repeats=1).findings}
    assert "The model bradley-terry gave up to" in next(
        finding.message for finding in found if finding.code == "surprised"
    )


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"folds": 2}, "folds must be a whole number from 3 to 1,000,000,000, got 2."),
        (
            {"folds": 50},
            "50 folds need at least as many items, and there are 40. Use fewer folds (at least 3), or split by another unit.",
        ),
        ({"repeats": 0}, "repeats must be a whole number from 1 to 1,000,000,000, got 0."),
        ({"dev": 50}, "dev and test go together. Give both, or folds."),
        (
            {"dev": 50, "test": 50, "repeats": 1},
            "repeats must be at least 2 where dev and test are given: one split has no interval.",
        ),
        ({"dev": 50, "test": 50, "folds": 4}, "folds and dev with test are alternatives. Leave one of them out."),
        ({"dev": 50, "test": True}, "test must be a whole number from 1 to 1,000,000,000, got True."),
        (
            {"dev": 200, "test": 200},
            "200 judgments to test on and 200 to tune on leave nothing to train on: there are 300 judgments in 40 units, which stay whole. Ask for fewer.",
        ),
        ({"sizes": [0, 10]}, "sizes must be a whole number from 1 to 1,000,000,000, got 0."),
        ({"sizes": [10, 10]}, "sizes must differ, got 10, 10. Give each once."),
        (
            {"unit": "row", "sizes": [181]},
            "sizes ask for 181 judgments to train on, and the smallest split leaves 180 of 300. Use smaller sizes, or hold fewer judgments out.",
        ),
        (
            {"unit": "item+judge"},
            "unit must be one of ranking, group, item, judge, row, got 'item+judge'. Did you mean 'judge'?",
        ),
        (
            {"unit": "ranking"},
            "the given arrays: there is no ranking column to split by; allowed: item, judge, row. Name the column with ranking.",
        ),
        ({"tune_by": "brier"}, "tune_by must be one of log_loss, accuracy, got 'brier'."),
        ({"level": 0.3}, "level must be a number of at least 0.5 and below 1, got 0.3; 95 % is 0.95."),
        ({"tolerance": 0.1}, "tolerance is for scores, but this evidence is judgments. Leave it out."),
        (
            {"models": "mean"},
            "mean ranks scores, but this evidence is judgments. Use a model for judgments, such as bradley-terry or win-rate.",
        ),
        ({"models": "elo(k=8|8)"}, "elo(k=8|8): the alternative 'elo(k=8)' is there twice. List each value once."),
        ({"models": "elo(k=8|x)"}, "elo: k must be a number above 0 and at most 1e+09, got 'x'"),
        (
            {"models": "elo(order=file),elo(order=time)"},
            "some models take judgments in the order of the file, others by time. Give all models the same order, such as order=file.",
        ),
    ],
)
def test_what_is_refused(choices: dict[str, Any], message: str) -> None:
    columns = votes(300)
    if "time" in str(choices):
        columns["time"] = [str(row) for row in range(300)]
    with pytest.raises(BetterthanError) as refused:
        select(columns, **choices)
    assert str(refused.value) == message


def test_several_data_sets_are_refused() -> None:
    scores = {
        "system": ["a", "b"] * 20,
        "item": [str(n // 2) for n in range(40)],
        "bleu": [1.0, 2.0] * 20,
        "chrf": [2.0, 1.0] * 20,
    }
    with pytest.raises(PlanError) as refused:
        select(bt.read_scores(scores, system="system", item="item", score=["bleu", "chrf"]))
    assert str(refused.value) == (
        "the choice of a model is of one metric and data set, and there are 2: 'bleu', 'chrf'. "
        "Choose one by the column 'metric' with where."
    )


def test_every_form_of_the_result() -> None:
    found = select(votes(300), "bradley-terry,davidson,elo(k=8|16)", sizes=[50, 100], repeats=2)
    assert all(len(line) <= 80 for line in found.to_text(80).splitlines() if not line.startswith("betterthan "))
    document = json.loads(found.to_json())
    assert document == found.to_dict()
    assert document["sizes"] == [50, 100]
    assert len(document["rows"]) == 2 * (3 + 3)
    assert len(document["versus"]) == 2 * 3
    columns = found.columns()
    assert {len(values) for values in columns.values()} == {2 * 6 * 5}
    place = [
        row
        for row in range(60)
        if (columns["model"][row], columns["size"][row], columns["measure"][row]) == ("davidson", 100, "brier")
    ]
    assert [columns["value"][row] for row in place] == [found["davidson"].measures["brier"].value]
    assert found.to_markdown().count("\n| davidson |") == 1 + 2 + 2 + 1  # measures, curves, tests, what was tuned
    assert "\\toprule" in found.to_latex()
    assert found._repr_html_().count("<table>") == len(found.tables()) == 6
    with pytest.raises(KeyError, match="no model 'owl'; there are: bradley-terry, davidson"):
        found["owl"]
    assert bt.Signature.parse(str(found.signature)).facts["models"] == "bradley-terry,davidson,elo(k=8|16)"


def test_rankings_are_divided_as_a_whole() -> None:
    """300 rankings of four systems: more to learn from predicts better, and the bounds enclose every model."""
    found = select(
        ballots(300)[0],
        "expected-wins,bradley-terry,davidson",
        sizes=[60, 600],
        dev=300,
        test=300,
        repeats=4,
        unit="ranking",
    )
    assert (found.units, found.judgments, found.splits, found.tested) == (300, 1800, 4, 300)
    bound, constant = (found[name].measures["accuracy"].value for name in (BOUND, CONSTANT))
    for model in found.models:
        accuracy = found[model].measures["accuracy"].value
        assert constant < accuracy <= bound + 0.02
        assert 1 < found[model].measures["perplexity"].value < 3
        means = [row.measures["log_loss"].value for row in found.rows if row.model == model]
        assert means[0] > means[1]

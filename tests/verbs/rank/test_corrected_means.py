"""Means by people's labels and a judge's scores: closed forms, coverage of the default call, and misleading judges."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets import GoldMatrix, RowWeights
from betterthan.models import Fit, GoldRegression
from betterthan.verbs.rank import corrected_intervals

Columns = dict[str, list[Any]]


def columns_of(judged: Any, labels: Any, names: Sequence[str] = "AB", **more: Any) -> Columns:
    """Return long columns of judged scores and labels (items × systems, NaN where there is none)."""
    items, systems = judged.shape
    found: Columns = {
        "item": [f"q{item}" for item in range(items) for _ in range(systems)],
        "system": [names[system] for _ in range(items) for system in range(systems)],
        "score": judged.ravel().tolist(),
        "human_score": [None if np.isnan(each) else each for each in labels.ravel().tolist()],
    }
    return found | {name: values.ravel().tolist() for name, values in more.items()}


def lenient(rng: np.random.Generator, items: int = 1000, labelled: int = 60) -> tuple[Any, Any]:
    """Return a judge's scores of two equal systems, lenient to the first, and the labels of some items."""
    truth = (rng.random((items, 2)) < rng.beta(2, 2, items)[:, None]).astype(float)
    judged = np.where(rng.random((items, 2)) < 0.9, truth, 1 - truth)
    judged[:, 0] = np.maximum(judged[:, 0], rng.random(items) < 0.25)
    labels = np.full((items, 2), np.nan)
    chosen = rng.permutation(items)[:labelled]
    labels[chosen] = truth[chosen]
    return judged, labels


def matrix(judged: Any, labels: Any, weight: Any = None) -> GoldMatrix:
    names = tuple("ABCDEFGHIJ"[: judged.shape[1]])
    units = RowWeights("item", (np.arange(len(judged)),), (len(judged),), len(judged))
    weight = np.ones_like(labels) if weight is None else weight
    return GoldMatrix(names, judged, labels, weight, lower_is_better=False, units=units)


# What is estimated -------------------------------------------------------------------------------------------------
def test_one_system_has_the_closed_form_of_prediction_powered_inference() -> None:
    """λ = cov(y, ŷ) / ((1 + n/N) var(ŷ)), with the N scores that have no label (Angelopoulos et al. 2023)."""
    rng = np.random.default_rng(3)
    truth = rng.normal(size=500)
    judged = 0.7 * truth + rng.normal(size=500) + 1
    labels = np.full(500, np.nan)
    labels[:80] = truth[:80]
    found = GoldRegression(matrix(judged[:, None], labels[:, None]))
    own, other = judged[:80], judged[80:]
    slope = np.cov(truth[:80], own)[0, 1] / ((1 + 80 / 420) * np.var(own, ddof=1))
    expected = slope * other.mean() + np.mean(truth[:80] - slope * own)
    assert found.mean[0] == pytest.approx(expected, abs=1e-12)
    variances = np.var(truth[:80] - slope * own, ddof=1) / 80 + slope**2 * np.var(judged, ddof=1) / 420
    errors = corrected_intervals.errors_of(matrix(judged[:, None], labels[:, None]))
    assert np.sqrt(errors.variances[0, 0]) == pytest.approx(np.sqrt(variances), rel=0.05)


def test_a_difference_is_the_regression_of_the_differences() -> None:
    rng = np.random.default_rng(4)
    truth = rng.normal(size=(300, 2)) + rng.normal(size=(300, 1))
    judged = truth + rng.normal(size=(300, 2)) + [0.5, 0]
    labels = np.where(np.arange(300)[:, None] < 50, truth, np.nan)
    found = GoldRegression(matrix(judged, labels))
    design = np.stack([np.ones(300), judged[:, 0] - judged[:, 1], judged.mean(axis=1)], axis=1)
    chosen = np.linalg.lstsq(design[:50], (truth[:, 0] - truth[:, 1])[:50], rcond=None)[0]
    assert found.mean[0] - found.mean[1] == pytest.approx(float((design @ chosen).mean()), abs=1e-12)


def test_labels_of_all_items_are_their_means() -> None:
    judged, labels = lenient(np.random.default_rng(1), 50, 50)
    board = bt.rank(columns_of(judged, labels), score=["score"], gold="human_score").board
    for place, system in enumerate("AB"):
        assert board[system].score == pytest.approx(labels[:, place].mean(), abs=1e-12)


def test_labels_with_known_probabilities_are_weighted() -> None:
    """Hard items are labelled more often: unweighted labels are too low, weighted ones are right on average."""
    plain, weighted = [], []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=(400, 2))
        judged = truth**2 + rng.normal(size=(400, 2))  # a judge that is of little help
        chance = np.where(truth[:, :1] < 0, 0.4, 0.1) * np.ones((1, 2))
        labels = np.where(rng.random((400, 1)) < chance, truth, np.nan)
        plain.append(GoldRegression(matrix(judged, labels)).mean[0])
        weighted.append(GoldRegression(matrix(judged, labels, 1 / chance)).mean[0])
    assert np.mean(plain) < -0.3
    assert abs(np.mean(weighted)) < 0.05


# What is promised --------------------------------------------------------------------------------------------------
def test_a_lenient_judge_does_not_decide() -> None:
    judged, labels = lenient(np.random.default_rng(0))
    columns = columns_of(judged, labels)
    alone = bt.compare({"A": judged[:, 0].tolist(), "B": judged[:, 1].tolist()}, "A", "B")
    assert alone.shown == "better"
    duel = bt.compare(columns, "A", "B", score=["score"], gold="human_score")
    effect = duel.effect("mean_difference")
    assert effect.low < 0 < effect.high
    assert duel.shown is None
    assert duel.effect("judge_difference").value == pytest.approx(judged[:, 0].mean() - judged[:, 1].mean())


@pytest.mark.parametrize("world", ["lenient", "ratings"])
def test_default_calls_keep_their_promises(world: str) -> None:
    """Intervals of means hold the truth, and equal systems are separated, as often as they should."""
    inside, wrong, runs = 0, 0, 300
    for seed in range(runs):
        rng = np.random.default_rng([seed, 11])
        if world == "lenient":
            judged, labels = lenient(rng, 400, 40)
            truth = 0.5
        else:
            real = rng.normal(size=(400, 2)) + rng.normal(size=(400, 1))
            judged = real + 0.5 * rng.normal(size=(400, 2)) + [0.4, 0]
            labels = np.where(rng.permutation(400)[:, None] < 40, real, np.nan)
            truth = 0.0
        statistic = matrix(judged, labels)
        found = GoldRegression(statistic)
        errors = corrected_intervals.errors_of(statistic)
        fit = Fit.plain(statistic.systems, found.mean)
        low, high = corrected_intervals.corrected_intervals(statistic, fit, 0.95)
        if seed < 3:  # what the default call shows
            board = bt.rank(columns_of(judged, labels), score=["score"], gold="human_score").board
            assert [board["A"].low, board["B"].low] == pytest.approx(low)
            assert board.decisions.p[0, 1] == pytest.approx(corrected_intervals.corrected_pair_p(statistic)[0, 1])
        inside += sum(low[place] <= truth <= high[place] for place in range(2))
        wrong += corrected_intervals.corrected_pair_p(statistic)[0, 1] <= 0.05
        assert errors.freedom[0, 0] == pytest.approx(37)
    assert 0.93 <= inside / (2 * runs) <= 0.98
    assert wrong / runs <= 0.075


def test_labels_that_all_agree_have_an_interval() -> None:
    """Thirty right answers do not show that every answer is right."""
    judged = np.ones((500, 2))
    judged[::9, 0] = 0
    labels = np.where(np.arange(500)[:, None] < 30, 1.0, np.nan) * np.ones((1, 2))
    board = bt.rank(columns_of(judged, labels), score=["score"], gold="human_score").board
    assert board["A"].low < 0.95
    assert board["A"].high == 1.0
    assert not board.decisions.above.any()


def test_a_good_judge_saves_nearly_what_it_can() -> None:
    """The best possible variance of a difference is that of labels alone times 1 − ρ²(1 − n/N)."""
    shares = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=(1000, 2))
        judged = truth + 0.5 * rng.normal(size=(1000, 2))
        labels = np.where(rng.permutation(1000)[:, None] < 100, truth, np.nan)
        errors = corrected_intervals.errors_of(matrix(judged, labels))
        alone = 2 / 100
        shares.append(errors.variances[0, 1] / alone)
    best = 1 - 0.8 * (1 - 100 / 1000)
    assert 1 / np.mean(shares) > 0.9 / best


def test_a_judge_that_knows_nothing_costs_next_to_nothing() -> None:
    ratios = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        truth, judged = rng.normal(size=(1000, 2)), rng.normal(size=(1000, 2))
        labels = np.where(rng.permutation(1000)[:, None] < 60, truth, np.nan)
        errors = corrected_intervals.errors_of(matrix(judged, labels))
        known = labels[~np.isnan(labels[:, 0])]
        ratios.append(np.sqrt(errors.variances[0, 1] / (np.var(known[:, 0] - known[:, 1], ddof=1) / 60)))
    assert np.mean(ratios) < 1.05


# One answer on every surface ---------------------------------------------------------------------------------------
@pytest.fixture
def columns() -> Columns:
    return columns_of(*lenient(np.random.default_rng(5), 300, 50))


def test_rank_compare_and_all_pairs_say_the_same(columns: Columns) -> None:
    scores = bt.read_scores(columns, score=["score"], gold="human_score")
    board, duel, pairs = bt.rank(scores).board, bt.compare(scores, "A", "B"), bt.compare_all(scores)
    assert duel.mean_difference == pytest.approx(board["A"].score - board["B"].score, abs=1e-12)
    assert duel.p == pytest.approx(board.decisions.p[0, 1])
    assert duel.p == pytest.approx(pairs.p[0, 1])
    assert duel.data == board.data == pairs.data


def test_a_column_a_file_and_a_judge_give_the_same_labels(columns: Columns, tmp_path: Path) -> None:
    every = list(zip(*columns.values(), strict=True))
    wide = tmp_path / "labels.csv"
    known = {(item, system): label for item, system, _, label in every if label is not None}
    items = dict.fromkeys(item for item, _ in known)
    wide.write_text("item,A,B\n" + "".join(f"{item},{known[item, 'A']},{known[item, 'B']}\n" for item in items))
    judges = [(item, system, "llm", score) for item, system, score, _ in every]
    judges += [(item, system, "ann", label) for (item, system), label in known.items()]
    long = dict(zip(("item", "system", "judge", "score"), map(list, zip(*judges, strict=True)), strict=True))
    plain = {name: values for name, values in columns.items() if name != "human_score"}
    boards = [
        bt.rank(columns, score=["score"], gold="human_score").board,
        bt.rank(plain, gold=str(wide)).board,
        bt.rank(long, gold_judge="ann").board,
    ]
    assert len({board.data for board in boards}) == 1
    assert [board.records for board in boards] == [boards[0].records] * 3


def test_less_is_better_turns_labels_too(columns: Columns) -> None:
    less = bt.rank(columns, score=["score"], gold="human_score", lower_is_better=True).board
    more = bt.rank(columns, score=["score"], gold="human_score").board
    assert less["A"].score == pytest.approx(more["A"].score, abs=1e-12)
    assert [row.system for row in less] == [row.system for row in reversed(list(more))]
    assert less["A"].low == pytest.approx(more["A"].low, abs=1e-12)


def test_groups_of_items_are_the_unit(columns: Columns) -> None:
    columns["document"] = [f"d{int(item[1:]) // 5}" for item in columns["item"]]
    board = bt.rank(columns, score=["score"], gold="human_score", group="document").board
    assert board.settings.unit == "group"
    alone = bt.rank(columns, score=["score"], gold="human_score").board
    assert board["A"].score == alone["A"].score
    assert board["A"].high - board["A"].low != alone["A"].high - alone["A"].low


def test_the_board_shows_what_labels_change(columns: Columns) -> None:
    board = bt.rank(columns, score=["score"], gold="human_score").board
    found = board.corrected("A")
    scores = [score for system, score in zip(columns["system"], columns["score"], strict=True) if system == "A"]
    assert (found.labels, found.by_judge) == (50, pytest.approx(np.mean(scores)))
    assert 30 < found.worth < 300
    assert [each["system"] for each in board.to_dict()["correction"]] == [row.system for row in board]
    assert "labels alone" in board.to_text(120)
    assert bt.rank(columns, score=["score"]).boards[0].correction is None


# Findings and refusals ---------------------------------------------------------------------------------------------
def codes(result: Any) -> list[str]:
    return [finding.code for finding in result.findings]


def test_unused_labels_are_named_with_the_option_that_uses_them(columns: Columns) -> None:
    found = next(each for each in bt.rank(columns).findings if each.code == "labels-unused")
    assert str(found) == (
        "! labels-unused: 'human_score' looks like labels by people next to 'score': 100 of 600 rows have one. "
        "Correct the judge's scores by them: gold='human_score'."
    )
    assert "labels-unused" not in codes(bt.rank(columns, score=["score"], gold="human_score"))
    complete = {**columns, "human_score": columns["score"]}
    assert "labels-unused" not in codes(bt.rank(complete))


def test_another_leader_few_labels_and_labels_that_were_chosen_are_findings() -> None:
    judged, labels = lenient(np.random.default_rng(2), 300, 12)
    found = bt.rank(columns_of(judged, labels), score=["score"], gold="human_score")
    assert "few-labels" in codes(found)
    rng = np.random.default_rng(1)
    truth = rng.normal([0, 1], size=(400, 2))
    judged = truth + np.array([3, 0])
    labels = np.where(truth.mean(axis=1)[:, None] > 1, truth, np.nan)
    found = bt.rank(columns_of(judged, labels), score=["score"], gold="human_score")
    assert {"other-leader", "labels-selected"} <= set(codes(found))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda columns: bt.rank(columns, score=["score"], gold="people"),
            "the given arrays: no column 'people'; its columns are 'item', 'system', 'score', 'human_score'.",
        ),
        (
            lambda columns: bt.compare(columns, "A", "B", score=["score"], gold="human_score", question="wins"),
            "people's labels correct means, so they do not answer question='wins'. Leave it out, or leave out gold.",
        ),
        (
            lambda columns: bt.fit(columns, score=["score"], gold="human_score"),
            "this verb does not use people's labels of what a judge scored. Leave out gold, or use bt.rank(...); "
            "bt.compare(...) takes labels of one metric and data set.",
        ),
        (
            lambda columns: bt.rank(columns, score=["score"], model="corrected-mean"),
            "corrected-mean needs labels by people beside the scores. Name them with gold.",
        ),
        (
            lambda columns: bt.rank(columns, score=["score"], gold="human_score", gold_judge="ann"),
            "gold and gold_judge both name labels. Leave one of them out.",
        ),
    ],
)
def test_refusals_say_what_to_do(columns: Columns, call: Any, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        call(columns)
    assert str(refusal.value) == message


def test_too_few_labels_are_refused(columns: Columns) -> None:
    labels, left = [], {"A": 2, "B": 9}
    for system, label in zip(columns["system"], columns["human_score"], strict=True):
        keep = label is not None and left[system] > 0
        left[system] -= keep
        labels.append(label if keep else None)
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank({**columns, "human_score": labels}, score=["score"], gold="human_score")
    assert str(refusal.value) == (
        "'A' has 2 labels by people, too few to correct its scores. Label more items, or leave it out with exclude='A'."
    )


def test_rows_in_another_order_give_the_same_bits(columns: Columns) -> None:
    order = np.random.default_rng(0).permutation(len(columns["item"]))
    shuffled = {name: [values[place] for place in order] for name, values in columns.items()}
    one, two = (bt.rank(each, score=["score"], gold="human_score").board for each in (columns, shuffled))
    assert one.to_json() == two.to_json()


@pytest.mark.parametrize(("labelled", "few"), [(19, True), (20, False)])
def test_twenty_labels_are_enough(labelled: int, few: bool) -> None:
    judged, labels = lenient(np.random.default_rng(2), 300, labelled)
    found = bt.rank(columns_of(judged, labels), score=["score"], gold="human_score")
    assert ("few-labels" in codes(found)) == few


def test_labels_that_are_not_used_are_counted(columns: Columns, tmp_path: Path) -> None:
    plain = {name: values for name, values in columns.items() if name != "human_score"}
    rows = [
        f"{item},{system},{label:g}"
        for item, system, label in zip(columns["item"], columns["system"], columns["human_score"], strict=True)
        if label is not None
    ]
    place = tmp_path / "labels.csv"
    place.write_text("\n".join(["item,system,score", *rows, "other,A,1", "other,B,0"]) + "\n")
    found = next(each for each in bt.rank(plain, gold=str(place)).findings if each.code == "labels-unmatched")
    assert found.message == "2 labels by people are not used: the judge did not score what they are of."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"score": ["score"], "gold": "human_score", "lower_is_better": ["human_score"]},
            "the given arrays: less is better for 'human_score', and more for 'score': labels and scores need one "
            "direction. Say it of both with lower_is_better='all' or lower_is_better='none'.",
        ),
        (
            {"score": ["human_score"], "gold": "human_score"},
            "'human_score' is named as the score and as its labels. Name two columns with score and gold.",
        ),
        (
            {"score": ["score"], "gold": "human_score", "model": "mean"},
            "mean does not use people's labels, which corrected-mean does. Leave out model, or leave out gold to rank "
            "by the judge alone.",
        ),
    ],
)
def test_what_would_mislead_is_refused(columns: Columns, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.rank(columns, **options)
    assert str(refusal.value) == message


def test_pictures_refuse_labels(columns: Columns) -> None:
    scores = bt.read_scores(columns, score=["score"], gold="human_score")
    for kind in ("matrix", "leaderboard", "critical-difference"):
        with pytest.raises(bt.PlanError, match="does not use people's labels"):
            bt.plot(kind, scores)


def test_labels_that_never_vary_give_a_difference_no_interval() -> None:
    """People gave one label only, on a scale that is not the judge's: nothing says how far labels may differ."""
    rng = np.random.default_rng(1)
    labels = np.where(np.arange(120)[:, None] < 40, 1.0, np.nan) * np.ones((1, 2))
    duel = bt.compare(columns_of(rng.normal(80, 5, (120, 2)), labels), "A", "B", score=["score"], gold="human_score")
    effect = duel.effect("mean_difference")
    assert (effect.low, effect.high) == (None, None)
    assert duel.shown is None


def test_labels_without_their_task_are_refused(columns: Columns, tmp_path: Path) -> None:
    place = tmp_path / "labels.csv"
    place.write_text("item,A,B\n" + "".join(f"q{item},{item % 2},1\n" for item in range(20)))
    plain = {name: values for name, values in columns.items() if name != "human_score"}
    both = {name: values * 2 for name, values in plain.items()}
    both["task"] = ["t1"] * len(plain["item"]) + ["t2"] * len(plain["item"])
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.rank(both, gold=str(place))
    assert "labels do not say which are of the data set 't1'" in str(refusal.value)


def test_judges_and_runs_are_no_units_of_corrected_means(columns: Columns) -> None:
    twice = {name: values * 2 for name, values in columns.items()}
    twice["judge"] = ["one"] * len(columns["item"]) + ["two"] * len(columns["item"])
    scores = bt.read_scores(twice, score=["score"], gold="human_score", judge="judge")
    duel = bt.compare(scores, "A", "B")
    assert duel.unit == "item"
    assert "for items like these" in duel.verdict

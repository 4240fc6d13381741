"""What a board claims: systems that only a prior places, weights, propensities, redrawn judgments, accuracies."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from tests.arenas import arena


def _rows(seed: int = 0, number: int = 200) -> list[tuple[str, str, str]]:
    rng = np.random.default_rng(seed)
    pairs = [rng.choice(["owl", "yak", "elk"], 2, replace=False) for _ in range(number)]
    return [(a, b, "a" if rng.random() < 0.6 else "b") for a, b in pairs]


@pytest.mark.parametrize("ci", ["bootstrap", "none"])
def test_one_lucky_judgment_is_no_first_rank(ci: str) -> None:
    """It had rank 1, a worth of 480 and beat the next with certainty."""
    board = bt.rank([*_rows(), ("lucky", "owl", "a")], ci=ci).board
    lucky = board["lucky"]
    assert (lucky.rank, lucky.score, lucky.log_strength, lucky.cluster) == (None, None, None, None)
    assert board.rows[-1] is lucky
    assert [row.rank for row in board.rows[:-1]] == [1, 2, 3]
    assert "lucky" not in {system for group in board.clusters for system in group}
    with pytest.raises(bt.BetterthanError, match="the evidence does not place 'lucky'"):
        board.expected_score("lucky", "owl")
    pairs = bt.compare_all([*_rows(), ("lucky", "owl", "a")])
    assert np.all(np.isnan(pairs.values[pairs.systems.index("lucky")]))


def test_who_always_wins_has_a_rank_as_soon_as_it_is_certain() -> None:
    board = bt.rank([*_rows(), *[("ace", name, "a") for name in ("owl", "yak", "elk") for _ in range(15)]]).board
    assert (board["ace"].rank, board["ace"].score, board["ace"].rank_high) == (1, None, 1)
    assert board.rows[0].system == "ace"


def test_a_common_weight_changes_nothing() -> None:
    left, right, winner = zip(*_rows(3, 300), strict=True)
    plain, heavy = (
        bt.read_judgments({"left": left, "right": right, "winner": winner, "weight": [weight] * 300})
        for weight in (1.0, 10.0)
    )
    for ci in ("bootstrap", "analytic"):
        one, two = (bt.rank(votes, ci=ci, resamples=200).board for votes in (plain, heavy))
        np.testing.assert_allclose([row.interval for row in one], [row.interval for row in two])
    np.testing.assert_allclose(bt.compare_all(plain).p, bt.compare_all(heavy).p)
    with pytest.raises(bt.PlanError, match="ci='information' takes a weight as a number of judgments"):
        bt.rank(heavy, ci="information")
    assert bt.rank(plain, ci="information").board.rows


def test_unequal_weights_are_said_and_widen_intervals() -> None:
    left, right, winner = zip(*_rows(4, 400), strict=True)
    rng = np.random.default_rng(0)
    weight = np.where(rng.random(400) < 0.1, 20.0, 1.0)
    board = bt.rank(bt.read_judgments({"left": left, "right": right, "winner": winner, "weight": weight})).board
    plain = bt.rank(bt.read_judgments({"left": left, "right": right, "winner": winner})).board
    effective = weight.sum() ** 2 / (weight**2).sum()
    finding = next(finding for finding in board.findings if finding.code == "effective-sample")
    assert finding.value == pytest.approx(effective) == pytest.approx(board.evidence.effective)
    assert board.rows[0].high - board.rows[0].low > 1.3 * (plain.rows[0].high - plain.rows[0].low)


def test_pairs_of_few_weighted_judgments_are_told_apart_in_one_of_twenty_cases() -> None:
    """By their estimated error some pair of four equal systems differed in 15 % of cases."""
    false = 0
    for seed in range(200):
        rng = np.random.default_rng([seed, 9])
        left = rng.integers(4, size=120)
        right = (left + rng.integers(1, 4, size=120)) % 4
        votes = {
            "left": [f"s{one}" for one in left],
            "right": [f"s{two}" for two in right],
            "winner": rng.choice(["a", "tie", "b"], size=120, p=[0.4, 0.2, 0.4]),
            "weight": rng.exponential(10, 120),
        }
        pairs = bt.compare_all(votes)
        false += bool(np.nanmin(pairs.p_adjusted[np.triu_indices(4, 1)]) <= 0.05)
    assert false / 200 <= 0.08
    test = bt.compare(votes, "s0", "s1").test("sign")
    assert test.note.startswith("weighted judgments reversed at random, normal approximation")
    assert test.p == pytest.approx(2 * stats.norm.sf(abs(test.statistic)))


def test_propensities_undo_what_was_asked_for_more_often() -> None:
    """Hard items, on which the order turns round, were asked for rarely: their weight brings them back."""
    rng = np.random.default_rng(0)
    hard = rng.random(20_000) < 0.5
    chance = np.where(hard, 0.1, 0.9)
    asked = rng.random(20_000) < chance
    won = rng.random(20_000) < np.where(hard, 0.2, 0.8)
    columns = {
        "left": np.full(20_000, "owl"),
        "right": np.full(20_000, "yak"),
        "winner": np.where(won, "a", "b"),
        "propensity": chance,
    }
    seen = {name: values[asked] for name, values in columns.items()}
    plain = bt.rank(bt.read_judgments({name: seen[name] for name in ("left", "right", "winner")}), ci="none").board
    right = bt.rank(bt.read_judgments(seen, propensity="propensity"), ci="none").board
    assert plain.expected_score("owl", "yak") == pytest.approx(0.74, abs=0.02)
    assert right.expected_score("owl", "yak") == pytest.approx(0.5, abs=0.03)
    with pytest.raises(bt.EvidenceError, match=r"the chance '1.5' in column 'propensity' is not above 0 and at most 1"):
        bt.rank(
            bt.read_judgments({**seen, "propensity": np.full(len(seen["left"]), 1.5)}, propensity="propensity"),
            ci="none",
        )


def test_rare_propensities_are_clipped() -> None:
    chance = [0.5] * 99 + [1e-9]
    columns = {"left": ["owl"] * 100, "right": ["yak"] * 100, "winner": ["a"] * 99 + ["b"], "propensity": chance}
    assert np.all(bt.read_judgments(columns).tally().weight == 1.0)  # a weight is never guessed
    votes = bt.read_judgments(columns, propensity="propensity")
    weight = votes.tally().weight
    assert weight.max() == pytest.approx(10.0)


def test_pairs_that_met_often_weigh_less() -> None:
    rows = [("owl", "yak", "a")] * 600 + [("owl", "yak", "b")] * 400
    rows += (
        [("yak", "elk", "a")] * 30
        + [("yak", "elk", "b")] * 20
        + [("elk", "owl", "a")] * 30
        + [("elk", "owl", "b")] * 20
    )
    board = bt.rank(rows, reweight="pairs", ci="none", scale="log").board
    equal = [
        (a, b, winner) for a, b in (("owl", "yak"), ("yak", "elk"), ("elk", "owl")) for winner in "a" * 3 + "b" * 2
    ]
    same = bt.rank(equal, ci="none", scale="log").board
    for name in ("owl", "yak", "elk"):
        assert board[name].score == pytest.approx(same[name].score, abs=1e-7)
    assert board["owl"].wins == 620  # what happened is shown as it was
    assert board.settings.facts()["reweight"] == "pairs"
    with pytest.raises(bt.PlanError, match="elo is not fitted to counts of pairs"):
        bt.rank(rows, model="elo", reweight="pairs", ci="none")


@pytest.mark.parametrize("model", ["trueskill(preset=wmt)", "hopkins-may"])
def test_redrawn_judgments_vary_more_than_reshuffled_ones(model: str) -> None:
    spread = {}
    for ci in ("runs", "redraws"):
        board = bt.rank(arena(), model=model, ci=ci, resamples=40).board
        spread[ci] = float(np.mean(board.draws.strength.std(axis=0)))
        assert board.settings.clusters == "wmt"
    assert spread["redraws"] > 2 * spread["runs"]
    codes = {finding.code for finding in bt.rank(arena(), model=model, ci="redraws", resamples=20).board.findings}
    assert "other-units" in codes
    assert "runs" not in codes


@pytest.mark.parametrize(("items", "chance"), [(15, 0.95), (30, 0.98), (50, 0.98)])
def test_accuracies_near_one_are_covered(items: int, chance: float) -> None:
    """Resampling rights and wrongs held the truth in 53, 45 and 63 %."""
    rng = np.random.default_rng(items)
    held = 0
    for _ in range(150):
        values = (rng.random((2, items)) < chance).astype(float)
        board = bt.rank(bt.read_scores({"owl": values[0], "yak": values[1]}), model="mean", resamples=20).board
        held += sum(row.low <= chance <= row.high for row in board)
    assert held / 300 >= 0.9


@pytest.mark.parametrize("items", [5, 15, 50])
def test_intervals_of_accuracies_hold_whatever_the_accuracy(items: int) -> None:
    """Summed over all outcomes: Wilson's interval goes down to 84 %, and to 92 % for .98 on 50 items."""
    counts, level = np.arange(items + 1), 0.93
    boards = [
        bt.rank(
            bt.read_scores({"owl": [1.0] * right + [0.0] * (items - right), "yak": [1.0, *[0.0] * (items - 1)]}),
            model="mean",
            resamples=20,
        ).board["owl"]
        for right in counts
    ]
    low, high = np.array([row.low for row in boards]), np.array([row.high for row in boards])
    for accuracy in (0.6, 0.8, 0.9, 0.95, 0.98, 0.985, 0.99, 0.997):
        held = stats.binom.pmf(counts, items, accuracy)[(low <= accuracy) & (accuracy <= high)].sum()
        assert held >= level, accuracy
    assert np.all(high > low)


def test_accuracies_of_errors_and_of_groups() -> None:
    right = [1.0] * 18 + [0.0] * 2
    more = bt.rank(bt.read_scores({"owl": right, "yak": right[::-1]}), model="mean", resamples=20).board["owl"]
    less = bt.rank(
        bt.read_scores({"owl": [1 - x for x in right], "yak": [1 - x for x in right[::-1]]}, lower_is_better=True),
        model="mean",
        resamples=20,
    ).board["owl"]
    half = stats.binom.pmf(18, 20, more.interval) / 2  # mid-p: the outcome's own chance counts half
    tails = stats.binom.sf(18, 20, more.low) + half[0], stats.binom.cdf(17, 20, more.high) + half[1]
    assert tails == pytest.approx((0.025, 0.025))
    assert less.interval == pytest.approx((1 - more.high, 1 - more.low))
    rows: list[dict[str, Any]] = [
        {"item": f"{group}-{place}", "document": f"d{group}", "system": name, "score": float(group < 9)}
        for group in range(10)
        for place in range(5)
        for name in ("owl", "yak")
    ]
    grouped, alone = bt.read_scores(rows, group="document"), bt.read_scores(rows)
    wide, narrow = (bt.rank(scores, model="mean", resamples=20).board["owl"] for scores in (grouped, alone))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_a_circle_is_shown_pair_by_pair() -> None:
    rows = [
        (a, b, winner) for a, b in (("owl", "yak"), ("yak", "elk"), ("elk", "owl")) for winner in "a" * 42 + "b" * 21
    ]
    pairs = bt.compare_all(rows)
    assert [each.share for each in pairs.pairs] == pytest.approx([2 / 3, 1 / 3, 2 / 3])
    assert [each.value for each in pairs.pairs] == pytest.approx([0.5] * 3)
    assert {(each.won, each.tied, each.lost) for each in pairs.pairs} == {(42.0, 0.0, 21.0), (21.0, 0.0, 42.0)}
    assert "The model does not fit 3 of the pairs" in pairs.to_text()
    shown, starred = pairs.shown()
    assert not np.any(starred)  # by the model, all are equal
    alone = bt.compare_all(rows, by="pair")
    np.testing.assert_allclose(alone.shown()[0][np.triu_indices(3, 1)], alone.share[np.triu_indices(3, 1)])
    assert "does not fit" not in alone.to_text()
    assert alone.separated() == 3
    np.testing.assert_allclose(shown[np.triu_indices(3, 1)], alone.share[np.triu_indices(3, 1)])


@pytest.mark.parametrize(
    "verb", [bt.diagnose, bt.report, bt.fit, bt.next_matches, bt.compare_all, bt.power, bt.compare]
)
def test_every_verb_takes_many_items_crossed_with_many_judges(verb: Any) -> None:
    rng = np.random.default_rng(2)
    left = rng.integers(3, size=1500)
    right = (left + rng.integers(1, 3, size=1500)) % 3
    names = np.array(["owl", "yak", "elk"])
    votes = bt.read_judgments(
        {
            "left": names[left],
            "right": names[right],
            "winner": rng.choice(["a", "b", "tie"], 1500, p=[0.5, 0.3, 0.2]),
            "item": rng.integers(40, size=1500).astype(str),
            "judge": rng.integers(30, size=1500).astype(str),
        }
    )
    named = {"a": "owl", "b": "yak"} if verb in {bt.power, bt.compare} else {}
    found = verb(votes, **named)
    settings = getattr(found, "settings", None)
    assert settings is None or settings.unit == "item+judge"

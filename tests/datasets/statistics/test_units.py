"""Units of resampling: what they draw, and the middle of the sandwich."""

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets import unit_draws
from betterthan.datasets.statistics.pair_counts import PairCounts, count_scores
from betterthan.datasets.units.units import GroupedUnits, ScoredUnits
from betterthan.evidence.rows.tally import Tally
from betterthan.models.bradley_terry import BradleyTerry
from tests.arenas import arena

EVIDENCE = bt.read_judgments(arena(judgments=800))


def _counts(*unit: str) -> PairCounts:
    return PairCounts.of(EVIDENCE.tally(*unit), unit)


@pytest.mark.parametrize("unit", [(), ("item",), ("judge",), ("item", "judge")])
def test_resamples_average_to_the_counts(unit: tuple[str, ...]) -> None:
    counts = _counts(*unit)
    for units in counts.units.crossed or (counts.units,):
        drawn = units.resample(np.random.default_rng(0), 4000)
        error = drawn.std(axis=2) / np.sqrt(4000)
        assert np.all(np.abs(drawn.mean(axis=2) - counts.outcomes) < 5 * error + 1e-9)


def test_crossed_units_are_items_judges_and_their_combinations() -> None:
    crossed = _counts("item", "judge").units.crossed
    assert [units.name for units in crossed] == ["item", "judge", "item+judge"]
    for units, columns in zip(crossed, (["prompt_id"], ["judge"], ["prompt_id", "judge"]), strict=True):
        table = arena(judgments=800)
        assert units.size == len(set(zip(*(map(str, table[name]) for name in columns), strict=True)))
    single = _counts("item").units
    np.testing.assert_allclose(
        crossed[0].resample(np.random.default_rng(0), 5), single.resample(np.random.default_rng(0), 5)
    )


@pytest.mark.parametrize("unit", ["item", "judge"])
def test_grouped_units_are_drawn_as_a_whole(unit: str) -> None:
    """Against the slow way: draw the units themselves and count their rows again."""
    tally = EVIDENCE.tally(unit)
    counts = PairCounts.of(tally, (unit,))
    rng = np.random.default_rng(0)
    drawn = counts.units.resample(np.random.default_rng(0), 3)
    weights = np.stack(
        [
            np.bincount(line, minlength=counts.units.size)
            for line in rng.integers(counts.units.size, size=(3, counts.units.size))
        ]
    )
    for resample, weight in zip(drawn.transpose(2, 0, 1), weights, strict=True):
        changed = Tally(
            tally.systems,
            tally.left,
            tally.right,
            tally.outcome,
            tally.weight,
            tally.times * weight[tally.units[unit].codes],
            tally.units,
            tally.account,
        )
        np.testing.assert_allclose(resample, PairCounts.of(changed).outcomes, atol=1e-9)


@pytest.mark.parametrize("unit", [(), ("item",), ("judge",), ("item", "judge")])
def test_the_sandwich_equals_one_summed_row_by_row(unit: tuple[str, ...]) -> None:
    counts = _counts(*unit)
    model = BradleyTerry()
    fit = model.fit(counts)
    bread = model.covariance(fit, counts, clustered=False)
    table = arena(judgments=800)
    place = {system: code for code, system in enumerate(counts.systems)}
    gradients = np.zeros((800, counts.size))
    score = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}
    for row, (a, b, winner, weight) in enumerate(
        zip(table["model_a"], table["model_b"], table["winner"], table["weight"], strict=True)
    ):
        gap = fit.strength[place[a]] - fit.strength[place[b]]
        residual = weight * (score[winner] - 1 / (1 + np.exp(-gap)))
        gradients[row, place[a]], gradients[row, place[b]] = residual, -residual

    def squares(labels: list[object]) -> np.ndarray:
        names = sorted(set(map(str, labels)))
        sums = np.zeros((len(names), counts.size))
        np.add.at(sums, [names.index(str(label)) for label in labels], gradients)
        return sums.T @ sums * (len(names) / (len(names) - 1))

    item, judge = table["prompt_id"], table["judge"]
    meat = {
        (): gradients.T @ gradients,
        ("item",): squares(item),
        ("judge",): squares(judge),
        ("item", "judge"): squares(item) + squares(judge) - squares(list(zip(item, judge, strict=True))),
    }[unit]
    np.testing.assert_allclose(model.covariance(fit, counts, clustered=True), bread @ meat @ bread, atol=1e-10)


def test_the_bootstrap_agrees_with_the_sandwich() -> None:
    for unit in ("row", "item"):
        spreads = [
            bt.rank(EVIDENCE, unit=unit, ci=ci, resamples=3000).board.draws.strength.std(axis=0)
            for ci in ("bootstrap", "analytic")
        ]
        np.testing.assert_allclose(spreads[0] / spreads[1], 1.0, atol=0.12)


def test_items_of_one_judgment_each_are_rows() -> None:
    table = arena()
    single = {**table, "prompt_id": [f"p{place:04d}" for place in range(len(table["judge"]))]}
    single.pop("weight")
    by_item = bt.rank(bt.read_judgments(single), unit="item", resamples=100).board
    by_row = bt.rank(bt.read_judgments(single), unit="row", resamples=100).board
    assert [row.interval for row in by_item] == [row.interval for row in by_row]


def test_fractional_counts_cannot_be_resampled_by_row() -> None:
    source = {"left": ["owl", "yak"], "right": ["yak", "owl"], "n_a": [1.5, 2], "n_b": [1, 1]}
    with pytest.raises(bt.PlanError, match="fractional counts cannot be resampled by row"):
        bt.rank(source)
    assert len(bt.rank(source, ci="analytic").board) == 2


def test_scored_units_equal_grouped_ones() -> None:
    rng = np.random.default_rng(1)
    table = bt.read_scores({name: rng.normal(size=50).round(1) for name in ("owl", "yak", "elk")}).tables[0]
    direct = count_scores(table)
    through = PairCounts.of(table.to_judgments().tally("item"), ("item",))
    np.testing.assert_array_equal(direct.outcomes, through.outcomes)
    one, other = (counts.units.resample(np.random.default_rng(2), 5) for counts in (direct, through))
    np.testing.assert_allclose(one, other)
    assert direct.digest() == through.digest()


def test_one_unit_is_not_enough() -> None:
    source = {"left": ["owl", "yak"], "right": ["yak", "owl"], "winner": ["a", "a"], "judge": ["x", "x"]}
    with pytest.raises(bt.PlanError, match="resampling needs at least two units, but there is only one judge"):
        bt.rank(source, unit="judge")


def test_fast_multinomial_draws_are_multinomial() -> None:
    """Sums are exact; means, variances and covariances are those of the multinomial distribution."""
    times = np.array([40.0, 10.0, 1.0, 9.0])
    drawn = unit_draws.draw_multinomial(np.random.default_rng(0), times, 200_000)
    assert np.all(drawn.sum(axis=0) == 60)
    assert drawn.min() >= 0
    share = times / 60
    expected = 60 * (np.diag(share) - np.outer(share, share))
    np.testing.assert_allclose(drawn.mean(axis=1), times, atol=0.03)
    np.testing.assert_allclose(np.cov(drawn), expected, atol=0.12)
    found = np.bincount(drawn[2], minlength=6)[:6] / drawn.shape[1]
    np.testing.assert_allclose(found, stats.binom.pmf(np.arange(6), 60, 1 / 60), atol=0.004)


def test_gradients_of_scored_items_do_not_depend_on_how_many_are_taken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    evidence = bt.read_scores({name: rng.integers(3, size=30).tolist() for name in "abcd"})
    counts = count_scores(evidence.tables[0])
    assert isinstance(counts.units, ScoredUnits)
    terms = BradleyTerry().gradients(BradleyTerry().fit(counts), BradleyTerry().problem(counts, counts.outcomes))
    whole = counts.units.gradients(terms)
    assert whole.shape == (30, 4)
    assert whole.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-7)  # at the maximum
    monkeypatch.setattr("betterthan.datasets.units.units.AT_ONCE", 1)
    np.testing.assert_allclose(counts.units.gradients(terms), whole, atol=1e-14)


def test_resamples_of_groups_are_those_of_their_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    grouped = _counts("item").units
    assert isinstance(grouped, GroupedUnits)
    weights = unit_draws.draw_weights(np.random.default_rng(7), grouped.levels[0], 11)
    wanted = (grouped.counts.T @ weights).reshape(*grouped.shape, 11)
    for numbers in (1, 3 * grouped.levels[0], 1 << 17):
        monkeypatch.setattr("betterthan.datasets.units.units.AT_ONCE", numbers)
        np.testing.assert_array_equal(grouped.resample(np.random.default_rng(7), 11), wanted)


@pytest.mark.parametrize(("size", "resamples"), [(3, 5), (50_000, 7), (200_000, 2)])
def test_units_are_drawn_one_resample_after_the_other_in_blocks_of_any_size(size: int, resamples: int) -> None:
    rng = np.random.default_rng(4)
    wanted = [np.bincount(rng.integers(size, size=size), minlength=size) for _ in range(resamples)]
    assert np.array_equal(unit_draws.draw_weights(np.random.default_rng(4), size, resamples), np.transpose(wanted))

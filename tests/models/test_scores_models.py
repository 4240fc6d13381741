"""Means and medians against NumPy and SciPy, on scores as they are and on rows repeated one by one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import betterthan as bt
from betterthan.datasets.statistics.score_matrix import ScoreMatrix
from betterthan.datasets.statistics.sorted_columns import SortedColumns
from betterthan.datasets.units.units import RowWeights
from betterthan.models.base import build_model
from betterthan.models.direct.additive import AdditiveFit

NAMES = ("elk", "fox", "owl", "yak")


def _table(items: int, seed: int, missing: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(items, 1)) + rng.standard_t(3, size=(items, 4)) + np.array([0.0, 0.2, 0.5, 0.1])
    values[rng.random(values.shape) < missing] = np.nan
    return values


def _matrix(values: np.ndarray) -> ScoreMatrix:
    return ScoreMatrix(NAMES[: values.shape[1]], values, False, RowWeights.of(len(values), {}, "item"))


def _scores(values: np.ndarray, **choices: Any) -> Any:
    columns = {
        name: [None if np.isnan(value) else float(value) for value in values[:, place]]
        for place, name in enumerate(NAMES[: values.shape[1]])
    }
    return bt.read_scores(columns, **choices)


def _present(column: np.ndarray) -> np.ndarray:
    return column[~np.isnan(column)]


def _median_of_differences(values: np.ndarray) -> list[float]:
    strengths = []
    for one in range(values.shape[1]):
        others = [other for other in range(values.shape[1]) if other != one]
        strengths.append(np.mean([np.median(_present(values[:, one] - values[:, other])) for other in others]))
    return strengths


def _additive(values: np.ndarray) -> list[float]:
    """Fit items and systems by dummy variables, and average the fitted scores over the items."""
    values = values[~np.all(np.isnan(values), axis=1)]
    items, systems = values.shape
    item, system = np.nonzero(~np.isnan(values))
    design = np.zeros((len(item), items + systems))
    design[np.arange(len(item)), item] = design[np.arange(len(item)), items + system] = 1.0
    effect = np.linalg.lstsq(design, values[item, system], rcond=None)[0]
    return [effect[:items].mean() + each for each in effect[items:]]


NAIVE: dict[str, Any] = {
    "mean": _additive,
    "mean(missing=ignore)": lambda values: [_present(column).mean() for column in values.T],
    "mean(trim=0.1)": lambda values: [stats.trim_mean(_present(column), 0.1) for column in values.T],
    "mean(trim=0.49)": lambda values: [stats.trim_mean(_present(column), 0.49) for column in values.T],
    "median": lambda values: [np.median(_present(column)) for column in values.T],
    "median(of=differences)": _median_of_differences,
}


@pytest.mark.parametrize("model", NAIVE)
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("items", [10, 57, 58])
def test_it_equals_numpy_and_scipy(model: str, missing: float, items: int) -> None:
    values = _table(items, seed=1, missing=missing)
    board = bt.rank(_scores(values), model=model, ci="none").board
    expected = dict(zip(NAMES, NAIVE[model](values), strict=True))
    assert {row.system: row.score for row in board} == pytest.approx(expected, abs=1e-12)
    assert [row.system for row in board] == sorted(NAMES, key=lambda name: -expected[name])
    code = "adjusted-means" if model == "mean" else "missing-scores"
    assert (code in [finding.code for finding in board.findings]) == (missing > 0)


@pytest.mark.parametrize(
    ("model", "code", "message"),
    [
        ("median", "missing-scores", "1 of 3 items has all scores."),
        ("mean(missing=ignore)", "missing-scores", "1 of 3 items has all scores."),
        ("mean", "adjusted-means", "means are those expected over all items."),
    ],
)
def test_missing_scores_are_said(model: str, code: str, message: str) -> None:
    values = np.array([[1.0, 2.0, 3.0], [2.0, np.nan, 1.0], [3.0, 1.0, np.nan]])
    found = bt.rank(_scores(values), model=model, ci="none").board.findings
    finding = next(each for each in found if each.code == code)
    assert finding.message == f"22.2 % of scores are missing, of 'fox', 'owl'; {message}"


def test_means_of_complete_scores_are_the_same_bits() -> None:
    matrix = _matrix(_table(33, seed=5))
    plain, adjusted = (build_model(text).fit(matrix).strength for text in ("mean(missing=ignore)", "mean"))
    np.testing.assert_array_equal(plain, adjusted)


def test_hard_items_that_a_system_lacks_do_not_lift_its_mean() -> None:
    rng = np.random.default_rng(3)
    hard = rng.normal(0, 3, 60)
    values = hard[:, None] + rng.normal(0, 0.1, (60, 2)) + np.array([0.0, 0.5])
    values[hard < 0, 0] = np.nan  # elk was scored on the easy items only
    board = bt.rank(_scores(values), model="mean").board
    assert [row.system for row in board] == ["fox", "elk"]
    assert board["fox"].score - board["elk"].score == pytest.approx(  # type: ignore[operator]
        np.nanmean(values[:, 1] - values[:, 0]), abs=1e-9
    )
    assert bt.rank(_scores(values), model="mean(missing=ignore)").board.rows[0].system == "elk"


def test_systems_without_a_chain_of_common_items_are_apart() -> None:
    values = np.full((12, 4), np.nan)
    values[:8, :2] = _table(8, seed=1)[:, :2]
    values[4:8, 3] = 1.0
    values[8:, 2] = [5.0, 6.0, 7.0, 8.0]
    board = bt.rank(_scores(values), model="mean").board
    assert board["owl"].rank is None
    assert board["owl"].score == pytest.approx(6.5)
    assert "islands" in [finding.code for finding in board.findings]


def test_influences_are_the_derivatives_of_the_additive_fit() -> None:
    values = _table(25, seed=6, missing=0.3)
    found = AdditiveFit(values).influences
    for item in range(25):  # one item more by a little: its weight enters the normal equations
        weight = np.ones(25)
        weight[item] += 1e-6
        moved = (_weighted(values, weight) - found.mean) / 1e-6
        np.testing.assert_allclose(found.parts[item], moved, atol=1e-5)
    np.testing.assert_allclose(found.parts.sum(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(found.sizes.sum(axis=0), 1.0)


def _weighted(values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    items, systems = values.shape
    item, system = np.nonzero(~np.isnan(values))
    design = np.zeros((len(item), items + systems))
    design[np.arange(len(item)), item] = design[np.arange(len(item)), items + system] = 1.0
    root = np.sqrt(weight[item])
    effect = np.linalg.lstsq(design * root[:, None], values[item, system] * root, rcond=None)[0]
    return np.asarray(np.average(effect[:items], weights=weight) + effect[items:])


def test_medians_of_differences_by_hand() -> None:
    """They use the pairing: the two columns' medians differ by 1, too, but their means do not say who wins more often."""
    values = np.array([[1.0, 0.0], [3.0, 2.0], [5.0, 9.0]])
    paired = build_model("median(of=differences)").fit(_matrix(values)).strength
    np.testing.assert_allclose(paired, [1.0, -1.0])
    values = np.array([[1.0, 0.0, 2.0], [3.0, 2.0, 2.0], [5.0, 9.0, 2.0]])
    # Medians of differences: elk − fox 1, elk − owl 1, fox − owl 0.
    np.testing.assert_allclose(build_model("median(of=differences)").fit(_matrix(values)).strength, [1.0, -0.5, -0.5])


# --- resamples -----------------------------------------------------------------------------------------------------


def _check_medians(values: np.ndarray, times: np.ndarray) -> None:
    found = SortedColumns(values).median(times)
    for column in range(values.shape[1]):
        for resample in range(times.shape[1]):
            repeated = _present(np.repeat(values[:, column], times[:, resample].astype(int)))
            expected = np.median(repeated) if len(repeated) else np.nan
            np.testing.assert_equal(found[column, resample], expected)


@given(data=st.data())
def test_any_weighting_gives_the_median_of_the_repeated_rows(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 12))
    cell = st.one_of(st.none(), st.integers(-2, 2))  # heavy ties and missing scores
    cells = data.draw(st.lists(st.lists(cell, min_size=2, max_size=2), min_size=size, max_size=size))
    values = np.array([[np.nan if each is None else float(each) for each in row] for row in cells])
    times = data.draw(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=size, max_size=size))
    _check_medians(values, np.array(times, dtype=float))


@pytest.mark.parametrize("items", [1, 2, 3, 80, 81, 2001, 5000])
@pytest.mark.parametrize("distinct", [3, 10**9])
def test_resampled_medians_are_those_of_the_repeated_rows(items: int, distinct: int) -> None:
    rng = np.random.default_rng(items)
    values = rng.integers(distinct, size=(items, 3)).astype(float)
    values[rng.random(values.shape) < 0.1] = np.nan
    _check_medians(values, RowWeights.of(items, {}).resample(rng, 20))


@pytest.mark.parametrize("items", [2500, 2501])
def test_medians_far_from_the_middle_are_found_too(items: int) -> None:
    """The search looks near the middle first: all weight at one end, or just inside or outside that range."""
    values = np.random.default_rng(0).normal(size=(items, 1))
    order = np.argsort(values[:, 0])
    reach, middle = 4 * int(np.sqrt(items)) + 8, items // 2
    weightings = []
    for place in (
        0,
        1,
        middle - reach - 1,
        middle - reach,
        middle - reach + 1,
        middle,
        middle + reach - 1,
        middle + reach,
        middle + reach + 1,
        items - 2,
        items - 1,
    ):
        if 0 <= place < items:
            for heavy in (1.0, 2.0, float(items), float(2 * items)):
                lone, shared = np.zeros(items), np.ones(items)
                lone[order[place]] = heavy
                shared[order[place]] = heavy
                weightings += [lone, shared]
    for low, high in (
        (0, middle - reach),
        (0, 2),
        (middle + reach, items),
        (middle - reach - 1, middle - reach + 1),
    ):
        part = np.zeros(items)
        part[order[low:high]] = 1.0
        weightings.append(part)
    halves = np.zeros(items)  # exactly half of all weight below the range, the rest above
    halves[order[:10]] = halves[order[-10:]] = 3.0
    above = np.zeros(items)  # exactly half of it up to the end of the range
    above[order[[middle, -1]]] = 3.0
    weightings += [halves, above, np.zeros(items)]
    _check_medians(values, np.stack(weightings, axis=1))


@pytest.mark.parametrize(
    ("model", "missing"),
    [(model, missing) for model in NAIVE for missing in (0.0, 0.2) if (model, missing) != ("mean", 0.2)],
)
def test_the_bootstrap_averages_repeated_rows(model: str, missing: float) -> None:
    matrix = _matrix(_table(60, seed=2, missing=missing))
    mechanism = build_model(model)
    times = matrix.units.resample(np.random.default_rng(0), 25)
    strength, lost = mechanism.refitter(mechanism.fit(matrix), matrix)(times, np.random.default_rng(1))
    assert lost == 0
    for resample in range(25):
        repeated = np.repeat(matrix.values, times[:, resample].astype(int), axis=0)
        np.testing.assert_allclose(strength[:, resample], NAIVE[model](repeated), atol=1e-12)


@pytest.mark.parametrize("model", [model for model in NAIVE if model != "mean"])
def test_a_system_of_which_no_score_is_left_stays_where_it_was(model: str) -> None:
    values = np.array([[1.0, np.nan], [2.0, 5.0], [4.0, np.nan]])
    matrix, mechanism = _matrix(values), build_model(model)
    fit = mechanism.fit(matrix)
    strength, lost = mechanism.refitter(fit, matrix)(np.array([[2.0], [0.0], [1.0]]), np.random.default_rng(0))
    assert lost == 1
    assert strength[1, 0] == fit.strength[1]


# --- intervals -----------------------------------------------------------------------------------------------------


def test_analytic_intervals_are_the_textbook_s() -> None:
    values = _table(200, seed=3)
    board = bt.rank(_scores(values), model="mean", ci="analytic").board
    for place, name in enumerate(NAMES):
        error = stats.sem(values[:, place])
        assert board[name].low == pytest.approx(board[name].score - 1.96 * error, abs=0.06 * error)
        assert board[name].high == pytest.approx(board[name].score + 1.96 * error, abs=0.06 * error)
    # The instances are shared: differences have the standard error of the paired t-test.
    paired = board.draws.strength[:, 2] - board.draws.strength[:, 0]
    assert np.std(paired) == pytest.approx(stats.sem(values[:, 2] - values[:, 0]), rel=0.03)
    assert board.confidence("owl", "elk") == pytest.approx(
        stats.norm.cdf(np.mean(values[:, 2] - values[:, 0]) / stats.sem(values[:, 2] - values[:, 0])), abs=0.01
    )


def test_analytic_intervals_with_missing_scores_are_those_of_the_scores_there_are() -> None:
    values = _table(100, seed=4)
    values[6:, 0] = np.nan  # six scores of a hundred
    board = bt.rank(_scores(values), model="mean(missing=ignore)", ci="analytic").board
    error = stats.sem(values[:6, 0])
    least = 2 * stats.t.ppf(0.975, 5) * error
    assert board["elk"].high - board["elk"].low >= least * (1 - 1e-9)  # type: ignore[operator]
    assert board["elk"].high - board["elk"].low <= 2 * least  # type: ignore[operator]


def test_bootstrap_intervals_of_the_mean_come_near() -> None:
    values = _table(400, seed=5)
    board = bt.rank(_scores(values), model="mean", resamples=4000).board
    for place, name in enumerate(NAMES):
        assert np.std(board.draws.strength[:, place]) == pytest.approx(stats.sem(values[:, place]), rel=0.05), name


@pytest.mark.parametrize("model", ["median", "median(of=differences)", "mean(trim=0.1)"])
def test_without_a_likelihood_there_are_no_analytic_intervals(model: str) -> None:
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(_scores(_table(20, seed=6)), model=model, ci="analytic")
    assert str(refusal.value) == (
        f"{model.partition('(')[0]} has no likelihood, so there are no analytic intervals. Use ci='bootstrap'."
    )


@pytest.mark.parametrize("model", ["mean", "median", "mean(trim=0.1)"])
def test_where_less_is_better_scores_stay_as_given(model: str) -> None:
    values = np.abs(_table(60, seed=7))
    given_up, given_down = _scores(values), _scores(values, lower_is_better=True)
    up, down = (bt.rank(scores, model=model, resamples=100).board for scores in (given_up, given_down))
    assert [row.system for row in down] == [row.system for row in up][::-1]
    for row in down:
        assert row.score == pytest.approx(up[row.system].score, abs=1e-12)
        assert (row.low, row.high) == pytest.approx(up[row.system].interval, abs=1e-12)
        assert row.low <= row.score <= row.high
    best = down.rows[0]
    assert best.score == min(row.score for row in down)


TWINS = [(model, "bootstrap") for model in (*NAIVE, "bradley-terry", "win-rate", "average-rank", "expected-wins")]


@pytest.mark.parametrize(("model", "ci"), [*TWINS, ("mean", "analytic"), ("bradley-terry", "analytic")])
def test_twins_are_never_told_apart(model: str, ci: str) -> None:
    values = _table(50, seed=8) * 1e6 / 3
    values[:, 3] = values[:, 2]
    board = bt.rank(_scores(values), model=model, ci=ci, seed=1).board
    owl, yak = board["owl"], board["yak"]
    assert owl.rank == yak.rank
    assert (owl.rank_low, owl.rank_high, owl.cluster) == (yak.rank_low, yak.rank_high, yak.cluster)
    assert owl.rank_low < owl.rank_high
    assert board.confidence("owl", "yak") == 0.5


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("mean(trim=0.5)", "mean: trim must be a number of at least 0 and at most 0.49, got 0.5"),
        ("mean(trim=-1)", "mean: trim must be a number of at least 0 and at most 0.49, got -1"),
        ("median(of=ranks)", "median: of must be 'scores' or 'differences', got 'ranks'"),
    ],
)
def test_options_that_cannot_be(model: str, message: str) -> None:
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(_scores(_table(20, seed=9)), model=model)
    assert str(refusal.value) == message


def test_scores_only_models_refuse_judgments() -> None:
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank([("owl", "yak", "a"), ("yak", "owl", "a")], model="mean")
    assert str(refusal.value) == (
        "mean ranks scores, but this evidence is judgments. Use a model for judgments, such as bradley-terry or win-rate."
    )

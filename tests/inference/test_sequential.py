"""Decisions at all looks: against multiplying stakes one by one, integration, and simulated collections."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, sparse, special

from betterthan.base.arrays import FloatArray
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.units.units import GroupedUnits, RowUnits
from betterthan.inference import sequential as sequential_tests
from betterthan.inference.tests import sequential
from betterthan.inference.tests.multiplicity import adjusted
from betterthan.verbs.power import sample_size

BETS, SPLIT = sequential._BETS, np.exp(sequential._LOG_SPLIT)

_counts = st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))


def _record(*pairs: tuple[float, float, float]) -> sequential_tests.Record:
    return sequential_tests.Record.counted(np.array(pairs, dtype=float).T.reshape(3, -1))


def _multiplied(scores: list[float], bet: float, mean: float, *, more: bool) -> float:
    """Bet judgment by judgment."""
    stake = 1.0
    for score in scores:
        stake *= 1 - bet + bet * (score / mean if more else (1 - score) / (1 - mean))
    return stake


def _limits(outcomes: tuple[float, float, float], level: float = 0.95) -> tuple[float, float]:
    low, high = sequential_tests.interval(_record(outcomes), level)
    return float(low[0]), float(high[0])


def _grown(record: sequential_tests.Record, mean: FloatArray | float, side: int) -> FloatArray:
    return special.logsumexp(record.stakes(mean)[side], axis=0)


def test_the_bets_share_one_stake() -> None:
    assert SPLIT.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.all(SPLIT > 0)
    assert np.all((BETS > 0) & (BETS < 1))


@pytest.mark.parametrize("mean", [0.5, 0.3, 0.55])
def test_stakes_are_multiplied_judgment_by_judgment(mean: float) -> None:
    games = [[1.0, 1.0, 0.5, 0.0, 1.0], [0.0, 0.0, 0.5], [], [0.25, 2 / 3, 1.0]]
    pair = np.array([number for number, scores in enumerate(games) for _ in scores])
    score = np.array([score for scores in games for score in scores])
    record = sequential_tests.Record(pair, score, np.ones(len(pair)), len(games))
    more, less = record.stakes(mean)
    for number, scores in enumerate(games):
        for place, (bet, part) in enumerate(zip(BETS, SPLIT, strict=True)):
            expected = [part * _multiplied(scores, bet, mean, more=side) for side in (True, False)]
            assert [math.exp(more[place, number]), math.exp(less[place, number])] == pytest.approx(expected, rel=1e-10)


def test_every_pair_can_have_a_mean_of_its_own() -> None:
    record = _record((5, 1, 2), (5, 1, 2), (0, 0, 3))
    more, less = record.stakes(np.array([0.3, 0.6, 0.5]))
    for number, mean in enumerate((0.3, 0.6, 0.5)):
        alone = record.of_pairs(np.array([number])).stakes(mean)
        np.testing.assert_allclose(more[:, number], alone[0][:, 0], rtol=1e-13)
        np.testing.assert_allclose(less[:, number], alone[1][:, 0], rtol=1e-13)


def test_large_records_are_added_up_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = np.random.default_rng(0).integers(0, 50, (3, 40)).astype(float)
    whole = sequential_tests.Record.counted(outcomes).stakes(0.45)
    monkeypatch.setattr(sequential, "_NUMBERS", 700)
    means = np.full(40, 0.45)  # of every pair's own, for which scores cannot be counted
    np.testing.assert_allclose(
        np.stack(sequential_tests.Record.counted(outcomes).stakes(means)), np.stack(whole), rtol=1e-12
    )


def _mixture(won: int, lost: int) -> float:
    """Integrate over a fine grid of bets that weighs as the coarse one does, each bet as wide as its neighbours allow."""
    log_bets = np.log(BETS)
    width = log_bets[1] - log_bets[0]

    def density(log_bet: float) -> float:
        return math.exp(-0.5 * ((log_bet - math.log(0.15)) / 1.2) ** 2)

    def grown(log_bet: float) -> float:
        bet = math.exp(log_bet)
        both = (1 + bet) ** won * (1 - bet) ** lost + (1 - bet) ** won * (1 + bet) ** lost
        return density(log_bet) * both / 2

    ends = log_bets[0] - width / 2, min(log_bets[-1] + width / 2, math.log(0.9999))
    return integrate.quad(grown, *ends, limit=200)[0] / integrate.quad(density, *ends)[0]


@pytest.mark.parametrize(("won", "lost"), [(12, 3), (60, 40), (9, 0), (560, 440), (3, 11)])
def test_p_of_equal_systems_is_one_over_the_mixture(won: int, lost: int) -> None:
    exact = [
        part * ((1 + bet) ** won * (1 - bet) ** lost + (1 - bet) ** won * (1 + bet) ** lost) / 2
        for bet, part in zip(BETS.tolist(), SPLIT.tolist(), strict=True)
    ]
    found = float(sequential_tests.p_equal(_record((won, 0, lost)))[0])
    assert found == pytest.approx(min(1.0, 1 / math.fsum(exact)), rel=1e-10)
    assert found == pytest.approx(min(1.0, 1 / _mixture(won, lost)), rel=0.05)


@given(_counts, st.integers(1, 500))
def test_ties_say_nothing_about_who_is_better(outcomes: tuple[int, int, int], more: int) -> None:
    won, tied, lost = outcomes
    found = sequential_tests.p_equal(_record((won, tied, lost), (won, tied + more, lost)))
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@given(_counts, st.floats(0.02, 0.3))
def test_swapping_sides_swaps_the_decision(outcomes: tuple[int, int, int], margin: float) -> None:
    there, back = (sequential_tests.decide(_record(some), 0.9, margin) for some in (outcomes, outcomes[::-1]))
    assert there.p[0] == pytest.approx(back.p[0], rel=1e-10)
    assert there.p_equivalent[0] == pytest.approx(back.p_equivalent[0], rel=1e-10)
    assert back.state[0] == {
        sequential_tests.FIRST: sequential_tests.SECOND,
        sequential_tests.SECOND: sequential_tests.FIRST,
    }.get(int(there.state[0]), int(there.state[0]))
    (low, high), (low_back, high_back) = _limits(outcomes), _limits(outcomes[::-1])
    assert (low, high) == (pytest.approx(1 - high_back, abs=1e-5), pytest.approx(1 - low_back, abs=1e-5))


def test_decisions_are_corrected_by_holm() -> None:
    record = _record((60, 0, 20), (30, 0, 30), (27, 2, 7), (10, 0, 44), (0, 0, 0), (25, 0, 10))
    decisions = sequential_tests.decide(record, 0.95)
    np.testing.assert_array_equal(decisions.p, adjusted(sequential_tests.p_equal(record), "holm"))
    assert decisions.p_equivalent.tolist() == [1.0] * 6
    expected = [
        sequential_tests.UNDECIDED if p > 0.05 else sequential_tests.FIRST if first else sequential_tests.SECOND
        for p, first in zip(decisions.p.tolist(), [True, True, True, False, True, True], strict=True)
    ]
    assert decisions.state.tolist() == expected
    assert {sequential_tests.FIRST, sequential_tests.SECOND, sequential_tests.UNDECIDED} == set(expected)
    assert decisions.undecided.tolist() == [state == sequential_tests.UNDECIDED for state in expected]
    # The third alone would be separated: it is the family that leaves it open.
    alone = sequential_tests.p_equal(record)
    assert any(one <= 0.05 < corrected for one, corrected in zip(alone, decisions.p, strict=True))


def test_nothing_is_equivalent_without_a_margin() -> None:
    record = _record((3000, 0, 3000), (60, 0, 20), (3, 0, 3))
    assert sequential_tests.decide(record).state.tolist() == [
        sequential_tests.UNDECIDED,
        sequential_tests.FIRST,
        sequential_tests.UNDECIDED,
    ]
    decisions = sequential_tests.decide(record, margin=0.05)
    assert decisions.state.tolist() == [sequential_tests.EQUIVALENT, sequential_tests.FIRST, sequential_tests.UNDECIDED]
    np.testing.assert_array_equal(decisions.p_equivalent, adjusted(sequential_tests.p_apart(record, 0.05), "holm"))


def test_systems_are_alike_when_both_sides_of_the_margin_are_refuted() -> None:
    outcomes, margin = (900, 150, 880), 0.06

    def rich(mean: float, *, more: bool) -> float:
        gains = [(score / mean if more else (1 - score) / (1 - mean)) for score in (1.0, 0.5, 0.0)]
        logs = [
            math.log(part)
            + sum(times * math.log(1 - bet + bet * gain) for times, gain in zip(outcomes, gains, strict=True))
            for bet, part in zip(BETS, SPLIT, strict=True)
        ]
        return math.fsum(math.exp(log) for log in logs)

    both = min(rich(0.5 + margin, more=False), rich(0.5 - margin, more=True))
    assert both > 1
    assert sequential_tests.p_apart(_record(outcomes), margin)[0] == pytest.approx(1 / both, rel=1e-8)


def test_better_within_the_margin_is_still_better() -> None:
    state = sequential_tests.decide(_record((26_000, 0, 24_000)), margin=0.1).state
    assert state.tolist() == [sequential_tests.FIRST]


def test_units_that_hang_together_count_once_with_their_mean() -> None:
    # Pair 0: item 0 judged five times (3 won, 1 tied, 1 lost), item 1 once lost, item 2 twice won; pair 1: item 1 tied.
    cell = np.array([0, 2, 4, 4, 0, 3])  # outcome · 2 pairs + pair
    item = np.array([0, 0, 0, 1, 2, 1])
    amount = np.array([3.0, 1.0, 1.0, 1.0, 2.0, 4.0])
    counts = sparse.coo_array((amount, (item, cell)), shape=(3, 6)).tocsr()
    outcomes = np.bincount(cell, amount, 6).reshape(3, 2)
    units = GroupedUnits("item", (np.arange(3),), (3,), counts, (3, 2))
    first, second = np.array([0, 0]), np.array([1, 2])
    found = sequential_tests.Record.of(PairCounts(("a", "b", "c"), first, second, outcomes, units))
    by_hand = sequential_tests.Record(np.array([0, 0, 0, 1]), np.array([0.7, 0.0, 1.0, 0.5]), np.ones(4), 2)
    assert found.units.tolist() == [3.0, 1.0]
    assert found.share.tolist() == pytest.approx([1.7 / 3, 0.5])
    np.testing.assert_allclose(np.stack(found.stakes(0.4)), np.stack(by_hand.stakes(0.4)), rtol=1e-10)


def test_the_weight_of_rows_says_nothing_about_a_pair() -> None:
    cell, weight, times = np.array([0, 1, 4, 0]), np.array([1.0, 0.5, 3.0, 2.0]), np.array([2.0, 3.0, 1.0, 4.0])
    units = RowUnits.of(cell, weight, times, (3, 2))
    outcomes = np.bincount(cell, weight * times, 6).reshape(3, 2)
    found = sequential_tests.Record.of(PairCounts(("a", "b", "c"), np.array([0, 0]), np.array([1, 2]), outcomes, units))
    np.testing.assert_allclose(
        np.stack(found.stakes(0.5)), np.stack(_record((6, 0, 1), (3, 0, 0)).stakes(0.5)), rtol=1e-12
    )


@given(_counts.filter(lambda outcomes: sum(outcomes) > 0), st.sampled_from([0.8, 0.95, 0.999]))
def test_an_interval_ends_where_somebody_gets_rich(outcomes: tuple[int, int, int], level: float) -> None:
    record, limit = _record(outcomes), math.log(2 / (1 - level))
    low, high = _limits(outcomes, level)
    share = (outcomes[0] + outcomes[1] / 2) / sum(outcomes)
    assert 0 <= low <= share <= high <= 1
    if low > 0:
        assert _grown(record, low, 0)[0] >= limit > _grown(record, low + 2e-6, 0)[0]
    else:
        assert _grown(record, 2e-6, 0)[0] < limit
    if high < 1:
        assert _grown(record, high, 1)[0] >= limit > _grown(record, high - 2e-6, 1)[0]
    else:
        assert _grown(record, 1 - 2e-6, 1)[0] < limit


def test_intervals_shrink_with_judgments_and_are_everything_without() -> None:
    widths = [np.diff(_limits((6 * many, many, 3 * many)))[0] for many in (1, 4, 16, 64, 256, 4096)]
    assert np.all(np.diff(widths) < 0)
    assert widths[-1] < 0.03
    assert _limits((0, 0, 0)) == (0.0, 1.0)
    assert _limits((0, 0, 10_000))[0] == 0.0
    assert _limits((10_000, 0, 0))[1] == 1.0


def test_intervals_of_all_pairs_together_are_wider() -> None:
    record = _record((30, 5, 20), (0, 0, 4), (0, 0, 0), (100, 0, 1))
    low, high = sequential_tests.decide(record, 0.9).intervals(np.array([3, 0]))
    for place, pair in enumerate([(100, 0, 1), (30, 5, 20)]):
        assert (low[place], high[place]) == pytest.approx(_limits(pair, 1 - 0.1 / 4), abs=1e-9)


def _first_crossing(
    start: tuple[float, float, float], chances: tuple[float, float, float], margin: float | None
) -> int:
    """Add expected judgments one by one until the pair is decided."""
    steps = np.arange(0, 200_000, dtype=float)
    crossed = 1_000_000_000
    for piece in np.array_split(steps, 200):
        outcomes = np.array(start)[:, None] + np.array(chances)[:, None] * piece
        record = sequential_tests.Record.counted(outcomes)
        settled = sequential_tests.p_equal(record) <= 0.05
        if margin is not None:
            settled |= sequential_tests.p_apart(record, margin) <= 0.05
        if settled.any():
            crossed = int(piece[np.argmax(settled)])
            break
    return crossed


@pytest.mark.parametrize(
    ("start", "chances", "margin"),
    [
        ((0, 0, 0), (0.6, 0.0, 0.4), None),
        ((5, 2, 9), (0.6, 0.1, 0.3), None),
        ((30, 0, 10), (0.52, 0.0, 0.48), None),
        ((0, 0, 0), (0.01, 0.97, 0.02), None),
        ((0, 0, 8), (0.9, 0.0, 0.1), None),
        ((0, 0, 0), (1.0, 0.0, 0.0), None),
        ((0, 0, 0), (0.5, 0.0, 0.5), 0.05),
        ((40, 0, 20), (0.4, 0.2, 0.4), 0.05),
        ((0, 0, 0), (0.53, 0.0, 0.47), 0.1),
        ((0, 0, 0), (0.505, 0.0, 0.495), 0.02),
        ((0, 0, 0), (0.505, 0.0, 0.495), None),
    ],
)
def test_judgments_needed_are_those_of_the_expected_course(
    start: tuple[float, float, float], chances: tuple[float, float, float], margin: float | None
) -> None:
    needed = sequential_tests.decide(_record(start), 0.95, margin).needed(np.array(chances)[:, None])[0]
    assert needed == pytest.approx(_first_crossing(start, chances, margin), rel=0.01, abs=1)


def test_what_no_number_of_judgments_settles() -> None:
    even = np.array([[0.5, 0.3, 0.0], [0.0, 0.4, 1.0], [0.5, 0.3, 0.0]])
    nothing = _record((0, 0, 0), (10, 5, 8), (2, 0, 0))
    assert sequential_tests.decide(nothing).needed(even).tolist() == [np.inf] * 3
    assert np.all(np.isfinite(sequential_tests.decide(nothing, margin=0.05).needed(even)))
    assert sequential_tests.decide(_record((60, 0, 20)), margin=0.05).needed(even[:, :1]).tolist() == [0.0]
    exactly = np.array([[0.55], [0.0], [0.45]])
    assert np.isfinite(
        sequential_tests.decide(_record((0, 0, 0)), margin=0.05).needed(exactly)[0]
    )  # separated sooner or later


def test_what_a_family_needs_is_what_settles_it() -> None:
    """One pair is separated already, two are open: the next to be decided needs what Holm asks of it."""
    start = np.array([[90.0, 10.0, 4.0], [0.0, 0.0, 0.0], [10.0, 8.0, 4.0]])
    chances = np.array([[0.9, 0.6, 0.5], [0.0, 0.0, 0.0], [0.1, 0.4, 0.5]])
    needed = sequential_tests.decide(sequential_tests.Record.counted(start)).needed(chances)
    assert (needed[0], needed[2]) == (0.0, np.inf)
    for more in range(1, 2000):
        outcomes = start.copy()
        outcomes[:, 1] += more * chances[:, 1]
        if sequential_tests.decide(sequential_tests.Record.counted(outcomes)).state[1] == sequential_tests.FIRST:
            break
    assert needed[1] == pytest.approx(more, rel=0.01)


def test_pairs_found_alike_still_count_among_those_to_be_separated() -> None:
    """Holm counts every pair that is not separated, whether equivalent or open."""
    start = np.array([[6000.0, 6000.0, 6000.0, 10.0], [0.0] * 4, [6000.0, 6000.0, 6000.0, 8.0]])
    chances = np.array([[0.5, 0.5, 0.5, 0.7], [0.0] * 4, [0.5, 0.5, 0.5, 0.3]])
    decisions = sequential_tests.decide(sequential_tests.Record.counted(start), margin=0.05)
    assert decisions.state.tolist() == [sequential_tests.EQUIVALENT] * 3 + [sequential_tests.UNDECIDED]
    for more in range(1, 2000):
        outcomes = start.copy()
        outcomes[:, 3] += more * chances[:, 3]
        if (
            sequential_tests.decide(sequential_tests.Record.counted(outcomes), margin=0.05).state[3]
            != sequential_tests.UNDECIDED
        ):
            break
    assert decisions.needed(chances)[3] == pytest.approx(more, rel=0.01)


def test_pairs_found_apart_still_count_among_those_to_be_found_alike() -> None:
    start = np.array([[600.0] * 3 + [10.0], [0.0] * 4, [60.0] * 3 + [8.0]])
    chances = np.array([[0.9] * 3 + [0.5], [0.0] * 4, [0.1] * 3 + [0.5]])
    decisions = sequential_tests.decide(sequential_tests.Record.counted(start), margin=0.1)
    assert decisions.state.tolist() == [sequential_tests.FIRST] * 3 + [sequential_tests.UNDECIDED]
    for more in range(1, 4000):
        outcomes = start.copy()
        outcomes[:, 3] += more * chances[:, 3]
        if (
            sequential_tests.decide(sequential_tests.Record.counted(outcomes), margin=0.1).state[3]
            == sequential_tests.EQUIVALENT
        ):
            break
    assert decisions.needed(chances)[3] == pytest.approx(more, rel=0.01)


def _courses(rng: np.random.Generator, runs: int, looks: int, won: float, tied: float) -> tuple[FloatArray, FloatArray]:
    """Return wins and losses so far of every run at every look (looks × runs)."""
    draw = rng.random((looks, runs))
    return np.cumsum(draw < won, axis=0), np.cumsum(draw >= won + tied, axis=0)


def _at_looks(wins: FloatArray, losses: FloatArray) -> list[sequential_tests.Record]:
    """Return what is known at every look, many looks in one record."""
    ties = np.arange(1, len(wins) + 1)[:, None] - wins - losses
    return [
        sequential_tests.Record.counted(
            np.stack([part[start : start + 100].ravel() for part in (wins, ties, losses)]).astype(float)
        )
        for start in range(0, len(wins), 100)
    ]


def _ever(marks: list[FloatArray], runs: int) -> FloatArray:
    return np.any(np.concatenate([mark.reshape(-1, runs) for mark in marks]), axis=0)


def _bound(runs: int, level: float = 0.05) -> float:
    return level + 3 * math.sqrt(level * (1 - level) / runs)


@pytest.mark.parametrize("tied", [0.0, 0.3])
def test_equal_systems_are_hardly_ever_separated_however_often_one_looks(tied: float) -> None:
    runs, looks = 1000, 1000
    wins, losses = _courses(np.random.default_rng(11), runs, looks, (1 - tied) / 2, tied)
    ever = _ever([sequential_tests.p_equal(record) <= 0.05 for record in _at_looks(wins, losses)], runs)
    assert 0.001 < ever.mean() <= _bound(runs)
    naive = np.any(np.abs(wins - losses) > 1.96 * np.sqrt(np.maximum(wins + losses, 1)), axis=0)
    assert naive.mean() > 0.2


def test_choosing_pairs_by_what_was_seen_keeps_the_level_of_the_family() -> None:
    """Ten equal pairs; always the one next to a separation is judged, and Holm decides after every judgment."""
    runs, pairs, judgments = 300, 10, 600
    rng = np.random.default_rng(12)
    outcomes, p = np.zeros((3, runs, pairs)), np.ones((runs, pairs))
    everyone, separated = np.arange(runs), np.zeros((runs, pairs), dtype=bool)
    for _ in range(judgments):
        chosen = np.argmin(np.where(separated, np.inf, p) + 1e-9 * rng.random((runs, pairs)), axis=1)
        outcomes[rng.choice([0, 1, 2], p=[0.4, 0.2, 0.4], size=runs), everyone, chosen] += 1
        p[everyone, chosen] = sequential_tests.p_equal(sequential_tests.Record.counted(outcomes[:, everyone, chosen]))
        order = np.argsort(p, axis=1)
        steps = np.maximum.accumulate(np.take_along_axis(p, order, 1) * np.arange(pairs, 0, -1), axis=1)
        corrected = np.empty_like(p)
        np.put_along_axis(corrected, order, steps, 1)
        separated |= corrected <= 0.05
    np.testing.assert_allclose(
        sequential_tests.decide(sequential_tests.Record.counted(outcomes[:, 0])).p,
        np.minimum(corrected[0], 1),
        rtol=1e-9,
    )
    assert np.any(separated, axis=1).mean() <= _bound(runs)


def test_a_difference_is_found_not_much_later_than_by_a_planned_test() -> None:
    runs, looks = 400, 1400
    wins, losses = _courses(np.random.default_rng(13), runs, looks, 0.6, 0.0)
    marks = np.concatenate(
        [(sequential_tests.p_equal(record) <= 0.05).reshape(-1, runs) for record in _at_looks(wins, losses)]
    )
    assert np.all(marks.any(axis=0))
    delay = np.argmax(marks, axis=0) + 1
    assert 50 < delay.mean() <= 1.5 * sample_size.sign_needed(0.6)
    first = wins > losses
    assert np.mean(first[delay - 1, np.arange(runs)]) > 0.99


@pytest.mark.parametrize(("won", "tied"), [(0.5, 0.0), (0.35, 0.4), (0.9, 0.0)])
def test_the_truth_stays_within_the_interval_at_all_looks(won: float, tied: float) -> None:
    runs, truth = 800, won + tied / 2
    wins, losses = _courses(np.random.default_rng(14), runs, 500, won, tied)
    left = [
        np.maximum(_grown(record, truth, 0), _grown(record, truth, 1)) >= math.log(2 / 0.05)
        for record in _at_looks(wins, losses)
    ]
    ever = _ever(left, runs)
    assert 1 - ever.mean() >= 1 - _bound(runs)
    last = sequential_tests.Record.counted(np.stack([wins[-1], 500 - wins[-1] - losses[-1], losses[-1]]).astype(float))
    low, high = sequential_tests.interval(last)
    np.testing.assert_array_equal((truth < low) | (truth > high), left[-1].reshape(-1, runs)[-1])
    assert np.mean(high - low) < 0.25


def test_systems_at_the_margin_are_hardly_ever_found_equivalent() -> None:
    runs, looks, margin = 1000, 1000, 0.1
    wins, losses = _courses(np.random.default_rng(15), runs, looks, 0.5 + margin, 0.0)
    ever = _ever([sequential_tests.p_apart(record, margin) <= 0.05 for record in _at_looks(wins, losses)], runs)
    assert ever.mean() <= _bound(runs)
    equal = _courses(np.random.default_rng(16), 200, looks, 0.5, 0.0)
    assert _ever([sequential_tests.p_apart(record, margin) <= 0.05 for record in _at_looks(*equal)], 200).mean() > 0.9


def test_items_that_are_judged_again_keep_the_level() -> None:
    """Sixty items are gone through four times; equal systems, but every item has a taste of its own."""
    runs, items, rounds = 400, 60, 4
    rng = np.random.default_rng(17)
    taste = rng.choice([0.2, 0.5, 0.8], size=(runs, items))
    points, times, ever = np.zeros((runs, items)), np.zeros((runs, items)), np.zeros(runs, dtype=bool)
    pair = np.repeat(np.arange(runs), items).reshape(runs, items)
    for step in range(items * rounds):
        item = step % items
        points[:, item] += rng.random(runs) < taste[:, item]
        times[:, item] += 1
        seen = times > 0
        record = sequential_tests.Record(pair[seen], points[seen] / times[seen], np.ones(int(seen.sum())), runs)
        ever |= sequential_tests.p_equal(record) <= 0.05
    assert ever.mean() <= _bound(runs)


@pytest.mark.parametrize("margin", [None, 0.1])
def test_few_scores_counted_by_pair_say_what_all_entries_say(
    margin: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    pair = rng.integers(40, size=3000)
    score = np.where(pair < 3, 1.0, rng.choice([0.0, 0.25, 0.5, 1.0], size=3000, p=[0.3, 0.1, 0.3, 0.3]))
    chances = rng.dirichlet([3, 1, 2], 40).T
    found = []
    for scores, pairs in ((16, 1024), (16, 7), (3, 7)):  # counted in one block, in several; one by one
        monkeypatch.setattr(sequential, "_SCORES", scores)
        monkeypatch.setattr(sequential, "_PAIRS", pairs)
        decisions = sequential_tests.decide(sequential_tests.Record(pair, score, np.ones(3000), 40), 0.5, margin)
        found.append((decisions.p, decisions.p_equivalent, decisions.state, decisions.needed(chances)))
    for one, two, three in zip(*found, strict=True):
        assert one == pytest.approx(three, rel=1e-9)
        assert two == pytest.approx(three, rel=1e-9)
    assert len(np.unique(found[0][2])) > 1


def test_no_pairs_need_nothing() -> None:
    decisions = sequential_tests.decide(sequential_tests.Record.counted(np.zeros((3, 0))))
    assert len(decisions.p) == len(decisions.needed(np.zeros((3, 0)))) == 0

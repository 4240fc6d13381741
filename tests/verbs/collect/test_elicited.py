"""TrueSkill that chooses its own judgments: its beliefs by the package, its choices by the policy `wmt`."""

from functools import partial
from math import sqrt

import numpy as np
import pytest
import trueskill
from scipy import stats

from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.units.units import RowUnits
from betterthan.verbs.collect import collection_state, trueskill_elicitation
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import policy_of
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

FIRST, SECOND = np.triu_indices(4, 1)
COUNTS = np.array([[6.0, 4, 0, 3, 5, 2], [2.0, 2, 0, 0, 1, 2], [2.0, 4, 0, 7, 1, 2]])  # 0 and 3 never met


@pytest.mark.parametrize("judgments", [12, 300])
def test_beliefs_are_the_package_s(judgments: int) -> None:
    found = trueskill_elicitation.elicit(
        trueskill_elicitation.Outcomes.of(4, FIRST, SECOND, COUNTS), judgments, 3, np.random.default_rng(2)
    )
    beta = 0.025 * judgments * 0.25
    drawn = 2 * stats.norm.cdf(0.25 / (sqrt(2) * beta)) - 1
    environment = trueskill.TrueSkill(0.0, 0.5, beta, 0.0, drawn, backend="scipy")
    for run in range(3):
        ratings = [environment.create_rating() for _ in range(4)]
        columns = (found.first[:, run], found.second[:, run], found.outcome[:, run])
        for first, second, outcome in zip(*columns, strict=True):
            best, worst = (first, second) if outcome < 2 else (second, first)
            ratings[best], ratings[worst] = trueskill.rate_1vs1(
                ratings[best], ratings[worst], drawn=outcome == 1, min_delta=1e-12, env=environment
            )
        assert found.mean[run] == pytest.approx([rating.mu for rating in ratings], abs=1e-6)
        assert np.sqrt(found.variance[run]) == pytest.approx([rating.sigma for rating in ratings], abs=1e-6)


def test_beliefs_are_those_of_the_other_loop_to_the_last_digits() -> None:
    found = trueskill_elicitation.elicit(
        trueskill_elicitation.Outcomes.of(4, FIRST, SECOND, COUNTS), 2000, 2, np.random.default_rng(5)
    )
    start = Beliefs.start(4, "wmt", 2000)
    for run in range(2):
        ratings = start.after(found.first[:, run], found.second[:, run], found.outcome[:, run])
        assert found.mean[run] == pytest.approx(ratings.mean, abs=1e-11)
        assert found.variance[run] == pytest.approx(ratings.variance, abs=1e-11)


def _same(beliefs: Beliefs, _: str) -> Beliefs:
    return beliefs


def test_choices_are_those_of_the_policy() -> None:
    """The share of every pair, at the beginning and later, is the mean of what the policy gives it in every run."""
    runs, size = 3000, 4
    clear = np.array([[9.0, 9, 0, 9, 9, 8], [1.0, 0, 0, 0, 1, 2], [0.0, 1, 0, 1, 0, 0]])
    found = trueskill_elicitation.elicit(
        trueskill_elicitation.Outcomes.of(size, FIRST, SECOND, clear), 20, runs, np.random.default_rng(1)
    )
    first, second = collection_state.pair_at(size)
    allowed = clear.sum(axis=0) > 0
    counts = PairCounts(tuple("abcd"), first, second, np.zeros((3, 6)), RowUnits(*(np.empty(0),) * 3, (3, 6)))  # type: ignore[arg-type]
    policy, start = policy_of("wmt"), Beliefs.start(size, "wmt", 20)
    for step in (0, 1, 10, 19):
        expected = np.zeros(6)
        for run in range(runs):
            before = (column[:step, run] for column in (found.first, found.second, found.outcome))
            beliefs = start.after(*before)
            expected += policy.chances(CollectionState(counts, partial(_same, beliefs)), np.zeros(6), allowed)
        asked = np.bincount(collection_state.place_of(size)[found.first[step], found.second[step]], minlength=6)
        assert asked[~allowed].sum() == 0
        assert stats.chisquare(asked[allowed], expected[allowed]).pvalue > 1e-3


def test_judgments_are_drawn_from_those_of_the_pair() -> None:
    found = trueskill_elicitation.elicit(
        trueskill_elicitation.Outcomes.of(4, FIRST, SECOND, COUNTS), 400, 100, np.random.default_rng(4)
    )
    for pair, (a, b) in enumerate(zip(FIRST, SECOND, strict=True)):
        forth, back = (found.outcome[(found.first == one) & (found.second == two)] for one, two in ((a, b), (b, a)))
        seen = np.bincount(np.concatenate([forth, 2 - back]), minlength=3)
        if pair == 2:
            assert seen.sum() == 0
            continue
        there = COUNTS[:, pair] > 0
        assert seen[~there].sum() == 0
        shares = COUNTS[there, pair] / COUNTS[:, pair].sum()
        assert stats.chisquare(seen[there], seen.sum() * shares).pvalue > 1e-3


def test_equal_seeds_give_equal_runs() -> None:
    world = trueskill_elicitation.Outcomes.of(4, FIRST, SECOND, COUNTS)
    one, two, three = (trueskill_elicitation.elicit(world, 50, 2, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert not np.array_equal(one.mean, three.mean)

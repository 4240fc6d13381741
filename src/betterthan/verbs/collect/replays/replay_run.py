"""One run of a policy: choose, judge and check, until the budget is spent or no pair is left."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from betterthan.base import BoolArray, FloatArray, IntArray, parallel
from betterthan.datasets import PairCounts, RowUnits
from betterthan.inference import sequential
from betterthan.models import BradleyTerry, Fit
from betterthan.options import WMT
from betterthan.uncertainty import ranks_and_clusters, resampling
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.pair_choice import Chooser, pairs_of
from betterthan.verbs.collect.policies.base import policy_of
from betterthan.verbs.collect.replays.replay_ranking import collected, ranking_model
from betterthan.verbs.collect.replays.replay_world import ReplayWorld
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

#: How much of a run is its beginning, and its end.
END = 0.2


@dataclass(frozen=True)
class ReplayTask:
    """The arguments of one run."""

    world: ReplayWorld
    policy: str
    budget: int
    batch: int
    looks: tuple[int, ...]
    resamples: int
    level: float
    margin: float | None
    seed: np.random.SeedSequence
    way: int = 2  # systems that are ranked at once; every pair of them is judged then
    room: FloatArray | None = None  # most judgments of every pair, where that is limited
    model: str = "bradley-terry"  # that makes the ranking at looks


@dataclass(frozen=True)
class Trace:
    """The trace of a run: after every batch, and at the looks, where systems are ranked."""

    judgments: IntArray
    settled: IntArray  # of the pairs that the whole evidence settles
    separated: IntArray
    wrong: IntArray
    early: FloatArray  # how often every pair was requested in the first fifth of the run, and in the last
    late: FloatArray
    kendall: FloatArray  # at each look, NaN after the end
    clusters: FloatArray
    misplaced: FloatArray  # pairs in different clusters, the other way round than in the whole evidence

    def until(self, wanted: float) -> float:
        """Return after how many judgments that many pairs were settled, infinity where they never were."""
        there = np.flatnonzero(self.settled >= wanted)
        return float(self.judgments[there[0]]) if len(there) else np.inf


def run(task: ReplayTask) -> Trace:
    """Collect by the policy."""
    with parallel.one_blas_thread():
        return _Run(task).trace()


class _Run:
    def __init__(self, task: ReplayTask) -> None:
        self.task, self.world = task, task.world
        self.policy = policy_of(task.policy)
        self.model = ranking_model(task.model)
        self.rng = np.random.default_rng(task.seed)
        self.outcomes = np.zeros_like(self.world.chances)
        self.asked: list[IntArray] = []
        self.answered: list[IntArray] = []
        self.strength = np.zeros(self.world.counts.size)
        self.rated: dict[str, tuple[Beliefs, int]] = {}

    def trace(self) -> Trace:
        task, done = self.task, 0
        steps = [(0, 0, 0, 0)]
        looks: dict[int, tuple[float, float, float]] = {}
        while done < task.budget:
            known = self._known()
            if done:
                steps.append((done, *self._compared(known)))
            size = min(task.batch, task.budget - done, *(look - done for look in task.looks if look > done))
            pairs, chosen = self._sets(known, size) if task.way > 2 else self._pairs(known, size)
            if not len(pairs):
                break
            self._judge(pairs)
            done += chosen
            if done in task.looks:
                looks[done] = self._look()
        steps.append((done, *self._compared(self._known())))
        judgments, settled, separated, wrong = (np.array(column) for column in zip(*steps, strict=True))
        kendall, number, misplaced = np.array([looks.get(at, (np.nan,) * 3) for at in task.looks]).reshape(-1, 3).T
        early, late = self._asked_for()
        return Trace(judgments, settled, separated, wrong, early, late, kendall, number, misplaced)

    def _asked_for(self) -> tuple[FloatArray, FloatArray]:
        asked = np.concatenate([np.empty(0, dtype=np.int64), *self.asked])
        some, pairs = round(END * len(asked)), self.outcomes.shape[1]
        first, last = (np.bincount(part, minlength=pairs) for part in (asked[:some], asked[len(asked) - some :]))
        return first.astype(float), last.astype(float)

    def _known(self) -> CollectionState:
        return CollectionState(self._counts(), self._rate, self.task.level, self.task.margin, estimate=self._estimate)

    def _estimate(self, counts: PairCounts) -> Fit:
        """Begin where the strengths were: one batch of judgments does not move them far."""
        known = BradleyTerry().fit_near(counts, self.strength, {})
        self.strength = known.strength
        return known

    def _counts(self) -> PairCounts:
        shape = self.outcomes.shape
        units = RowUnits.of(np.arange(self.outcomes.size), np.ones(self.outcomes.size), self.outcomes.ravel(), shape)
        return replace(self.world.counts, outcomes=self.outcomes.copy(), units=units)

    def _pairs(self, known: CollectionState, size: int) -> tuple[IntArray, int]:
        """Choose that many pairs, fewer where there is no room for them."""
        room = self._room()
        pairs = self._choose(known, size, room > 0)
        kept = pairs[_turns(pairs) < room[pairs]]
        return kept, len(kept)

    def _sets(self, known: CollectionState, size: int) -> tuple[IntArray, int]:
        """Choose that many sets of systems to be ranked; return the pairs within them, and how many sets there are."""
        chooser = Chooser(self.policy, known, np.zeros(self.outcomes.shape[1]), self._room(), self.task.way)
        sets = [choice for _ in range(size) if (choice := chooser.choose(self.rng)) is not None]
        pairs = [pairs_of(choice.systems, self.world.counts.size) for choice in sets]
        return np.concatenate([np.empty(0, dtype=np.int64), *pairs]), len(sets)

    def _room(self) -> FloatArray:
        """Return how many more judgments every pair may get."""
        most = np.inf if self.task.room is None else self.task.room
        return np.where(self.world.open_pairs, most - self.outcomes.sum(axis=0), 0.0)

    def _choose(self, known: CollectionState, size: int, allowed: BoolArray) -> IntArray:
        pending = np.zeros(self.outcomes.shape[1])
        if not self.policy.turns:  # all of a batch by the same chances
            chances = self.policy.chances(known, pending, allowed)
            total = chances.sum()
            return self.rng.choice(len(chances), size, p=chances / total) if total > 0 else np.empty(0, dtype=np.int64)
        chosen = np.empty(size if np.any(allowed) else 0, dtype=np.int64)
        for place in range(len(chosen)):
            chances = self.policy.chances(known, pending, allowed)
            chosen[place] = np.searchsorted(np.cumsum(chances), self.rng.random() * chances.sum(), side="right")
            pending[chosen[place]] += 1
        return chosen

    def _judge(self, pairs: IntArray) -> None:
        outcome = self.world.judge(pairs, self.rng)
        np.add.at(self.outcomes, (outcome, pairs), 1.0)
        self.asked.append(pairs)
        self.answered.append(outcome)

    def _compared(self, known: CollectionState) -> tuple[int, int, int]:
        """Count the settled pairs, and separations against what the whole evidence says."""
        state, ahead = known.decisions.state, self.world.ahead
        wrong = ((state == sequential.FIRST) & (ahead <= 0)) | ((state == sequential.SECOND) & (ahead >= 0))
        settled = ~known.decisions.undecided & self.world.settled
        separated = (state == sequential.FIRST) | (state == sequential.SECOND)
        return int(settled.sum()), int(separated.sum()), int(wrong.sum())

    def _look(self) -> tuple[float, float, float]:
        """Rank what came: Kendall's tau to the whole evidence's ranking, clusters, and pairs misplaced."""
        model, counts, truth = self.model, self._counts(), self.world.strength
        if counts.units.size < 2:  # nothing to resample
            return np.nan, 1.0, 0.0
        statistic = collected(model, counts, np.concatenate(self.asked), np.concatenate(self.answered))
        fit = model.fit(statistic)
        kendall = float(stats.kendalltau(fit.strength, truth).statistic)
        draws = resampling.bootstrap(
            model, fit, statistic, resamples=self.task.resamples, seed=int(self.rng.integers(2**31))
        )
        numbers = ranks_and_clusters.clusters_of(fit, draws, self.task.level, WMT)
        number = np.array([np.nan if one is None else float(one) for one in numbers])
        ahead, behind = counts.first, counts.second
        apart = number[ahead] - number[behind]  # below zero: the first is in the better cluster
        return kendall, float(np.nanmax(number, initial=1.0)), float(np.sum(apart * (truth[ahead] - truth[behind]) > 0))

    def _rate(self, preset: str) -> Beliefs:
        """Play what has come since the last time: TrueSkill continues from where it was."""
        ratings, played = self.rated.get(preset) or (Beliefs.start(self.world.counts.size, preset, self.task.budget), 0)
        if len(self.asked) > played:
            pairs, outcome = np.concatenate(self.asked[played:]), np.concatenate(self.answered[played:])
            ratings = ratings.after(self.world.counts.first[pairs], self.world.counts.second[pairs], outcome)
            self.rated[preset] = (ratings, len(self.asked))
        return ratings


def _turns(pairs: IntArray) -> IntArray:
    """Return how often each pair came before in a list."""
    order = np.argsort(pairs, kind="stable")
    first = np.searchsorted(pairs[order], pairs[order])
    turns = np.empty(len(pairs), dtype=np.int64)
    turns[order] = np.arange(len(pairs)) - first
    return turns

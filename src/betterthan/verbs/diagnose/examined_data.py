"""One data set under examination: inputs shared by all checks, each computed once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.datasets import DataSet, JudgedSet, PairCounts, ScoredSet, Units, crossed_variance
from betterthan.evidence import Judgments, ScoreTable
from betterthan.findings import Finding
from betterthan.models import BradleyTerry, Fit
from betterthan.verbs.diagnose.residual_noise import can_be_hashed, hashed_noise

#: How often units are resampled.
RESAMPLES = 199
#: Numbers held at once by a batch of resamples, and between checks.
_BATCH_NUMBERS, _KEPT_NUMBERS = 6_000_000, 30_000_000


@dataclass(frozen=True)
class ExaminedData:
    """A data set, its pair counts with their units, and the reference Bradley–Terry fit."""

    data: DataSet
    seed: int = 0

    @property
    def table(self) -> ScoreTable | None:
        """The scores, where scores came in."""
        return self.data.scores if isinstance(self.data, ScoredSet) else None

    @property
    def values(self) -> FloatArray:
        """The scores themselves (items × systems); none where judgments came in."""
        return self.table.values if self.table is not None else np.empty((0, self.counts.size))

    @property
    def equal_best(self) -> tuple[str, ...]:
        """The systems with the best mean score, where there are several of them and Bradley–Terry orders them."""
        if self.table is None or not np.all(np.any(~np.isnan(self.values), axis=0)):
            return ()
        means = np.nanmean(self.values, axis=0)
        best = np.flatnonzero(np.isclose(means, means.max(), rtol=1e-12, atol=0.0))
        names = [self.table.systems[place] for place in best]
        strengths = [self.fit.strength[self.counts.systems.index(name)] for name in names]
        return tuple(names) if np.ptp(strengths) > self.fit.resolution else ()

    @property
    def judgments(self) -> Judgments | None:
        """The judgments, where judgments or rankings came in."""
        return self.data.judgments if isinstance(self.data, JudgedSet) else None

    @property
    def unit(self) -> str:
        """The unit of dependence: what is resampled as a whole."""
        return self.data.unit

    @cached_property
    def counts(self) -> PairCounts:
        """Outcomes of every pair."""
        return self.data.pairs()

    @cached_property
    def model(self) -> BradleyTerry:
        """Bradley–Terry, ties half."""
        return BradleyTerry()

    @cached_property
    def fit(self) -> Fit:
        """Its strengths."""
        return self.model.fit(self.counts)

    @cached_property
    def met(self) -> FloatArray:
        """How often every pair met."""
        return np.asarray(self.counts.outcomes.sum(axis=0))

    @cached_property
    def expected(self) -> FloatArray:
        """The expected score of the first system of every pair in one comparison by Bradley–Terry."""
        return np.asarray(self.chances(self.fit.strength[:, None])[:, 0])

    @cached_property
    def residual(self) -> FloatArray:
        """How much more the first system of every pair won than Bradley–Terry expects."""
        won: FloatArray = self.model.outcomes(self.counts.outcomes)[0]
        return won - self.met * self.expected

    @cached_property
    def rows(self) -> tuple[IntArray, FloatArray]:
        """Return of every distinct judgment its pair's place, and how much more its first system won than expected."""
        tally = self.data.tally()
        place = self.place(np.minimum(tally.left, tally.right), np.maximum(tally.left, tally.right))
        points = np.array([1.0, 0.5, 0.0])[np.where(tally.left < tally.right, tally.outcome, 2 - tally.outcome)]
        return place, tally.weight * tally.times * (points - self.expected[place])

    def place(self, first: IntArray, second: IntArray) -> IntArray:
        """Return each pair's place among those that met, −1 for one that did not."""
        size = self.counts.size
        places = np.full(size * size, -1, dtype=np.int64)
        places[self.counts.first * size + self.counts.second] = np.arange(len(self.counts.first))
        found: IntArray = places[first * size + second]
        return found

    def chances(self, strength: FloatArray) -> FloatArray:
        """Return the first system's chance in every pair (pairs × resamples) from strengths (systems × resamples)."""
        chances: FloatArray = scipy.special.expit(strength[self.counts.first] - strength[self.counts.second])
        return chances

    def noise(self) -> Iterator[FloatArray]:
        """Yield what residuals vary by when units are resampled (pairs × resamples, in batches).

        Added to what Bradley–Terry expects, it is evidence that the model fits, with the dependence of the real one.
        """
        kept: list[FloatArray] | None = self.__dict__.get("_noise")
        if kept is not None:
            yield from kept
            return
        units = self.counts.units
        if units.in_engine and can_be_hashed(self):
            self.__dict__["_noise"] = [hashed_noise(self, RESAMPLES)]
            yield from self.__dict__["_noise"]
            return
        refit = self.model.refitter(self.fit, self.counts)
        batch = int(np.clip(_BATCH_NUMBERS // max(units.width, 1), 1, RESAMPLES))
        rng = np.random.default_rng(self.seed)

        def drawn(units: Units, number: int) -> FloatArray:
            outcomes = units.resample(rng, number)
            strength, _ = refit(outcomes, rng)
            residual: FloatArray = self.model.outcomes(outcomes)[0] - outcomes.sum(axis=0) * self.chances(strength)
            return residual - self.residual[:, None]

        made: list[FloatArray] = []
        for start in range(0, RESAMPLES, batch):
            number = min(batch, RESAMPLES - start)
            if units.crossed is None:
                made.append(drawn(units, number))
            else:  # both factors, less what they have in common
                one, two, both = (drawn(part, number) for part in units.crossed)
                made.append(
                    (one + two) * crossed_variance.shrinkage(*(float(np.sum(part**2)) for part in (one, two, both)))
                )
            yield made[-1]
            if len(self.met) * RESAMPLES > _KEPT_NUMBERS:
                made = []
        if made:  # drawn once for all checks
            self.__dict__["_noise"] = made

    def name(self, place: int) -> str:
        """Return a system's name, quoted."""
        return repr(self.counts.systems[place])

    def pair(self, place: int) -> str:
        """Return the two names of a pair."""
        return f"{self.name(int(self.counts.first[place]))} and {self.name(int(self.counts.second[place]))}"


def of_scores(check: Callable[[ExaminedData, ScoreTable], list[Finding]]) -> Callable[[ExaminedData], list[Finding]]:
    """Make a check of scores one of any evidence, which finds nothing where judgments or rankings came in."""

    @wraps(check)
    def checked(case: ExaminedData) -> list[Finding]:
        return [] if case.table is None else check(case, case.table)

    return checked

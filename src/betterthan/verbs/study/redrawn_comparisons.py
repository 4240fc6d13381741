"""Bradley–Terry rankings of resampled comparisons, with equal numbers per pair."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray, parallel
from betterthan.datasets import PairCounts, pair_samples
from betterthan.models import BradleyTerry
from betterthan.verbs.study.study_ranking import ranked


@dataclass(frozen=True)
class Redraw:
    """Draws `number` comparisons of every pair, `runs` times; a share of them is turned into `ties`.

    `whole` are the ranks in the whole evidence, which those of every run are compared with.
    """

    counts: PairCounts
    whole: IntArray
    number: int
    runs: int
    seed: tuple[int, ...]
    ties: float = 0.0

    def ranks(self) -> list[IntArray]:
        """Return the ranks of every run, 1 the best."""
        model, rng = BradleyTerry(), np.random.default_rng(self.seed)
        shares: FloatArray = self.counts.outcomes / self.counts.outcomes.sum(axis=0)
        shares = (1 - self.ties) * shares + self.ties * np.array([[0.0], [1.0], [0.0]])
        numbers = np.full(shares.shape[1], self.number, dtype=np.int64)
        with parallel.one_blas_thread():
            fit = model.fit(self.counts)
            drawn = pair_samples.PairSamples(shares, numbers).resample(rng, self.runs)
            strengths, _ = model.refitter(fit, self.counts)(drawn, rng)
        return [ranked(fit, strength) for strength in strengths.T]

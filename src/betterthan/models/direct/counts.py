"""Models that compute strengths from pair counts directly: one function serves the estimate and all resamples."""

from abc import abstractmethod
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.findings import Finding, marked
from betterthan.findings.comparisons import ISLANDS, NEVER_LOSES, NEVER_WINS, NOTHING_COUNTS
from betterthan.late import scipy
from betterthan.models.base import Fit, ModelBase, Refit
from betterthan.reduce.pairs import PairCounts, decided


class FromCounts(ModelBase):
    """A model without a likelihood whose strengths are a function of the counts."""

    consumes: tuple[type, ...] = (PairCounts,)

    @abstractmethod
    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return systems × resamples from outcomes (3 × pairs × resamples), NaN where they tell nothing."""

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Return what else a fit should say; where that takes the strengths, they are there as well."""
        del counts
        return {}

    def fit(self, counts: PairCounts) -> Fit:
        """Compute the strengths; a system about which nothing is known stands in the middle, apart from the others."""
        facts = self.facts(counts)
        strength = facts.pop("strength", None)
        if strength is None:
            strength = self.strengths(counts, counts.outcomes[:, :, None])[:, 0]
        unknown = np.isnan(strength)
        findings = [*islands(counts), *nothing_known(counts, unknown), *one_sided(counts)]
        middle = float(np.mean(strength[~unknown])) if not np.all(unknown) else 0.0
        findings += facts.pop("findings", ())
        return Fit.plain(
            counts.systems,
            np.where(unknown, middle, strength),
            estimable=~unknown,
            apart=unknown if not np.all(unknown) else np.zeros(counts.size, dtype=bool),
            findings=tuple(findings),
            **facts,
        )

    def refitter(self, fit: Fit, counts: PairCounts) -> Refit:
        """Compute the strengths of resamples; a system that one of them lost stays where it was."""

        def refit(outcomes: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            del rng
            strength = self.strengths(counts, outcomes)
            unknown = np.isnan(strength)
            lost = np.any(unknown & fit.estimable[:, None], axis=0)
            return np.where(unknown, fit.strength[:, None], strength), int(np.sum(lost))

        return refit


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide, NaN where there is nothing to divide."""
    shares: FloatArray = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
    return shares


def mean_share(counts: PairCounts, won: FloatArray, lost: FloatArray) -> FloatArray:
    """Return the mean over opponents of the share won against each; pairs without a decision are left out."""
    met = (won + lost > 0).astype(float)
    of_first = np.nan_to_num(share(won, won + lost))
    return share(counts.add_up(of_first, met - of_first), counts.add_up(met, met))


def win_matrix(counts: PairCounts, outcomes: FloatArray) -> Any:
    """Return winners × losers of one set of outcomes (3 × pairs), ties half for each side."""
    won, lost = decided(outcomes)
    rows, columns = np.concatenate([counts.first, counts.second]), np.concatenate([counts.second, counts.first])
    return scipy.sparse.csr_array((np.concatenate([won, lost]), (rows, columns)), shape=(counts.size, counts.size))


def groups(counts: PairCounts) -> tuple[int, IntArray]:
    """Return how many groups of systems never met each other, not even through others, and each system's group."""
    number, label = scipy.sparse.csgraph.connected_components(
        abs(counts.incidence) @ abs(counts.incidence.T), directed=False
    )
    return int(number), label.astype(np.int64)


def islands(counts: PairCounts) -> tuple[Finding, ...]:
    """Warn where groups of systems never met, not even through others."""
    number, label = groups(counts)
    if number == 1:
        return ()
    largest = int(np.argmax(np.bincount(label)))
    return (ISLANDS.found(systems=marked(counts.systems, label != largest)),)


def one_sided(counts: PairCounts) -> tuple[Finding, ...]:
    """Warn about systems that never won or never lost: resampling such a record always gives the same."""
    won, tied, lost = counts.per_system()
    kinds = ((NEVER_WINS, won + tied == 0), (NEVER_LOSES, lost + tied == 0))
    return tuple(kind.found(systems=marked(counts.systems, which)) for kind, which in kinds if np.any(which))


def nothing_known(counts: PairCounts, unknown: Any) -> tuple[Finding, ...]:
    """Warn about systems that only tied where ties do not count."""
    if not np.any(unknown):
        return ()
    return (NOTHING_COUNTS.found(systems=marked(counts.systems, unknown)),)

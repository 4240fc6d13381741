"""Models that compute strengths from pair counts; one function serves the estimate and all resamples."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray, scipy
from betterthan.datasets import PairCounts
from betterthan.findings import Finding, marked
from betterthan.findings import kinds as finding_kinds
from betterthan.models.base import Fit, ModelBase, decided
from betterthan.models.refitting import Refitting


class FromCounts(ModelBase):
    """A model without a likelihood whose strengths are a function of the counts."""

    consumes: tuple[type, ...] = (PairCounts,)

    @abstractmethod
    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return systems × resamples from outcomes (3 × pairs × resamples), NaN where they tell nothing."""

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Return further facts of a fit; the strengths are available as well."""
        del counts
        return {}

    def fit(self, counts: PairCounts) -> Fit:
        """Compute the strengths; a system about which nothing is known is in the middle, apart from the others."""
        facts = self.facts(counts)
        strength = facts.pop("strength", None)
        if strength is None:
            strength = self.strengths(counts, counts.outcomes[:, :, None])[:, 0]
        unknown = np.isnan(strength)
        findings = [*isolated_groups(counts), *nothing_known(counts, unknown), *one_sided_systems(counts)]
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

    def refitter(self, fit: Fit, counts: PairCounts) -> "CountsRefitting":
        """Compute the strengths of resamples as those of the estimate."""
        return CountsRefitting(fit, counts, self)


@dataclass(frozen=True, eq=False)
class CountsRefitting(Refitting):
    """Computes the strengths of resamples; a system that one of them lost stays where it was."""

    statistic: PairCounts
    model: FromCounts

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Compute the strengths of outcomes (3 × pairs × resamples)."""
        del rng
        return kept_where_unknown(self.model.strengths(self.statistic, resampled), self.fit)


def kept_where_unknown(strength: FloatArray, fit: Fit) -> tuple[FloatArray, int]:
    """Leave systems of which a resample says nothing (NaN) where they were; count resamples that lost one."""
    unknown = np.isnan(strength)
    lost = np.any(unknown & fit.estimable[:, None], axis=0)
    return np.where(unknown, fit.strength[:, None], strength), int(np.sum(lost))


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


def isolated_groups(counts: PairCounts) -> tuple[Finding, ...]:
    """Warn where groups of systems never met, not even through others."""
    number, label = counts.groups
    if number == 1:
        return ()
    largest = int(np.argmax(np.bincount(label)))
    return (finding_kinds.comparisons.ISLANDS.found(systems=marked(counts.systems, label != largest)),)


def one_sided_systems(counts: PairCounts) -> tuple[Finding, ...]:
    """Warn about systems that never won or never lost: resampling such a record always gives the same."""
    won, tied, lost = counts.per_system()
    kinds = (
        (finding_kinds.comparisons.NEVER_WINS, won + tied == 0),
        (finding_kinds.comparisons.NEVER_LOSES, lost + tied == 0),
    )
    return tuple(kind.found(systems=marked(counts.systems, which)) for kind, which in kinds if np.any(which))


def nothing_known(counts: PairCounts, unknown: Any) -> tuple[Finding, ...]:
    """Warn about systems that only tied where ties do not count."""
    if not np.any(unknown):
        return ()
    return (finding_kinds.comparisons.NOTHING_COUNTS.found(systems=marked(counts.systems, unknown)),)

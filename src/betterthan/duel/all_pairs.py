"""Every pair of systems at once: differences or chances, their tests, corrected for how many there are."""

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from betterthan import __version__
from betterthan.arrays import BoolArray, FloatArray
from betterthan.duel.plots import AllPairsPlots
from betterthan.errors import PlanError
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.findings import Finding
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.omnibus import critical_difference, omnibus
from betterthan.infer.paired import Test
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.rank import rank
from betterthan.leaderboard.reduction import reductions, statistic_for
from betterthan.plan import Plan, check_level
from betterthan.present.document import to_json
from betterthan.present.table import Column, Table, Tables, wrapped
from betterthan.reduce.pairs import PairCounts, count_pairs, count_scores
from betterthan.signature import Signature
from betterthan.spelling import option

_MOST_SHOWN = 12


@dataclass(frozen=True, repr=False)
class AllPairs(Tables):
    """Systems from best to worst by a model; row against column: `values`, `p` and corrected `p_adjusted`.

    Values are differences for mean and median, chances to win for models that have them. `ranks` are average ranks over
    complete instances, told apart where they differ by more than `critical_difference` (Nemenyi).

    >>> import betterthan as bt
    >>> pairs = bt.compare_all({"owl": [3, 5, 4, 6.5], "yak": [2, 1, 4, 3], "elk": [0, 1, 2, 1]}, model="mean")
    >>> pairs.systems, float(pairs.values[0, 1])
    (('owl', 'yak', 'elk'), 2.125)
    """

    model: str
    test: str
    systems: tuple[str, ...]
    values: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    correction: str
    level: float
    omnibus: tuple[Test, ...]
    ranks: dict[str, float] | None
    critical_difference: float | None
    digest: str
    findings: tuple[Finding, ...] = ()

    @property
    def signature(self) -> Signature:
        """The line that says how this was made."""
        facts = {"model": self.model, "test": self.test, "correction": self.correction, "level": repr(self.level)}
        return Signature(__version__, {"compare": "all", **facts, "data": self.digest})

    @property
    def plot(self) -> AllPairsPlots:
        """Pictures: `plot.matrix()`, and of scores `plot.critical_difference()`."""
        return AllPairsPlots(self)

    def separated(self) -> int:
        """Count the pairs that the corrected test tells apart."""
        upper = np.triu_indices(len(self.systems), 1)
        return int(np.sum(self.p_adjusted[upper] <= 1 - self.level))

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per pair, the better system first."""
        first, second = np.triu_indices(len(self.systems), 1)
        return {
            "a": [self.systems[place] for place in first],
            "b": [self.systems[place] for place in second],
            "value": _plain(self.values[first, second]),
            "p": _plain(self.p[first, second]),
            "p_adjusted": _plain(self.p_adjusted[first, second]),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        columns = self.columns()
        pairs = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {
            "betterthan": __version__, "model": self.model, "test": self.test, "correction": self.correction,
            "level": self.level, "systems": list(self.systems), "pairs": pairs,
            "omnibus": [test.to_dict() for test in self.omnibus], "average_ranks": self.ranks,
            "critical_difference": self.critical_difference,
            "findings": [finding.to_dict() for finding in self.findings], "signature": str(self.signature),
        }  # fmt: skip

    def to_json(self) -> str:
        """Return JSON text; numbers are plain, absent is null."""
        return to_json(self.to_dict())

    def table(self) -> Table:
        """Return the matrix as a finished table; a star marks pairs that are told apart."""
        columns = [Column("", "left", flexible=True), *(Column(name) for name in self.systems)]
        rows = [
            [name, *("" if row == column else self._cell(row, column) for column in range(len(self.systems)))]
            for row, name in enumerate(self.systems)
        ]
        return Table(columns, rows)

    def _cell(self, row: int, column: int) -> str:
        if np.isnan(self.values[row, column]):
            return "–"
        return f"{self.values[row, column]:.3g}{'*' if self.p_adjusted[row, column] <= 1 - self.level else ''}"

    def tables(self) -> list[Table]:
        """Return the matrix."""
        return [self.table()]

    def to_text(self, width: int | None = None) -> str:
        """Return what the terminal shows: the matrix where it is small, how much it tells apart, omnibus tests."""
        pairs = len(self.systems) * (len(self.systems) - 1) // 2
        parts = [self.table().to_text(width), ""] if len(self.systems) <= _MOST_SHOWN else []
        how = f"by the {self.test} test at {1 - self.level:.3g}, corrected by {self.correction}"
        parts.append(wrapped(f"{self.separated():,} of {pairs:,} pairs are told apart (*) {how}.", width))
        if not parts[:-1]:
            parts.append("The CSV and JSON output hold all pairs.")
        parts += [
            wrapped(f"{test.name}: {test.statistic or 0:.4g}, p = {test.p:.3g} ({test.note})", width)
            for test in self.omnibus
        ]
        if self.ranks and self.critical_difference is not None:
            ranks = ", ".join(f"{name} {self.ranks[name]:.2f}" for name in self.systems[:_MOST_SHOWN])
            parts.append(wrapped(f"Average ranks (critical difference {self.critical_difference:.2f}): {ranks}", width))
        parts += [wrapped(str(finding), width) for finding in self.findings]
        return "\n".join([*parts, str(self.signature)])

    __str__ = __repr__ = to_text


def compare_all(
    evidence: Any,
    model: str = "bradley-terry",
    *,
    test: Literal["auto", "model"] = "auto",
    correction: str = "holm",
    tolerance: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> AllPairs:
    """Compare every pair of systems by a model, with its test: t for mean, Mood for median, sign for all others.

    `test="model"` takes strengths of a likelihood and their covariance instead (Wald), where judgments of one item,
    ranking or judge hang together: pairs that hardly met are then compared through others.
    """
    check_level(level)
    if test not in {"auto", "model"}:
        raise PlanError(f"test must be auto or model, got {test!r}.")
    evidence = as_evidence(evidence)
    if isinstance(evidence, Scores) and len(evidence.tables) > 1:
        titles = ", ".join(repr(table.title) for table in evidence.tables[:10])
        raise PlanError(
            f"pairs are compared on one metric and data set, and there are: {titles}",
            remedy=f"Choose one with {option('where', {'metric': 'NAME'})}.",
        )
    board = rank(evidence, model=model, ci="none", seed=seed, tolerance=tolerance)
    if not isinstance(board, Leaderboard):
        raise PlanError(f"pairs are compared by one model and data set, got {model}. Choose one.")
    table = evidence.tables[0] if isinstance(evidence, Scores) else None
    order = [board.fit.systems.index(row.system) for row in board]
    values, p, name = _matrix(board, evidence, table, tolerance)
    if test == "model":
        p, name = _by_model(board, evidence, tolerance), "model"
    first, second = np.triu_indices(len(order), 1)
    values, p = values[np.ix_(order, order)], p[np.ix_(order, order)]
    corrected = np.ones_like(p)
    met = ~np.isnan(p[first, second])
    corrected[first[met], second[met]] = adjusted(p[first[met], second[met]], correction)
    corrected = np.where(np.arange(len(p))[:, None] > np.arange(len(p)), corrected.T, corrected)
    systems = tuple(row.system for row in board)
    extra = _ranks(table, level) if table is not None and len(systems) > 2 else ((), None, None)
    return AllPairs(
        board.mechanism,
        name,
        systems,
        values,
        p,
        corrected,
        correction,
        level,
        *extra,
        board.evidence.digest,
        board.findings,
    )


def _matrix(
    board: Leaderboard, evidence: Any, table: ScoreTable | None, tolerance: float
) -> tuple[FloatArray, FloatArray, str]:
    """Return values and p of every pair, and the test's name."""
    strength = board.fit.strength
    if table is not None and board.model.name == "mean":
        return *t_tests(table.values), "t"
    if table is not None and board.model.name == "median":
        return *mood_tests(table.values), "mood"
    judgments = evidence.to_judgments() if isinstance(evidence, Rankings) else evidence
    counts = count_scores(table, tolerance) if table is not None else count_pairs(judgments.tally())
    size = len(strength)
    values = np.full((size, size), np.nan)
    for row in range(size):
        for column in range(size):
            chances = board.model.probability(board.fit, row, column) if row != column else None
            if chances is not None:
                values[row, column] = chances[0] + chances[1] / 2
    if np.all(np.isnan(values)):
        values = strength[:, None] - strength
    return values, sign_tests(counts), "sign"


def _by_model(board: Leaderboard, evidence: Any, tolerance: float) -> FloatArray:
    """Return Wald's test of all pairs; NaN where a strength is not determined."""
    model: Any = board.model
    if not hasattr(model, "covariance"):
        raise PlanError(
            f"{board.mechanism} has no covariance matrix to test with",
            remedy=f"Use {option('test', 'auto')}, or a model with a likelihood such as bradley-terry.",
        )
    reduction = reductions(evidence, Plan(tolerance=tolerance), [model])[0][0]
    counts, _ = statistic_for(model, reduction)
    covariance = model.covariance(board.fit, counts, clustered=True)[: len(board), : len(board)]
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    gap = np.abs(board.fit.strength[:, None] - board.fit.strength)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.norm.sf(gap / np.sqrt(np.maximum(variance, 0.0)))
    p = np.where(gap <= board.fit.resolution, 1.0, p)
    unknown = board.fit.apart | board.fit.open_low | board.fit.open_high
    p[unknown] = p[:, unknown] = np.nan
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def t_tests(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean differences and the paired t-test of all pairs, on the instances that both have."""
    size = values.shape[1]
    means, p = np.zeros((size, size)), np.ones((size, size))
    for first in range(size - 1):
        gap = values[:, [first]] - values[:, first + 1 :]
        number = np.sum(~np.isnan(gap), axis=0)
        with np.errstate(all="ignore"):
            mean = np.nansum(gap, axis=0) / number
            spread = np.sqrt(np.nansum((gap - mean) ** 2, axis=0) / (number - 1) / number)
            found = 2 * stats.t.sf(np.abs(mean) / spread, number - 1)
        found = np.where((mean == 0) | (number < 2), 1.0, np.where(spread == 0, 0.0, found))
        p[first, first + 1 :] = p[first + 1 :, first] = np.where(number == 0, np.nan, found)
        means[first, first + 1 :], means[first + 1 :, first] = mean, -mean
    return means, p


def mood_tests(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return differences of medians and Mood's test of all pairs, on the instances that both have.

    The test takes the two systems' scores as independent samples.
    """
    size = values.shape[1]
    gaps, p = np.zeros((size, size)), np.ones((size, size))
    for first in range(size - 1):
        others = values[:, first + 1 :]
        own = np.where(np.isnan(others), np.nan, values[:, [first]])
        others = np.where(np.isnan(own), np.nan, others)
        number = np.sum(~np.isnan(others), axis=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of pairs that share no instance
            gap = np.nanmedian(own, axis=0) - np.nanmedian(others, axis=0)
            middle = np.nanmedian(np.concatenate([own, others]), axis=0)
        above = np.stack([np.sum(own > middle, axis=0), np.sum(others > middle, axis=0)]).astype(float)
        found = np.where(number == 0, np.nan, _yates(above, number))
        gaps[first, first + 1 :], gaps[first + 1 :, first] = gap, -gap
        p[first, first + 1 :] = p[first + 1 :, first] = found
    return gaps, p


def _yates(above: FloatArray, number: NDArray[Any]) -> FloatArray:
    """Return p of the 2 × 2 tables of above and not above in two samples of equal size, with Yates' correction."""
    expected = np.stack([above.sum(axis=0) / 2, number - above.sum(axis=0) / 2])  # the same in both samples
    off = np.abs(above[0] - expected[0])
    off = off - np.minimum(0.5, off)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = 2 * off**2 * (1 / expected[0] + 1 / expected[1])
    # Where no score, or every one, exceeds the common median, nothing can be said.
    return np.where(np.min(expected, axis=0) > 0, stats.chi2.sf(np.nan_to_num(statistic), 1), 1.0)


def sign_tests(counts: PairCounts) -> FloatArray:
    """Return the exact sign test of all pairs that met, ties left out."""
    p = np.full((counts.size, counts.size), np.nan)
    won, _, lost = np.round(counts.outcomes)
    number, fewer = won + lost, np.minimum(won, lost)
    found = np.where(number > 0, np.minimum(2 * stats.binom.cdf(fewer, np.maximum(number, 1), 0.5), 1.0), 1.0)
    p[counts.first, counts.second] = p[counts.second, counts.first] = found
    np.fill_diagonal(p, 1.0)
    return p


def _ranks(table: ScoreTable, level: float) -> tuple[tuple[Test, ...], dict[str, float] | None, float | None]:
    """Return omnibus tests, average ranks and their critical difference, over the instances that have all scores."""
    complete: BoolArray = ~np.any(np.isnan(table.values), axis=1)
    values = table.values[complete]
    if len(values) < 2:
        return (), None, None
    mean = stats.rankdata(-values, axis=1).mean(axis=0)
    ranks = dict(zip(table.systems, mean.tolist(), strict=True))
    return tuple(omnibus(values)), ranks, critical_difference(len(values), values.shape[1], level)


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]

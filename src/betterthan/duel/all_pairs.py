"""Every pair of systems at once: differences or chances, their tests, corrected for how many there are."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy

from betterthan import __version__
from betterthan.arrays import BoolArray, FloatArray
from betterthan.duel.plots import AllPairsPlots
from betterthan.errors import PlanError
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.evidence.scores import Scores, ScoreTable
from betterthan.findings import Finding
from betterthan.infer.all_pairs import mood_tests, sign_tests, t_tests
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.omnibus import critical_difference, omnibus
from betterthan.infer.paired import Test
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.rank import rank
from betterthan.leaderboard.reduction import reductions, statistic_for
from betterthan.plan import Plan, check_level
from betterthan.present.document import to_json
from betterthan.present.table import Column, Table, Tables, wrapped
from betterthan.reduce.pairs import count_pairs, count_scores
from betterthan.signature import Signature

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
            parts.append("All pairs: --format csv or json.")
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
        raise PlanError(f"pairs are compared on one metric and data set; there are: {titles}. Choose one with --where.")
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
    rows, columns = np.divmod(np.arange(len(strength) ** 2), len(strength))
    chances = board.model.chances(board.fit, rows, columns)
    if chances is None:
        return strength[:, None] - strength, sign_tests(counts), "sign"
    values = (chances[0] + chances[1] / 2).reshape(len(strength), len(strength))
    np.fill_diagonal(values, np.nan)
    return values, sign_tests(counts), "sign"


def _by_model(board: Leaderboard, evidence: Any, tolerance: float) -> FloatArray:
    """Return Wald's test of all pairs; NaN where a strength is not determined."""
    reduction = reductions(evidence, Plan(tolerance=tolerance), [board.model])[0][0]
    counts, _ = statistic_for(board.model, reduction)
    covariance = board.model.covariance(board.fit, counts, clustered=True)
    if covariance is None:
        raise PlanError(
            f"{board.mechanism} has no covariance to test by. Use test=auto, or a likelihood such as bradley-terry."
        )
    covariance = covariance[: len(board), : len(board)]
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    gap = np.abs(board.fit.strength[:, None] - board.fit.strength)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * scipy.stats.norm.sf(gap / np.sqrt(np.maximum(variance, 0.0)))
    p = np.where(gap <= board.fit.resolution, 1.0, p)
    unknown = board.fit.apart | board.fit.open_low | board.fit.open_high
    p[unknown] = p[:, unknown] = np.nan
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def _ranks(table: ScoreTable, level: float) -> tuple[tuple[Test, ...], dict[str, float] | None, float | None]:
    """Return omnibus tests, average ranks and their critical difference, over the instances that have all scores."""
    complete: BoolArray = ~np.any(np.isnan(table.values), axis=1)
    values = table.values[complete]
    if len(values) < 2:
        return (), None, None
    mean = scipy.stats.rankdata(-values, axis=1).mean(axis=0)
    ranks = dict(zip(table.systems, mean.tolist(), strict=True))
    return tuple(omnibus(values)), ranks, critical_difference(len(values), values.shape[1], level)


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]

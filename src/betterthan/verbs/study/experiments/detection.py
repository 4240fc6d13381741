"""Detection: the smallest difference of scores that pairwise comparison ranks correctly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, PlanError, registry, scipy
from betterthan.datasets import pair_samples
from betterthan.inference import Estimate, mean_of, share_of
from betterthan.present import Column, Picture, Table, pictures
from betterthan.verbs.study.agreement import Expected, above
from betterthan.verbs.study.experiments.base import (
    CONFIDENCE_AND_STABILITY,
    Claim,
    Columns,
    Found,
    Means,
    Work,
    numbers,
    register_study,
)

#: The difference from which on, the paper says, pairs perform best; and the systems of the set that it is drawn from.
_ENOUGH, _SYSTEMS = 0.1, 9
#: Shifting scores breaks ties; with more of them than this the result would be about ties alone.
_FEW_TIES = 0.05


@dataclass(frozen=True)
class _Task:
    """One number of comparisons, and the chances to win, tie and lose (pairs × 3 × differences)."""

    shares: FloatArray
    comparisons: int
    runs: int
    seed: tuple[int, int]


@register_study
@dataclass(frozen=True, kw_only=True)
class Detection:
    """How often two systems are ranked correctly by difference and number of comparisons.

    Differences go from `step` to `most`, as shares of the range of scores. Without evidence, scores are uniform on
    [0, 1], independent of each other, and one system's are raised by the difference. With a table of scores, the paired
    differences of every two systems are centred, so that none is better, and raised. A difference is detected where
    the right one wins more of the comparisons in a share `chance` of `runs` draws; equal wins count half.
    Intervals are over pairs of systems, or over draws where there is one pair.
    """

    comparisons: str = "10|30|100|300|1000"
    most: float = 0.2
    step: float = 0.01
    runs: int = 1000
    chance: float = 0.95

    name: ClassVar[str] = "detection"
    about: ClassVar[str] = "The smallest difference of scores that pairwise comparison ranks rightly."
    paper: ClassVar[str] = CONFIDENCE_AND_STABILITY
    place: ClassVar[str] = "Section 7, Figure 3"
    takes: ClassVar[str] = "a table of scores"
    needs: ClassVar[bool] = False
    bundled: ClassVar[str] = ""
    means: ClassVar[Means | None] = Means(("comparisons", "difference"), (("right", "low", "high"),))
    quick: ClassVar[dict[str, Any]] = {"comparisons": "10|100|1000", "step": 0.05, "runs": 200}

    def __post_init__(self) -> None:
        numbers("comparisons", self.comparisons, least=1, most=10_000_000)
        registry.number("step", self.step, least=0, most=10, above=True)
        registry.number("most", self.most, least=self.step, most=10)
        registry.number("runs", self.runs, least=2, most=100_000, whole=True)
        registry.number("chance", self.chance, least=0.5, most=1, above=True)

    @property
    def differences(self) -> list[float]:
        """From one step to the largest difference, and the paper's."""
        steps = [round(self.step * place, 10) for place in range(1, int(self.most / self.step + 1e-9) + 1)]
        return sorted({*steps, _ENOUGH})

    def run(self, work: Work) -> Found:
        """Draw comparisons at every difference."""
        if work.data is None:
            systems, shares = _SYSTEMS, _uniform(self.differences)
        else:
            table = work.table(self.name, self.takes)
            systems, shares = len(table.scores.systems), _raised(table.scores.values, self.differences)
        line = pair_samples.sample_size("12mlnm", systems)
        asked = numbers("comparisons", self.comparisons, least=1, most=10_000_000)
        amounts = sorted({*(int(each) for each in asked), line})
        tasks = [_Task(shares, amount, self.runs, (work.options.seed, amount)) for amount in amounts]
        found = dict(zip(amounts, work.parts.each(_ranked_rightly, tasks), strict=True))
        rows = [
            (amount, difference, right.value, right.low, right.high, amount == line)
            for amount, of in found.items()
            for difference, values in zip(self.differences, of, strict=True)
            if (right := _over_pairs(values, self.runs, work.options.level))
        ]
        names = ("comparisons", "difference", "right", "low", "high", "line")
        columns = {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}
        least = {amount: self._least([float(np.mean(values)) for values in of]) for amount, of in found.items()}
        return Found(columns, self._claims(found, line, work.options.level), _summary(least, line, self.chance))

    def picture(self, columns: Columns, title: str) -> Picture:
        """Draw how often the order is right against the difference, for every number of comparisons."""
        return pictures.panels.draw(
            panel=["difference, as a share of the range of scores"] * len(columns["difference"]),
            x=columns["difference"],
            series=[f"{amount:,} comparisons" for amount in columns["comparisons"]],
            value=columns["right"],
            low=columns["low"],
            high=columns["high"],
            name="share ranked rightly",
            mark=_ENOUGH,
            title=title,
        )

    def _least(self, right: Sequence[float]) -> float | None:
        """Return the smallest difference from which on all are ranked rightly often enough."""
        enough = [share >= self.chance for share in right]
        if not enough[-1]:
            return None
        return self.differences[len(enough) - next((p for p, good in enumerate(enough[::-1]) if not good), len(enough))]

    def _claims(self, found: dict[int, Any], line: int, level: float) -> tuple[Claim, ...]:
        at, few, many = self.differences.index(_ENOUGH), min(found), max(found)
        enough = _over_pairs(found[line][at], self.runs, level)
        rise = _gained(found[line][-1], found[line][0], self.runs, level)
        gain = _gained(found[many][0], found[few][0], self.runs, level)
        return (
            Claim.of(
                f"A difference of {_ENOUGH:g} is enough: share ranked rightly at 12·m·ln m = {line:,}",
                "pairs perform best",
                enough,
                Expected(low=self.chance),
                "Scores vary so much that more comparisons are needed.",
            ),
            Claim.of(
                "Larger differences are ranked rightly more often: largest − smallest",
                "above 0",
                rise,
                above(0),
                "The smallest difference is ranked rightly already.",
            ),
            Claim.of(
                f"More comparisons detect smaller ones: {many:,} − {few:,} per pair at the smallest",
                "above 0",
                gain,
                above(0),
                "The smallest difference is too small for any of these numbers, or large enough for all.",
            ),
        )


def _uniform(differences: Sequence[float]) -> FloatArray:
    """Return the chances of two uniform scores, one of them raised (1 × 3 × differences): 1 − (1 − d)² / 2."""
    win = 1 - np.maximum(1 - np.array(differences), 0) ** 2 / 2
    return np.stack([win, 0 * win, 1 - win])[None]


def _raised(values: FloatArray, differences: Sequence[float]) -> FloatArray:
    """Return the chances of every pair of systems (pairs × 3 × differences) after centring and raising."""
    extent = float(np.nanmax(values) - np.nanmin(values))
    found, tied = [], []
    for one, two in combinations(range(values.shape[1]), 2):
        gap = values[:, one] - values[:, two]
        gap = gap[~np.isnan(gap)]
        if len(gap) < 2:
            continue
        tied.append(float(np.mean(gap == 0)))
        raised = (gap - np.median(gap))[:, None] + extent * np.array(differences)
        found.append([np.mean(raised > 0, axis=0), np.mean(raised == 0, axis=0), np.mean(raised < 0, axis=0)])
    if not found:
        raise PlanError("no two systems were scored together on two items", remedy="Check the items.")
    if np.mean(tied) > _FEW_TIES:
        raise PlanError(
            f"detection raises scores, which breaks ties, and {100 * np.mean(tied):.0f} % of comparisons tie",
            remedy=f"It needs scores that hardly ever tie (at most {100 * _FEW_TIES:g} %).",
        )
    return np.array(found)


def _ranked_rightly(task: _Task) -> list[list[float]]:
    """Return for every difference and pair the share of draws in which the right system wins more."""
    rng = np.random.default_rng(task.seed)
    found = np.empty((task.shares.shape[2], len(task.shares)))
    for place, of in enumerate(np.moveaxis(task.shares, 2, 0)):
        many = np.full(len(of), task.comparisons, dtype=np.int64)
        won, _, lost = pair_samples.PairSamples(of.T, many).resample(rng, task.runs)
        found[place] = np.mean((won > lost) + (won == lost) / 2, axis=1)
    return [each.tolist() for each in found]


def _over_pairs(values: Sequence[float], runs: int, level: float) -> Estimate:
    """Return the mean with an interval over pairs, or over draws where there is one pair."""
    if len(values) > 1:
        return mean_of(values, level, (0.0, 1.0))
    right = round(values[0] * runs)
    return replace(share_of([True] * right + [False] * (runs - right), level), value=values[0])


def _gained(more: Sequence[float], less: Sequence[float], runs: int, level: float) -> Estimate:
    """Return how much larger a share is than another with its interval, over pairs or over draws of one pair."""
    if len(more) > 1:
        return mean_of(np.subtract(more, less).tolist(), level, (-1.0, 1.0))
    # One more of each outcome keeps the error of shares of 0 and 1 above 0 (Agresti and Caffo).
    shares = [(share * runs + 1) / (runs + 2) for share in (more[0], less[0])]
    error = np.sqrt(sum(share * (1 - share) for share in shares) / (runs + 2))
    middle, half = shares[0] - shares[1], float(scipy.stats.norm.ppf((1 + level) / 2) * error)
    return Estimate(more[0] - less[0], middle - half, middle + half)


def _summary(least: dict[int, float | None], line: int, chance: float) -> Table:
    rows = [
        [f"{amount:,}", "none so small" if each is None else f"{each:g}", "12·m·ln m" if amount == line else ""]
        for amount, each in least.items()
    ]
    heads = [Column("comparisons per pair"), Column("smallest difference"), Column("", "left")]
    return Table(heads, rows, title=f"Ranked rightly in {100 * chance:g} % of draws, as a share of the range of scores")

"""Held-out judgments, optionally of one kind of judge, and tuned decision radii."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from betterthan.base import BoolArray, EvidenceError, FloatArray, IntArray, PlanError, registry, spelling
from betterthan.datasets import DataSet, JudgedSet
from betterthan.evidence import Tally
from betterthan.models import Fit, Model, TrueSkill
from betterthan.verbs.select import divisible_evidence, prediction_scores, tuned_predictions, unit_splits
from betterthan.verbs.study.experiments.base import numbers

#: Judges of any name, and evidence without judges.
ANY = "*"
#: The paper's decision radii.
RADII = "0.001|0.01|0.1|0.3|0.5"


def check_settings(study: Any) -> None:
    """Refuse radii, runs and numbers of held-out judgments that a study cannot have."""
    numbers("radii", study.radii, least=0, most=1000, whole=False)
    registry.number("runs", study.runs, least=2, most=10_000, whole=True)
    for name in ("dev", "test"):
        registry.number(name, getattr(study, name), least=1, most=1e9, whole=True)


@dataclass(frozen=True)
class HeldOutJudgments:
    """Single judgments with their judges; a ranking, or an item of scores, is never in two parts."""

    pieces: divisible_evidence.Pieces
    judge: IntArray | None  # per row
    judges: tuple[str, ...]

    @classmethod
    def of(cls, data: DataSet, *patterns: str) -> "HeldOutJudgments":
        """Take a data set apart into single judgments; who made them matters where a pattern asks for some judges."""
        if not isinstance(data, JudgedSet):
            tally = _one_by_one(data.settled("item", data.tolerance).tally(), data.name)
            return cls(_pieces(tally, tally.units["item"].compact[0]), None, ())
        wanted = ("ranking",) if set(patterns) <= {ANY} else ("ranking", "judge")
        known = tuple(unit for unit in wanted if unit in data.judgments.units)
        tally = _one_by_one(data.judgments.tally(*known), data.name)
        ranking, judge = tally.units.get("ranking"), tally.units.get("judge")
        units = np.arange(len(tally.left)) if ranking is None else ranking.compact[0]
        pieces = _pieces(tally, units, None if ranking is None else ranking.codes)
        return cls(pieces, None if judge is None else judge.codes, () if judge is None else judge.labels)

    def by(self, pattern: str) -> BoolArray:
        """Mark the judgments of judges whose name is like a pattern: `researcher*`, or `*` for all."""
        if pattern == ANY:
            return np.ones(len(self.pieces.unit), dtype=bool)
        if self.judge is None:
            raise PlanError(
                f"there is no column of judges to find {pattern!r} in",
                remedy=f"Name it with {spelling.option('judge')}, or take all with train_by={ANY} and test_by={ANY}.",
            )
        named = np.array([fnmatchcase(name, pattern) for name in self.judges], dtype=bool)
        if not np.any(named):
            some = ", ".join(map(repr, self.judges[:5]))
            raise PlanError(
                f"no judge is called like {pattern!r}; there are: {some}{' …' if len(self.judges) > 5 else ''}",
                remedy=f"Name others with train_by and test_by: '{self.judges[0]}', or '{ANY}' for all.",
            )
        return named[self.judge]

    def deal(self, test_by: str, dev: int, test: int, runs: int, seed: int) -> list[unit_splits.Split]:
        """Hold units of some judges out to tune and to test on, again in every run; all others are for training."""
        units = np.unique(self.pieces.unit[self.by(test_by)])
        others = np.setdiff1d(np.arange(len(self.pieces.per_unit)), units)
        return [
            unit_splits.Split(np.concatenate([units[split.train], others]), units[split.dev], units[split.test])
            for split in unit_splits.by_amounts(self.pieces.per_unit[units], dev, test, runs, seed)
        ]

    def counts(self, units: IntArray) -> FloatArray:
        """Add up the outcomes of some units (3 × pairs)."""
        return self.pieces.counts(self.pieces.part(units))

    def rows(self, units: IntArray, judges: str) -> IntArray:
        """Return the judgments of some units by some judges."""
        chosen = np.zeros(len(self.pieces.per_unit), dtype=bool)
        chosen[units] = True
        return np.flatnonzero(chosen[self.pieces.unit] & self.by(judges))


def ratio_of(judged: HeldOutJudgments, splits: Sequence[unit_splits.Split]) -> float:
    """Return judgments tested on to judgments left for training, by which intervals over splits are corrected."""
    per_unit = judged.pieces.per_unit
    tested, left = (
        sum(float(per_unit[part].sum()) for part in parts)
        for parts in ([split.test for split in splits], [split.train for split in splits])
    )
    return tested / left


@dataclass(frozen=True)
class Tuned:
    """Predictions for held-out judgments: each measure with its best radius on development judgments.

    A radius is None where the model has chances of its own.
    """

    accuracy: float
    perplexity: float
    accuracy_radius: float | None
    perplexity_radius: float | None


def tuned(
    model: Model,
    fit: Fit,
    pairs: tuple[IntArray, IntArray],
    radii: Sequence[float],
    held_out: tuple[FloatArray, FloatArray],
) -> Tuned:
    """Tune on development judgments and measure on test judgments, the two that are held out (each 3 × pairs).

    Models of normal qualities predict a tie within every radius, as in the paper. Other models predict a tie where
    scores differ by no more than the radius. Their perplexity is that of their own chances, or of chances tuned as by
    `select`.
    """
    dev, test = held_out
    cut = [_chances(model, fit, pairs, radius) for radius in radii]
    if cut[0] is None:
        gap = fit.strength[pairs[0]] - fit.strength[pairs[1]]
        predicted = [tuned_predictions.outcomes(gap, radius) for radius in radii]
        likely = tuned_predictions.own_chances(model, fit, *pairs)
        if likely is None:
            scaled = tuned_predictions.gaps(fit.strength, *pairs)
            likely = tuned_predictions.tune(scaled, dev).chances(scaled)
        right = max(range(len(radii)), key=lambda place: _accuracy(dev, predicted[place]))
        perplexity = prediction_scores.measure(test, likely, predicted[right])["perplexity"]
        return Tuned(_accuracy(test, predicted[right]), perplexity, radii[right], None)
    chances: list[FloatArray] = [each for each in cut if each is not None]
    predicted = [prediction_scores.most_probable(each) for each in chances]
    on_dev = [prediction_scores.measure(dev, each, best) for each, best in zip(chances, predicted, strict=True)]
    right = max(range(len(radii)), key=lambda place: on_dev[place]["accuracy"])
    sure = min(range(len(radii)), key=lambda place: on_dev[place]["perplexity"])
    return Tuned(
        _accuracy(test, predicted[right]),
        prediction_scores.measure(test, chances[sure], predicted[sure])["perplexity"],
        radii[right],
        radii[sure],
    )


def _chances(model: Any, fit: Fit, pairs: tuple[IntArray, IntArray], radius: float) -> FloatArray | None:
    """Return the chances of a model of normal qualities, cut at a radius (3 × pairs); None for other models."""
    if not hasattr(model, "radius") or (isinstance(model, TrueSkill) and model.preset != "wmt"):
        return None
    cut = replace(fit, parameters={**fit.parameters, "radius": radius})
    chances: FloatArray = replace(model, radius=radius).chances(cut, *pairs)
    return chances


def _accuracy(counts: FloatArray, predicted: FloatArray) -> float:
    return float(np.sum(counts * predicted) / np.sum(counts))


def _one_by_one(tally: Tally, where: str) -> Tally:
    times = np.round(tally.times).astype(np.int64)
    if np.any(times != tally.times):
        raise EvidenceError(
            "fractional counts cannot be drawn one by one",
            where=where,
            remedy=f"Use whole counts, or pass them as {spelling.option('weight')}.",
        )
    tally = tally.take(np.repeat(np.arange(len(times)), times))
    return replace(tally, times=np.ones(len(tally.left)))


def _pieces(tally: Tally, units: IntArray, whole_of: IntArray | None = None) -> divisible_evidence.Pieces:
    # In order: training sets are drawn at random, and models that mind the order take them as they were drawn.
    none = np.empty(0, dtype=np.int64)
    return divisible_evidence.Pieces(tally, units, None, none if whole_of is None else whole_of, in_order=True)

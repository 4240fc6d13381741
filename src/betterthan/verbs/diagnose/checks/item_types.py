"""Item types on which other systems win, and items that do not separate systems."""

from collections.abc import Iterator

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.inference import adjusted, average_ranks, tails
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 90

_LEAST = int(kinds.scores.ITEM_TYPES.thresholds["items"])
#: More items than this are sampled, and more systems left out: kinds that matter show in fewer.
_MOST, _MOST_SYSTEMS = 20_000, int(kinds.evidence.CHECK_SKIPPED.thresholds["systems_by_type_of_item"])
#: Levels of scores are types where they explain more of their variance than they would of uniform scores (0.75).
_EXPLAINED = kinds.scores.ITEM_TYPES.thresholds["variance_explained"]


@of_scores
def check(case: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Find items on which all systems are equal, and item types with other winners."""
    values = table.values[~np.any(np.isnan(table.values), axis=1)]
    return [*_easy(values), *_types(values, case)] if len(values) else []


def _easy(values: FloatArray) -> list[Finding]:
    same = float(np.mean(np.ptp(values, axis=1) == 0))
    if same < kinds.scores.EASY_ITEMS.thresholds["mentioned"]:
        return []
    return [
        kinds.scores.EASY_ITEMS.found(
            level="warning" if same > kinds.scores.EASY_ITEMS.thresholds["many"] else "info", share=same
        )
    ]


def _types(values: FloatArray, case: ExaminedData) -> list[Finding]:
    """Split items into two types without looking at who wins, and see whether others win on either side."""
    size = values.shape[1]
    if size > _MOST_SYSTEMS:
        return [
            kinds.evidence.CHECK_SKIPPED.found(check="Types of items", most=_MOST_SYSTEMS, what="system", number=size)
        ]
    if len(values) < _LEAST or size < 2:
        return []
    rng = np.random.default_rng(case.seed)
    if len(values) > _MOST:
        values = values[rng.choice(len(values), _MOST, replace=False)]
    found, tested = [], 0
    few = values.shape[1] < 4
    for side, looked_at in _levels(values) if few else _halves(values):
        first, second, p = _turned(values[:, looked_at], side)
        tested += len(p)
        kept = np.flatnonzero(adjusted(p, "holm") < kinds.scores.ITEM_TYPES.thresholds["p"])
        found += [(int(looked_at[first[place]]), int(looked_at[second[place]]), side) for place in kept]
    if not found:
        return []
    one, two, side = found[0]
    ahead = np.sign(values[:, one] - values[:, two])
    won = side if ahead[side].sum() > 0 else ~side
    return [
        kinds.scores.ITEM_TYPES.found(
            first=case.counts.systems[one],
            second=case.counts.systems[two],
            rate=np.mean(won),
            told="how high the scores are" if few else "the scores of other systems",
            found=len(found),
            tested=tested,
            share=len(found) / tested,
        )
    ]


def _halves(values: FloatArray) -> Iterator[tuple[BoolArray, IntArray]]:
    """Split items by the results of half of the systems, and return the other half.

    Systems that were used to split would be opposite by construction.
    """
    order = np.argsort(-values.mean(axis=0), kind="stable")
    for half in (0, 1):
        splitting, looked_at = order[half::2], order[1 - half :: 2]
        side = _side(values[:, splitting])
        if side is not None and len(looked_at) >= 2:
            yield side, looked_at


def _levels(values: FloatArray) -> Iterator[tuple[BoolArray, IntArray]]:
    """Split into items of low and of high scores, where there is a gap between two such levels."""
    level = values.mean(axis=1)
    order = np.sort(level)
    below, number = np.cumsum(order)[:-1], np.arange(1, len(order))
    # The variance between the two parts of every split, of which the largest counts.
    between = (below - number * order.mean()) ** 2 / (number * (len(order) - number))
    cut, whole = int(np.argmax(between)), float(np.var(order))
    side: BoolArray = level > (order[cut] + order[cut + 1]) / 2
    fewest = min(int(side.sum()), int((~side).sum()))
    if whole > 0 and between[cut] / whole > _EXPLAINED and fewest >= _LEAST // 2:
        yield side, np.arange(values.shape[1])


def _side(values: FloatArray) -> BoolArray | None:
    """Split items by the largest common direction of what they say beyond the common order."""
    ranks = average_ranks(-values)
    own = ranks - ranks.mean(axis=0)
    if values.shape[1] < 2 or not np.any(own):
        return None
    _, directions = np.linalg.eigh(own.T @ own)
    side: BoolArray = own @ directions[:, -1] > 0
    return side if _LEAST // 2 <= int(side.sum()) <= len(side) - _LEAST // 2 else None


def _turned(values: FloatArray, side: BoolArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return pairs, and p for being won on one side and lost on the other: the larger one of two sign tests."""
    first, second = np.triu_indices(values.shape[1], 1)
    chances, leads = [], []
    for part in (values[side], values[~side]):
        won = np.array([np.sum(part[:, one] > part[:, two]) for one, two in zip(first, second, strict=True)])
        lost = np.array([np.sum(part[:, one] < part[:, two]) for one, two in zip(first, second, strict=True)])
        # One-sided: the direction is what the other side must contradict.
        chances.append(tails.binomial_up_to(np.minimum(won, lost), won + lost, 0.5))
        leads.append(np.sign(won - lost))
    p = np.where(leads[0] * leads[1] < 0, np.maximum(*chances), 1.0)
    return first, second, np.minimum(2 * p, 1.0)

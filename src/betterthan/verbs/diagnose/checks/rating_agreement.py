"""Agreement of repeated scores of one output, and of rankings of the same systems."""

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import RankedSet
from betterthan.engine import MISSING
from betterthan.evidence import Rankings, ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.verbs.diagnose import rating_reliability
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 170


def check(case: ExaminedData) -> list[Finding]:
    """Measure intraclass correlations of repeated scores, and Kendall's W of rankings."""
    return _rankings(case.data.rankings) if isinstance(case.data, RankedSet) else _scores(case)


@of_scores
def _scores(case: ExaminedData, table: ScoreTable) -> list[Finding]:
    repeats = table.repeats
    if repeats is None:
        return []
    target = repeats.item * case.counts.size + repeats.system
    found = rating_reliability.intraclass(
        np.unique(target, return_inverse=True)[1], repeats.repeat.codes, repeats.value
    )
    if found is None or found.icc1 is None:
        return []
    parts = [f"ICC(1,1) is {found.icc1:.2f}"]
    if found.icc2 is not None and found.icc3 is not None:
        ends = "" if found.low is None else f" (95 % CI {found.low:.2f} to {found.high:.2f})"
        parts += [f"ICC(2,1) {found.icc2:.2f}{ends}", f"ICC(3,1) {found.icc3:.2f}"]
    parts += [] if found.w is None else [f"Kendall's W {found.w:.2f}"]
    poor = found.high is not None and found.high < kinds.judges.SCORE_AGREEMENT.thresholds["poor"]
    known = {**found.to_dict(), "summary": ", ".join(parts)}
    return [
        kinds.judges.SCORE_AGREEMENT.found(level="warning", **known)
        if poor
        else kinds.judges.SCORE_AGREEMENT.noted(**known)
    ]


def _rankings(rankings: Rankings) -> list[Finding]:
    """Compare the rankings of the same systems, on the same item where items are named; a judge counts once."""
    item, judge = (rankings.about[role].codes if role in rankings.about else None for role in ("item", "judge"))
    # A random number per system: rankings of the same systems have the same sum.
    label = np.random.default_rng(0).random(len(rankings.systems))
    sums = np.bincount(rankings.ranking, weights=label[rankings.system], minlength=len(rankings.weight))
    _, alike = np.unique(np.round(sums, 9), return_inverse=True)
    group = alike.ravel() if item is None else alike.ravel() * (int(item.max(initial=0)) + 1) + item
    rater = np.arange(len(group)) if judge is None else judge
    usable = (rater != MISSING) & (True if item is None else item != MISSING)
    w, spearman, raters = _concordance(rankings, group, rater, usable, weighted=judge is None)
    known = np.isfinite(w)
    if not np.any(known):
        return []
    shares = raters[known] / raters[known].sum()
    return [
        kinds.judges.RANKING_AGREEMENT.found(
            w=float(shares @ w[known]),
            spearman=float(shares @ spearman[known]),
            groups=int(known.sum()),
            rankings=float(raters[known].sum()),
            what="of the same systems on the same item" if item is not None else "of the same systems",
        )
    ]


def _concordance(
    rankings: Rankings, group: IntArray, rater: IntArray, usable: BoolArray, *, weighted: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Kendall's W of every group; what a judge ranked repeatedly is one ranking, of mean ranks."""
    width, size = int(rater.max(initial=0)) + 1, len(rankings.systems)
    entries = np.flatnonzero(usable[rankings.ranking])
    of = rankings.ranking[entries]
    made, place = np.unique(group[of] * width + rater[of], return_inverse=True)
    cells, cell = np.unique(place.ravel() * size + rankings.system[entries], return_inverse=True)
    number = np.bincount(cell.ravel())
    rank = np.bincount(cell.ravel(), weights=rankings.rank[entries]) / number
    ranking, system = np.divmod(cells, size)
    _, group_of = np.unique(made // width, return_inverse=True)
    weight = rankings.weight[made % width] if weighted else np.ones(len(made))
    return rating_reliability.concordance(group_of.ravel(), ranking, system, rank, weight)

"""Outlying scores, which affect means and little else."""

from typing import Any

import numpy as np

from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds, listed
from betterthan.inference import adjusted, tails
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 70
#: Items that a finding names to programs.
_MOST = 1000


@of_scores
def check(_: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Measure the share of outliers, overall and by system, and name the items that have most of them."""
    limits, outlying, fine = kinds.scores.OUTLIERS.thresholds, table.outlying, table.fine
    size = (~np.isnan(table.values)).sum(axis=0)[fine]
    if not len(size) or len(table.items) < limits["items"]:
        return []
    number = outlying.sum(axis=0)[fine]
    names = [name for name, one in zip(table.systems, fine, strict=True) if one]
    overall = float(number.sum() / size.sum())
    of_item = outlying.sum(axis=1)
    worst_first = np.argsort(-of_item, kind="stable")[: np.count_nonzero(of_item)]
    items = tuple(table.items[place] for place in worst_first)
    found: dict[str, Any] = {
        "share": overall,
        "number": len(items),
        "some": f", such as {listed(items, (place < 3 for place in range(len(items))))}" if items else "",
        "items": items[:_MOST],
    }
    # What is usual is the share of outliers among normal scores, and somewhat more.
    p = tails.binomial_from(number, size, limits["usual"])
    many = (adjusted(p, "holm") < limits["p"]) & (number > limits["many"] * size)
    if overall <= limits["many"] and not np.any(many):
        return [kinds.scores.OUTLIERS.noted(worst="", **found)]
    worst = f", significantly more than usual for {listed(names, many)}" if np.any(many) else ""
    return [kinds.scores.OUTLIERS.found(worst=worst, **found)]

"""Items on which the new version is worse than the old one, and those on which it is better."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.evidence import ScoreTable


@dataclass(frozen=True)
class FlippedItem:
    """An item with the scores of both versions, as they were read."""

    item: str
    metric: str
    new: float
    old: float
    change: str  # worse or better


def flipped_items(tables: Sequence[ScoreTable], new: str, old: str, most: int) -> tuple[FlippedItem, ...]:
    """Return the items with the largest losses, then those with the largest gains; up to `most` of each."""
    found = []
    for table in tables:
        pair = table.values[:, [table.systems.index(new), table.systems.index(old)]]
        gain = np.nan_to_num(pair[:, 0] - pair[:, 1])
        order = np.argsort(gain, kind="stable")
        worse, better = order[gain[order] < 0][:most], order[gain[order] > 0][::-1][:most]
        sign = -1.0 if table.negated else 1.0
        for change, places in (("worse", worse), ("better", better)):
            found += [
                FlippedItem(
                    table.items[place], table.metric, float(sign * pair[place, 0]), float(sign * pair[place, 1]), change
                )
                for place in places
            ]
    return tuple(found)

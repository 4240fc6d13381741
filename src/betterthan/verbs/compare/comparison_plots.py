"""Pictures of comparisons: finished numbers for the pictures that draw them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from betterthan.base import BetterthanError, FloatArray
from betterthan.inference import Differences
from betterthan.present import Picture, pictures

if TYPE_CHECKING:
    from betterthan.verbs.compare.all_pairs_result import AllPairs
    from betterthan.verbs.compare.duel import Duel

#: Up to that many different pairs of scores, each is drawn; the density of more is.
_POINTS = 400
#: Bins of marginal distributions, and cells of a density on each side.
_BINS, _CELLS = 24, 32
#: Cells with a smaller share of the items of the densest one are left white.
_FAINT = 0.02


@dataclass(frozen=True, repr=False)
class DuelPlots:
    """Pictures of two systems' scores."""

    duel: "Duel"

    def joint(self, *, title: str = "") -> Picture:
        """Draw where both systems' scores lie together; a metric for which less is better is shown negated."""
        scores = self._scores()
        a, b, duel = scores.a, scores.b, self.duel
        return pictures.joint.draw(
            a=duel.a, b=duel.b, **joint_numbers(a, b), won=duel.wins, lost=duel.losses, title=title
        )

    def differences(self, *, title: str = "") -> Picture:
        """Draw how much better the first system is on every item."""
        values = self._scores().values
        reach = float(np.abs(values).max()) or 1.0
        half = np.linspace(0.0, reach, int(np.clip(np.sqrt(len(values)), 5, 20)) + 1)
        lost, won = (np.histogram(side[side > 0], half)[0] for side in (-values, values))
        low, high = np.concatenate([-half[:0:-1], half[:-1]]), np.concatenate([-half[-2::-1], half[1:]])
        return pictures.differences.draw(
            a=self.duel.a,
            b=self.duel.b,
            low=(low + 0.0).tolist(),
            high=(high + 0.0).tolist(),
            items=np.concatenate([lost[::-1], won]).tolist(),
            ties=self.duel.ties,
            mean=float(values.mean()),
            median=float(np.median(values)),
            title=title,
        )

    def _scores(self) -> Differences:
        if self.duel.differences is None:
            raise BetterthanError(
                f"this picture needs scores, but {self.duel.a!r} and {self.duel.b!r} were compared by "
                f"{self.duel.kind}, which say who won, not by how much. Draw the matrix of all pairs instead."
            )
        return self.duel.differences


@dataclass(frozen=True, repr=False)
class AllPairsPlots:
    """Pictures of all pairs."""

    pairs: "AllPairs"

    def matrix(self, *, title: str = "") -> Picture:
        """Draw row against column, the best system first."""
        pairs, size = self.pairs, len(self.pairs.systems)
        row, column = (place[~np.eye(size, dtype=bool)] for place in np.indices((size, size)))
        shown, significant = pairs.shown()
        values = shown[row, column]
        # Chances of a pair add up to one, differences to nothing.
        both = pairs.values[row, column] + pairs.values[column, row]
        chance = bool(np.nanmax(np.abs(both - 1.0), initial=0.0) < 1e-6)
        return pictures.matrix.draw(
            systems=pairs.systems,
            row=[pairs.systems[place] for place in row],
            column=[pairs.systems[place] for place in column],
            value=[None if np.isnan(value) else float(value) for value in values],
            significant=significant[row, column].tolist(),
            chance=chance,
            name=_cell_name(pairs) if chance else "difference",
            title=title,
        )

    def critical_difference(self, *, title: str = "") -> Picture:
        """Draw average ranks, and bars over systems of which no two differ significantly."""
        ranks = self.pairs.ranks
        if ranks is None:
            raise BetterthanError(
                "a critical-difference diagram needs average ranks: scores of three systems or more, all of them "
                "scored on the same two items or more. Draw the matrix of all pairs instead."
            )
        order = sorted(ranks, key=lambda system: (ranks[system], system))
        return pictures.critical_difference.draw(
            system=order,
            rank=[ranks[system] for system in order],
            groups=self.pairs.indistinct(order),
            title=title,
        )


def _cell_name(pairs: "AllPairs") -> str:
    """Return the name of the cells where they are shares or expected scores."""
    return "share; below: expected" if pairs.expected else "own share"


def joint_numbers(a: FloatArray, b: FloatArray) -> dict[str, Any]:
    """Return the data of a joint picture of two systems' scores, except their names and wins."""
    (first, second), counted = np.unique(np.stack([a, b]), axis=1, return_counts=True)
    single = len(counted) <= _POINTS
    edges = _edges(np.concatenate([a, b]), _BINS if single else _CELLS)
    if single:
        low, high, times = (first, second), (first, second), counted.astype(float)
    else:
        dense = _density(a, b, edges)
        across, up = np.nonzero(dense > _FAINT * dense.max())
        times = dense[across, up]
        low, high = (edges[across], edges[up]), (edges[across + 1], edges[up + 1])
    return {
        "a_low": low[0].tolist(),
        "a_high": high[0].tolist(),
        "b_low": low[1].tolist(),
        "b_high": high[1].tolist(),
        "items": times.tolist(),
        "edges": edges.tolist(),
        "of_a": np.histogram(a, edges)[0].tolist(),
        "of_b": np.histogram(b, edges)[0].tolist(),
        "means": (float(a.mean()), float(b.mean())),
        "medians": (float(np.median(a)), float(np.median(b))),
    }


def _edges(values: FloatArray, bins: int) -> FloatArray:
    """Return edges of bins that reach a little beyond all values."""
    low, high = float(values.min()), float(values.max())
    margin = 0.05 * (high - low) or 0.5
    edges: FloatArray = np.linspace(low - margin, high + margin, bins + 1)
    return edges


def _density(a: FloatArray, b: FloatArray, edges: FloatArray) -> FloatArray:
    """Return items per cell, smoothed by a normal kernel of half of Scott's width, which suits one peak."""
    from scipy import ndimage  # noqa: PLC0415 (few instances need no density)

    width = edges[1] - edges[0]
    half = [float(np.std(scores)) * len(scores) ** (-1 / 6) / (2 * width) for scores in (a, b)]
    dense: FloatArray = ndimage.gaussian_filter(np.histogram2d(a, b, bins=[edges, edges])[0], half)
    return dense

"""How the gap between two systems, and the width of a tie, depend on coefficients.

Every comparison has a gap: the left system's log-strength less the right one's, plus what covariates and the side add.
Log-strengths are sums over the columns of a subject matrix (a column of ones where there are no subjects), each with
coefficients of its own per system. Millions of comparisons are never multiplied by a matrix with a column per system:
what systems contribute is added up by their codes.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from betterthan.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Design:
    """Comparisons × coefficients: those of systems, then those of the gap's other columns, then those of the width."""

    left: IntArray
    right: IntArray
    systems: int
    subject: FloatArray  # comparisons × subject columns
    basis: FloatArray  # (subject columns · systems) × coefficients: what coefficients make of log-strengths
    gap: FloatArray  # comparisons × other columns of the gap
    width: FloatArray  # comparisons × columns of the width

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many coefficients of each kind there are."""
        return self.basis.shape[1], self.gap.shape[1], self.width.shape[1]

    @cached_property
    def _pair(self) -> IntArray:
        return self.left * self.systems + self.right

    @cached_property
    def _only_ones(self) -> bool:
        return self.subject.shape[1] == 1 and bool(np.all(self.subject == 1.0))

    def apply(self, coefficients: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return gap and width of every comparison."""
        of_systems, of_gap, of_width = self._split(coefficients)
        strength = (self.basis @ of_systems).reshape(-1, self.systems)
        gap = np.zeros(len(self.left))
        for column, strengths in enumerate(strength):
            apart = strengths[self.left] - strengths[self.right]
            gap += apart if self._only_ones else self.subject[:, column] * apart
        return gap + self.gap @ of_gap, self.width @ of_width

    def gradient(self, by_gap: FloatArray, by_width: FloatArray) -> FloatArray:
        """Return the derivatives by the coefficients from those by gap and width."""
        return np.concatenate([
            self.basis.T @ self._of_systems(by_gap),
            self.gap.T @ by_gap,
            self.width.T @ by_width if self.width.shape[1] else np.empty(0),
        ])  # fmt: skip

    def information(self, gap_gap: FloatArray, gap_width: FloatArray, width_width: FloatArray) -> FloatArray:
        """Return the second derivatives by the coefficients from those by gap and width."""
        systems, others, widths = self.sizes
        matrix = np.zeros((systems + others + widths, systems + others + widths))
        matrix[:systems, :systems] = self._between_systems(gap_gap)
        for place, column in enumerate(self.gap.T, start=systems):
            weighted = gap_gap * column
            matrix[:systems, place] = self.basis.T @ self._of_systems(weighted)
            matrix[systems : systems + others, place] = self.gap.T @ weighted
        for place, column in enumerate(self.width.T, start=systems + others):
            weighted = gap_width * column
            matrix[:systems, place] = self.basis.T @ self._of_systems(weighted)
            matrix[systems : systems + others, place] = self.gap.T @ weighted
            matrix[systems + others :, place] = self.width.T @ (width_width * column)
        return np.triu(matrix) + np.triu(matrix, 1).T

    def extent(self, gap_gap: FloatArray) -> FloatArray:
        """Return how large the information about systems' coefficients would be if nothing in it cancelled out."""
        raw = []
        for column in range(self.subject.shape[1]):
            each = gap_gap if self._only_ones else gap_gap * self.subject[:, column] ** 2
            raw.append(np.bincount(self.left, each, self.systems) + np.bincount(self.right, each, self.systems))
        total: FloatArray = (self.basis**2).T @ np.concatenate(raw)
        return total

    def centred(self, intercept: bool) -> tuple["Design", FloatArray]:
        """Return the design with subject columns centred and scaled, and what turns its coefficients into these.

        Years, or milliseconds, would otherwise look like multiples of the intercept.
        """
        size = sum(self.sizes)
        back = np.eye(size)
        columns = self.subject.shape[1]
        if not intercept or columns == 1:
            return self, back
        middle, spread = self.subject.mean(axis=0), self.subject.std(axis=0)
        middle[0], spread[0] = 0.0, 1.0
        spread = np.where(spread > 0, spread, 1.0)
        each = self.basis.shape[1] // columns
        for column in range(1, columns):
            for place in range(each):
                there = column * each + place
                back[there, there] = 1 / spread[column]
                back[place, there] = -middle[column] / spread[column]
        return replace(self, subject=(self.subject - middle) / spread), back

    def scores(self, by_gap: FloatArray, by_width: FloatArray, cluster: IntArray) -> FloatArray:
        """Return the derivatives by the coefficients, added up by cluster (clusters × coefficients)."""
        clusters = int(cluster.max()) + 1
        raw = np.zeros((clusters, self.basis.shape[0]))
        for column in range(self.subject.shape[1]):
            amount = by_gap * self.subject[:, column]
            first = column * self.systems
            np.add.at(raw, (cluster, first + self.left), amount)
            np.add.at(raw, (cluster, first + self.right), -amount)
        parts = [raw @ self.basis]
        for matrix, amount in ((self.gap, by_gap), (self.width, by_width)):
            columns = [np.bincount(cluster, amount * column, clusters) for column in matrix.T]
            parts.append(np.stack(columns, axis=1) if columns else np.empty((clusters, 0)))
        return np.concatenate(parts, axis=1)

    def rows(self, place: slice) -> "Design":
        """Keep some comparisons only."""
        return replace(
            self, left=self.left[place], right=self.right[place], subject=self.subject[place], gap=self.gap[place],
            width=self.width[place],
        )  # fmt: skip

    def take(self, kept: IntArray) -> "Design":
        """Keep some coefficients only."""
        if len(kept) == sum(self.sizes):
            return self  # columns of millions of comparisons are not copied for nothing
        systems, others, _ = self.sizes
        first, second = kept[kept < systems], kept[(kept >= systems) & (kept < systems + others)] - systems
        third = kept[kept >= systems + others] - systems - others
        return replace(self, basis=self.basis[:, first], gap=self.gap[:, second], width=self.width[:, third])

    def _split(self, coefficients: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        systems, others, _ = self.sizes
        return coefficients[:systems], coefficients[systems : systems + others], coefficients[systems + others :]

    def _of_systems(self, amount: FloatArray) -> FloatArray:
        """Add up something of the comparisons by system and subject column: left gains, right loses."""
        parts = []
        for column in range(self.subject.shape[1]):
            each = amount if self._only_ones else amount * self.subject[:, column]
            of_pair = np.bincount(self._pair, each, self.systems**2).reshape(self.systems, self.systems)
            parts.append(of_pair.sum(axis=1) - of_pair.sum(axis=0))
        return np.concatenate(parts)

    def _between_systems(self, amount: FloatArray) -> FloatArray:
        size, columns = self.systems, self.subject.shape[1]
        raw = np.zeros((columns * size, columns * size))
        for one in range(columns):
            for two in range(one, columns):
                each = amount if self._only_ones else amount * self.subject[:, one] * self.subject[:, two]
                of_pair = np.bincount(self._pair, each, size**2).reshape(size, size)
                both = of_pair + of_pair.T
                block = np.diag(both.sum(axis=1)) - both
                raw[one * size : (one + 1) * size, two * size : (two + 1) * size] = block
                raw[two * size : (two + 1) * size, one * size : (one + 1) * size] = block
        projected: FloatArray = self.basis.T @ raw @ self.basis
        return projected

"""The design matrix: how strength gaps and tie widths depend on coefficients.

Every comparison has a gap: the left system's log-strength less the right one's, plus what covariates and the side add.
Log-strengths are sums over the columns of a subject matrix (a column of ones where there are no subjects), each with
coefficients of its own per system. Millions of comparisons are never multiplied by a matrix with a column per system:
what systems contribute is added up by their codes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy


@dataclass(frozen=True)
class PredictorDesign:
    """Comparisons × coefficients: those of systems, then those of the gap's other columns, then those of the width."""

    left: IntArray
    right: IntArray
    systems: int
    subject: FloatArray  # comparisons × subject columns
    basis: FloatArray  # (subject columns · systems) × coefficients: the map from coefficients to log-strengths
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
        return np.concatenate(
            [
                self.basis.T @ self._of_systems(by_gap),
                self.gap.T @ by_gap,
                self.width.T @ by_width if self.width.shape[1] else np.empty(0),
            ]
        )

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

    def centred(self, intercept: bool) -> tuple["PredictorDesign", FloatArray]:
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

    def scores(self, by_gap: FloatArray, by_width: FloatArray, cluster: IntArray, clusters: int) -> Any:
        """Return the derivatives by the coefficients, added up by cluster (clusters × coefficients, sparse)."""
        raw = self.basis.shape[0]
        values, columns = [], []
        for column in range(self.subject.shape[1]):
            amount = by_gap if self._only_ones else by_gap * self.subject[:, column]
            values += [amount, -amount]
            columns += [column * self.systems + self.left, column * self.systems + self.right]
        for matrix, by in ((self.gap, by_gap), (self.width, by_width)):
            for column in matrix.T:
                values.append(by * column)
                columns.append(np.full(len(cluster), raw))
                raw += 1
        where = (np.tile(cluster, len(values)), np.concatenate(columns))
        summed = scipy.sparse.coo_array((np.concatenate(values), where), shape=(clusters, raw)).tocsr()
        rest = np.eye(raw - self.basis.shape[0])
        onto = scipy.sparse.block_diag([scipy.sparse.coo_array(self.basis), rest], format="csr")
        return summed @ onto

    def informations(self, curvature: Sequence[FloatArray], cluster: IntArray, clusters: int) -> FloatArray:
        """Return the second derivatives by the coefficients by cluster (clusters × coefficients × coefficients)."""
        gap_gap, gap_width, width_width = curvature
        systems, others, _ = self.sizes
        size = sum(self.sizes)
        found = np.zeros((clusters, size, size))
        found[:, :systems, :systems] = self._between_systems_by(gap_gap, cluster, clusters)
        for place, column in enumerate(self.gap.T, start=systems):
            # Nothing is multiplied by the width here: these are the columns of systems and of the gap.
            part = self.scores(gap_gap * column, np.zeros(len(cluster)), cluster, clusters).toarray()
            found[:, :, place] = found[:, place, :] = part
        for place, column in enumerate(self.width.T, start=systems + others):
            part = self.scores(gap_width * column, width_width * column, cluster, clusters).toarray()
            found[:, :, place] = found[:, place, :] = part
        return found

    def rows(self, place: slice | IntArray) -> "PredictorDesign":
        """Keep some comparisons, or repeat them."""
        return replace(
            self,
            left=self.left[place],
            right=self.right[place],
            subject=self.subject[place],
            gap=self.gap[place],
            width=self.width[place],
        )

    def take(self, kept: IntArray) -> "PredictorDesign":
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
        whole: FloatArray = self._between_systems_by(amount, None, 1)[0]
        return whole

    def _between_systems_by(self, amount: FloatArray, cluster: IntArray | None, clusters: int) -> FloatArray:
        size, columns = self.systems, self.subject.shape[1]
        pair = self._pair if cluster is None else cluster * size**2 + self._pair
        raw = np.zeros((clusters, columns * size, columns * size))
        place = np.arange(size)
        for one in range(columns):
            for two in range(one, columns):
                each = amount if self._only_ones else amount * self.subject[:, one] * self.subject[:, two]
                of_pair = np.bincount(pair, each, clusters * size**2).reshape(clusters, size, size)
                block = -of_pair - of_pair.transpose(0, 2, 1)
                block[:, place, place] -= block.sum(axis=2)
                raw[:, one * size : (one + 1) * size, two * size : (two + 1) * size] = block
                raw[:, two * size : (two + 1) * size, one * size : (one + 1) * size] = block
        projected: FloatArray = self.basis.T @ raw @ self.basis
        return projected

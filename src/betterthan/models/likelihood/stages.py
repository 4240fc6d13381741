"""Stages of rankings: each ranking is split into choices, and equal choices are counted together."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.datasets import Orders
from betterthan.models.likelihood.components import Met


@dataclass(frozen=True)
class StageCells:
    """Distinct choices, in blocks by the number of systems that remain.

    A row lists those that remain, the chosen ones first; `size` (the number of systems) is added to the others.
    """

    size: int
    blocks: tuple[IntArray, ...]

    @classmethod
    def of(
        cls, size: int, system: IntArray, start: IntArray, remaining: IntArray, tied: IntArray
    ) -> tuple["StageCells", Any]:
        """Collect choices given as stretches of `system`, the chosen ones first; also return cells × choices.

        Where one system remains there is no choice.
        """
        blocks, cells, choices, count = [], [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
        for number in np.unique(remaining[remaining > 1]):
            of = np.flatnonzero(remaining == number)
            place = np.arange(number)
            rows = np.sort(system[start[of, None] + place] + size * (place >= tied[of, None]), axis=1)
            block, cell = np.unique(rows, axis=0, return_inverse=True)
            blocks.append(block)
            cells.append(count + cell.ravel())
            choices.append(of)
            count += len(block)
        where = (np.concatenate(cells), np.concatenate(choices))
        return cls(size, tuple(blocks)), ones(where, (count, len(start)))

    @cached_property
    def entries(self) -> tuple[IntArray, IntArray, BoolArray]:
        """Cell and system of every remaining entry, and whether it is chosen."""
        code = np.concatenate([np.empty(0, np.int64), *(block.ravel() for block in self.blocks)])
        return np.repeat(np.arange(len(self.remaining)), self.remaining), code % self.size, code < self.size

    @cached_property
    def remaining(self) -> IntArray:
        """How many systems remain, per cell."""
        return np.concatenate([np.empty(0, np.int64), *(np.full(*block.shape) for block in self.blocks)])

    @cached_property
    def tied(self) -> IntArray:
        """How many systems are chosen together, per cell."""
        cell, _, chosen = self.entries
        return np.bincount(cell[chosen], minlength=len(self.remaining))

    @cached_property
    def heads(self) -> IntArray:
        """One of the chosen systems, per cell."""
        return np.concatenate([np.empty(0, np.int64), *(block[:, 0] for block in self.blocks)])

    @cached_property
    def links(self) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
        """Cell, upper and lower system of every pair that a choice compares, and whether both are chosen."""
        parts: list[tuple[NDArray[Any], ...]] = [(np.empty(0, np.int64),) * 4]
        first = np.cumsum([0, *(len(block) for block in self.blocks)])
        for block, begin in zip(self.blocks, first[:-1], strict=True):
            for place in range(int(np.max(np.sum(block < self.size, axis=1)))):
                rows = np.flatnonzero(block[:, place] < self.size)
                others = block[rows, place + 1 :]
                upper = np.repeat(block[rows, place], others.shape[1])
                cell = np.repeat(begin + rows, others.shape[1])
                parts.append((cell, upper, others.ravel() % self.size, others.ravel() < self.size))
        cell, upper, lower, tie = (np.concatenate(values) for values in zip(*parts, strict=True))
        return cell, upper, lower, tie.astype(bool)

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray]:
        """Distinct pairs that choices compare, as one number each, and the pair of every link."""
        _, upper, lower, _ = self.links
        keys, pair = np.unique(np.minimum(upper, lower) * self.size + np.maximum(upper, lower), return_inverse=True)
        return keys, pair

    def met(self, counts: FloatArray) -> Met:
        """Count the pairs of each ranking: who is above whom; ties are half a win for each."""
        cell, upper, lower, tie = self.links
        keys, pair = self._pairs
        number = counts[cell]
        won = np.where(tie, number / 2, number * (upper < lower))
        won, lost = (np.bincount(pair, value, len(keys)).astype(float) for value in (won, number - won))
        return Met(self.size, keys // self.size, keys % self.size, won, lost)

    def inside(self, label: IntArray) -> tuple[IntArray, BoolArray]:
        """How many of those that remain belong to the chosen ones' component, per cell, and which entries do."""
        cell, system, _ = self.entries
        same = label[system] == label[self.heads][cell]
        return np.bincount(cell[same], minlength=len(self.remaining)), same

    def within(self, label: IntArray) -> tuple["StageCells", Any]:
        """Leave only the chosen ones' component to choose from; also return new cells × cells."""
        number, same = self.inside(label)
        return StageCells.of(self.size, self.entries[1][same], np.cumsum(number) - number, number, self.tied)

    def determined(self, present: BoolArray) -> int:
        """Return up to which order the choices present bound the tie parameters from above.

        Sets of d systems of equal worth bound δ_d if fewer of them, or one alone, were chosen instead. Worths are
        held together by cycles of strict choices, and by ties of orders that are bounded already.
        """
        cell, upper, lower, tie = self.links
        order = 1
        while True:
            strict = present[cell] & ~tie
            level = present[cell] & tie & (self.tied[cell] <= order)
            rows = np.concatenate([upper[strict], upper[level], lower[level]])
            columns = np.concatenate([lower[strict], lower[level], upper[level]])
            _, label = scipy.sparse.csgraph.connected_components(
                ones((rows, columns), (self.size, self.size)), directed=True, connection="strong"
            )
            known = present & (self.tied <= order)
            reached = int(np.max(self.inside(label.astype(np.int64))[0][known], initial=1))
            if reached <= order:
                return order
            order = reached


def split(evidence: Orders) -> tuple[StageCells, Any]:
    """Cut rankings into choices: the distinct ones, and how often each ranking makes them (cells × rankings)."""
    order = np.lexsort((evidence.rank, evidence.ranking))
    ranking, rank = evidence.ranking[order], evidence.rank[order]
    start = np.flatnonzero((np.diff(ranking, prepend=-1) != 0) | (np.diff(rank, prepend=np.nan) != 0))
    remaining = np.searchsorted(ranking, ranking[start], side="right") - start
    tied = np.diff(np.append(start, len(order)))
    cells, made = StageCells.of(evidence.size, evidence.system[order], start, remaining, tied)
    stages = ones((np.arange(len(start)), ranking[start]), (len(start), len(evidence.weight)))
    return cells, made @ stages


def ones(where: tuple[IntArray, IntArray], shape: tuple[int, int]) -> Any:
    """Return a sparse matrix of ones at these places."""
    return scipy.sparse.csr_array((np.ones(len(where[0])), where), shape=shape)

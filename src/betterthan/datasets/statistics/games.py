"""Judgments in order, for models that depend on the order."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import EvidenceError, FloatArray, IntArray, spelling
from betterthan.datasets.statistics.sparse_matrices import matrix_of
from betterthan.datasets.units.units import RowWeights
from betterthan.evidence import Tally

#: Which games, and in which order: those at these places; all in random order; all in their own.
Places = IntArray | np.random.Generator | None
#: More games than this do not fit into memory.
_MOST = 500_000_000


@dataclass(frozen=True)
class Games:
    """Games in order; the outcome is 0 if the left side won, 1 for a tie, 2 if the right side won."""

    systems: tuple[str, ...]
    left: NDArray[np.integer[Any]]  # as small as the number of systems allows: shuffling is bound by memory
    right: NDArray[np.integer[Any]]
    outcome: NDArray[np.int8]
    weight: FloatArray
    units: RowWeights

    @staticmethod
    def of(tally: Tally, unit: tuple[str, ...] = (), *, in_order: bool) -> "Games":
        """List the judgments of a tally one by one, in its order, or in one that no engine, side or unit changes.

        Counted judgments follow one another.
        """
        if not in_order:
            tally = _canonical(tally, unit)
        times = np.round(tally.times).astype(np.int64)
        if np.any(times != tally.times):
            raise EvidenceError(
                "fractional counts cannot be played one by one",
                remedy=f"Use whole counts, or pass them as {spelling.option('weight')}.",
            )
        if times.sum() > _MOST:
            raise EvidenceError(
                f"{int(times.sum()):,} counted judgments are too many to be played one by one (limit {_MOST:,}). "
                "Use a model of counts such as bradley-terry."
            )
        row = slice(None) if np.all(times == 1) else np.repeat(np.arange(len(times)), times)
        units = RowWeights.of(int(times.sum()), {name: tally.units[name].take(row) for name in unit})
        small: Any = np.int16 if len(tally.systems) < 2**15 else np.int32
        left, right = (side[row].astype(small) for side in (tally.left, tally.right))
        return Games(tally.systems, left, right, tally.outcome[row].astype(np.int8), tally.weight[row], units)

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    def appearances(self, unit: IntArray, units: int) -> Any:
        """Count the games of each system, by their units (units × systems)."""
        once, shape = np.ones(len(unit)), (units, self.size)
        left, right = (matrix_of(once, unit, side.astype(np.int64), shape) for side in (self.left, self.right))
        return left + right

    def digest(self) -> str:
        """Return a short digest of the games in their order."""
        text = hashlib.blake2b("\0".join(self.systems).encode(errors="surrogatepass"))
        for column in (self.left, self.right, self.outcome, *([self.weight] if self._weighted else [])):
            text.update(np.ascontiguousarray(column).tobytes())
        return text.hexdigest()[:12]

    @cached_property
    def _weighted(self) -> bool:
        return bool(np.any(self.weight != 1.0))

    def redrawn(self, rng: np.random.Generator) -> "Games":
        """Return as many games, drawn from these with replacement."""
        place = rng.integers(len(self.left), size=len(self.left))
        left, right, outcome, weight = self.at(place)
        return replace(self, left=left, right=right, outcome=outcome, weight=weight)

    def some_units(self, amount: int, rng: np.random.Generator) -> "Games":
        """Return the games of that many units, drawn without replacement, in their order."""
        from betterthan.datasets.statistics.subsample import some_rows  # noqa: PLC0415 (few ask for samples)

        rows, units = some_rows(self.units, amount, rng)
        left, right, outcome, weight = self.at(rows)
        return replace(self, left=left, right=right, outcome=outcome, weight=weight, units=units)

    def last(self, number: int) -> "Games":
        """Return the last games, each its own unit."""
        return Games(
            self.systems,
            self.left[-number:],
            self.right[-number:],
            self.outcome[-number:],
            self.weight[-number:],
            RowWeights.of(min(number, len(self.left)), {}),
        )

    def at(self, places: Places) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], FloatArray]:
        """Return left, right, outcome and weight of some games, in some order."""
        if places is None:
            return self.left, self.right, self.outcome, self.weight
        if isinstance(places, np.random.Generator):
            if self._packed is not None:
                packed = places.permutation(self._packed)
                left, right = (packed >> 17).astype(np.int16), (packed >> 2 & 2**15 - 1).astype(np.int16)
                return left, right, (packed & 3).astype(np.int8), self.weight
            places = places.permutation(len(self.left))
        few = not self._weighted and len(places) <= len(self.weight)
        weight = self.weight[: len(places)] if few else self.weight[places]  # all the same: no need to look them up
        return self.left[places], self.right[places], self.outcome[places], weight

    @cached_property
    def _packed(self) -> NDArray[np.uint32] | None:
        """A game in one number: shuffling is bound by memory, and three columns would take three times as long."""
        if self._weighted or len(self.systems) >= 2**15:
            return None
        left, right = (side.astype(np.uint32) for side in (self.left, self.right))
        packed: NDArray[np.uint32] = left * np.uint32(2**17) + right * np.uint32(4) + self.outcome.astype(np.uint32)
        return packed


def _canonical(tally: Tally, unit: tuple[str, ...]) -> Tally:
    """Put the smaller code on the left, and sort: what starts from here has the same randomness everywhere."""
    tally = tally.sided()
    codes = [tally.units[name].codes for name in unit]
    return tally.take(np.lexsort((*codes, tally.times, tally.weight, tally.outcome, tally.right, tally.left)))

"""Bucket sums on Dask: each partition is summed, then the sums are added."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.engine.buckets.bucket_sums import Amounts, NoBucketsError, Sums, UnitHashes, Wanted, all_hashed, mixed
from betterthan.engine.buckets.cluster_frames import SUMS, Collect, FrameRows

#: That many sums of partitions are added at a time.
_TOGETHER = 8


#: Computes the workers' results, and logs them.
Compute = Callable[[Any, str], IntArray]


def bucket_sums(rows: FrameRows, wanted: Wanted, collect: Collect, compute: Compute) -> list[FloatArray]:
    """Add up on the workers; what comes back is one matrix of buckets × systems."""
    from dask import delayed  # noqa: PLC0415 (an extra)

    numbered = tuple(rows.levels(place, factor, collect) for place, factor in enumerate(wanted.factors))
    work = _Work(rows.texts, rows.amounts, numbered, wanted.seed, wanted.buckets, wanted.systems)
    native: Any = rows.frame.to_native()
    parts = [delayed(work.summed)(part) for part in native.to_delayed()]
    while len(parts) > 1:
        parts = [delayed(_total)(parts[start : start + _TOGETHER]) for start in range(0, len(parts), _TOGETHER)]
    *sums, rows_added = compute(parts[0], SUMS)
    rows.need(int(rows_added[0]))
    ends = np.cumsum([wanted.buckets if names is None else len(names) for names in numbered])
    return np.split(np.array(sums) / rows.amounts.steps, ends[: wanted.ways - 1])


@dataclass(frozen=True)
class _Work:
    """The arguments of a worker that sums one partition."""

    texts: Mapping[str, Sequence[str | None]]
    amounts: Amounts  # of the rows of `texts`
    numbered: tuple[Mapping[str, int] | None, ...]  # the levels of few units
    seed: int
    buckets: int
    systems: int

    def summed(self, part: Any) -> IntArray:
        """Return the sums of one partition, ways × levels below each other, and a row that begins with its size."""
        import pandas as pd  # noqa: PLC0415

        keys = list(self.texts)
        look = pd.DataFrame({**self.texts, "row": np.arange(len(self.amounts.first))})
        known = part.merge(look, on=keys, how="inner")
        units = []
        for place, numbered in enumerate(self.numbered):
            codes, labels = pd.factorize(known[f"v{place}"])
            if np.any(codes < 0):
                raise NoBucketsError
            names = [str(label) for label in labels]
            level = None if numbered is None else np.array([numbered[name] for name in names])[codes]
            units.append(UnitHashes(mixed(all_hashed(names), self.seed)[codes], level))
        sizes = [self.buckets if numbered is None else len(numbered) for numbered in self.numbered]
        sums = Sums(self.amounts, sizes, buckets=self.buckets, systems=self.systems)
        sums.add(known["row"].to_numpy(), units)
        size = np.zeros((1, sums.in_steps[0].shape[1]), dtype=np.int64)
        size[0, 0] = len(known)
        return np.concatenate([*sums.in_steps, size])


def _total(parts: Sequence[IntArray]) -> IntArray:
    """Add the sums of several partitions."""
    total: IntArray = np.sum(parts, axis=0)
    return total

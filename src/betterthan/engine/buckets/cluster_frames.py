"""Bucket sums on distributed engines: the part that Spark and Dask share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from betterthan.engine.buckets.bucket_sums import Amounts, Factor, NoBucketsError, Wanted, hashed
from betterthan.engine.table import Distinct

#: Collects the columns of a lazy frame as lists, and logs them.
Collect = Callable[[nw.LazyFrame[Any], str], Mapping[str, Sequence[Any]]]
#: The entry of these sums in the transfer log.
SUMS = "sums by bucket and system"


@dataclass(frozen=True)
class FrameRows:
    """All rows with the keys of their amounts (columns k0, k1 …) and their units (v0, v1), as names.

    `texts` are the distinct key combinations that are kept, and `amounts` what each adds. `number` counts their rows;
    `all_kept` says whether there are no others.
    """

    frame: nw.LazyFrame[Any]
    texts: Mapping[str, Sequence[str | None]]
    amounts: Amounts
    number: int
    all_kept: bool

    @classmethod
    def of(
        cls, frame: nw.LazyFrame[Any], wanted: Wanted, distinct: Distinct, named: Callable[[str], nw.Expr]
    ) -> "FrameRows":
        """Choose the columns; `named` makes a column of names."""
        keys = [f"k{place}" for place in range(len(wanted.columns))]
        amounts = wanted.amounts(distinct)
        kept = np.arange(len(distinct.times)) if amounts.kept is None else np.flatnonzero(amounts.kept)
        texts = {
            key: distinct.columns[column].texts()[kept].tolist()
            for key, column in zip(keys, wanted.columns, strict=True)
        }
        chosen = [named(column).alias(key) for key, column in zip(keys, wanted.columns, strict=True)]
        units = [named(factor.column).alias(f"v{place}") for place, factor in enumerate(wanted.factors)]
        number = amounts.rows_kept(distinct.times)
        return cls(frame.select(*chosen, *units), texts, amounts.take(kept), number, amounts.kept is None)

    def need(self, rows: int) -> None:
        """Refuse sums of other rows than all that are kept."""
        if rows != self.number:
            raise NoBucketsError

    def levels(self, place: int, factor: Factor, collect: Collect) -> dict[str, int] | None:
        """Number few units by their hashes; None where units go into buckets."""
        if factor.buckets is not None:
            return None
        if not self.all_kept:  # units may have other rows elsewhere
            raise NoBucketsError
        unit = f"v{place}"
        names = collect(self.frame.select(unit).unique(), f"the names of few {factor.column}")[unit]
        if any(name is None for name in names):
            raise NoBucketsError
        return {name: level for level, name in enumerate(sorted(names, key=hashed))}

"""The first judgments of a file, for contestants that would take too long with all of them."""

from collections.abc import Iterator

import pyarrow.parquet as pq


def first_rows(path: str, games: int) -> Iterator[tuple[str, str, str]]:
    """Yield (left, right, winner) of so many judgments."""
    batch = next(pq.ParquetFile(path).iter_batches(games, columns=["model_a", "model_b", "winner"]))
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)

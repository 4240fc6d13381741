"""The rows of a Parquet file as a frame of each engine, in memory before the clock starts."""

from typing import Any


def pandas(path: str) -> Any:
    """Return a pandas frame with pandas' own string columns."""
    import pandas

    return pandas.read_parquet(path)


def polars(path: str) -> Any:
    """Return an eager Polars frame."""
    import polars

    return polars.read_parquet(path)


def pyarrow(path: str) -> Any:
    """Return a PyArrow table."""
    import pyarrow.parquet

    return pyarrow.parquet.read_table(path)

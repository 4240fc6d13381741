"""Columns as text and as data frames of other libraries."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from betterthan.base import optional_library

Columns = Mapping[str, Sequence[Any]]


def csv_text(columns: Columns) -> str:
    """Return columns as CSV; what is absent is empty."""
    text = _Lines()
    writer = csv.writer(text, lineterminator="\r\n")  # a name with a carriage return must be quoted, too
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


class _Lines(io.StringIO):
    """Text with normalised line ends."""

    def write(self, line: str) -> int:
        return super().write(line.removesuffix("\r\n") + "\n")


def pandas_frame(columns: Columns) -> Any:
    """Return columns as a pandas data frame."""
    return optional_library("pandas", "pandas", "a pandas data frame").DataFrame(dict(columns))


def polars_frame(columns: Columns) -> Any:
    """Return columns as a Polars data frame."""
    return optional_library("polars", "polars", "a Polars data frame").DataFrame(dict(columns), strict=False)


def arrow_table(columns: Columns) -> Any:
    """Return columns as a PyArrow table."""
    return optional_library("pyarrow", "arrow", "a PyArrow table").table(dict(columns))

"""Columns that grow block by block, as files of a tool are read one after the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Rows:
    """Blocks of rows with the same columns; a value that is one text stands for every row of its block.

    >>> rows = Rows()
    >>> rows.add(system="owl", item=["1", "2"], score=[0.5, 1.0])
    >>> rows.add(system="yak", item=["1"], score=[0.0])
    >>> rows.columns()["system"].tolist(), len(rows)
    (['owl', 'owl', 'yak'], 3)
    """

    def __init__(self) -> None:
        self._blocks: list[tuple[int, dict[str, Any]]] = []

    def add(self, **values: Any) -> None:
        """Add a block: at least one value is a sequence with an entry per row, None is a value that is missing."""
        sizes = {len(each) for each in values.values() if _is_column(each)}
        size = sizes.pop() if sizes else 1
        if sizes:
            raise ValueError("columns of a block must be equally long")
        self._blocks.append((size, values))

    def __len__(self) -> int:
        return sum(size for size, _ in self._blocks)

    def columns(self) -> dict[str, Any]:
        """Return every column of all blocks, without those in which there is nothing."""
        found = {}
        for name in dict.fromkeys(name for _, block in self._blocks for name in block):
            values: list[Any] = []
            for size, block in self._blocks:
                values += _entries(block.get(name), size)
            if any(value is not None for value in values):
                found[name] = np.empty(len(values), dtype=object)
                found[name][:] = values
        return found


def _is_column(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _entries(value: Any, size: int) -> Sequence[Any]:
    if not _is_column(value):
        return [value] * size
    return value.tolist() if isinstance(value, np.ndarray) else value  # type: ignore[no-any-return]

"""Columns that grow block by block while a tool's files are read."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.engine import Coded

#: Columns that are numbers and not names.
_NUMBERS = frozenset({"score", "rank", "weight"})


class GrowingColumns:
    """Blocks of rows with the same columns; a single text applies to every row of its block.

    >>> rows = GrowingColumns()
    >>> rows.add(system="owl", item=["1", "2"], score=[0.5, 1.0])
    >>> rows.add(system="yak", item=["1"], score=[0.0])
    >>> list(rows.columns()["system"]), len(rows)
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

    def columns(self) -> dict[str, Coded | FloatArray]:
        """Return every column of all blocks, but for empty ones: scores as numbers, names coded."""
        names = dict.fromkeys(name for _, block in self._blocks for name in block)
        found = {name: self._numbers(name) if name in _NUMBERS else self._coded(name) for name in names}
        return {name: column for name, column in found.items() if not isinstance(column, Coded) or column.labels}

    def _numbers(self, name: str) -> FloatArray:
        return np.concatenate([_floats(block.get(name), size) for size, block in self._blocks])

    def _coded(self, name: str) -> Coded:
        """Encode a column; a value that stands for a whole block is looked up once."""
        index: dict[Any, int] = {}
        parts = []
        for size, block in self._blocks:
            value: Any = block.get(name)
            if _is_column(value):
                values = value.tolist() if isinstance(value, np.ndarray) else value
                parts.append(np.fromiter((index.setdefault(each, len(index)) for each in values), np.int64, size))
            else:
                parts.append(np.full(size, index.setdefault(value, len(index)), dtype=np.int64))
        return Coded.relabel(np.concatenate(parts), list(index))


def _is_column(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _floats(value: Any, size: int) -> FloatArray:
    if _is_column(value):
        return np.asarray(value, dtype=np.float64)
    return np.full(size, np.nan if value is None else value, dtype=np.float64)
